#include "suite/record/reason.hpp"

#include <algorithm>
#include <regex>

namespace dwarfsweep {

std::string without_folders(const std::string& text) {
  static const std::regex folders(R"((^|[\s"'(=])/(?:[^\s/"']+/)+)");
  return std::regex_replace(text, folders, "$1.../");
}

std::string short_reason(const std::string& reason) {
  constexpr std::size_t longest = 240;
  const std::string text = without_folders(reason.substr(0, std::min(reason.find('\n'), reason.find(" | "))));
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;  // whole characters
  return text.substr(0, end) + " ...";
}

}  // namespace dwarfsweep
