#include "suite/record/reason.hpp"

#include <algorithm>
#include <regex>

namespace dwarfsweep {

std::string without_folders(const std::string& text) {
  static const std::regex folders(R"((^|[\s"'(=])/(?:[^\s/"']+/)+)");
  return std::regex_replace(text, folders, "$1.../");
}

std::string short_reason(const std::string& reason) {
  constexpr std::size_t max_length = 240;
  const std::string text = without_folders(reason.substr(0, std::min(reason.find('\n'), reason.find(" | "))));
  if (text.size() <= max_length) return text;
  std::size_t end = max_length;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;  // do not cut a UTF-8 character
  return text.substr(0, end) + " ...";
}

}  // namespace dwarfsweep
