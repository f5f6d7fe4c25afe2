// What the three renderings of a document (text, Markdown, LaTeX) share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "suite/output/document.hpp"

namespace dwarfsweep {

inline constexpr std::size_t page_width = 120;  ///< in characters

/// Of UTF-8 text, in code points.
std::size_t width_of(const std::string& text);

/// The text of a cell: its parts that are not empty, separated by a blank.
std::string joined(const Cell& cell);

/// Lines of at most page_width characters, broken at blanks, each with its newline; those after the first
/// begin with `indent`.
std::string wrapped(const std::string& text, const std::string& indent);

/// The text of every block, with an empty line between two.
template <typename BlockText>
std::string render(const Document& document, const BlockText& block_text) {
  std::string text;
  for (const Block& block : document) {
    if (!text.empty()) text += "\n";
    text += block_text(block);
  }
  return text;
}

/// The lines of all items of a list.
template <typename Line>
std::string each(const std::vector<std::string>& list, const Line& line) {
  std::string text;
  for (const std::string& item : list) text += line(item);
  return text;
}

}  // namespace dwarfsweep
