#include "harness/space/text.hpp"

#include <algorithm>
#include <cctype>

namespace dwarfsweep {

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\0' || std::isspace(static_cast<unsigned char>(text.back()))))
    text.pop_back();
  const auto first = std::find_if(text.begin(), text.end(), [](unsigned char c) { return !std::isspace(c); });
  return {first, text.end()};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace dwarfsweep
