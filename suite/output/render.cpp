#include "suite/output/render.hpp"

#include <algorithm>

namespace dwarfsweep {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string joined(const Cell& cell) {
  if (!cell.whole.empty()) return cell.whole;
  std::string text;
  for (const std::string& part : cell.parts) {
    if (part.empty()) continue;
    if (!text.empty()) text += " ";
    text += part;
  }
  return text;
}

std::string wrapped(const std::string& text, const std::string& indent) {
  std::string result;
  std::string line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && line != indent && width_of(line) + 1 + width_of(word) > page_width) {
      result += line + "\n";
      line = indent;
    }
    line += (line.empty() || line == indent ? "" : " ") + word;
  }
  return result + line + "\n";
}

}  // namespace dwarfsweep
