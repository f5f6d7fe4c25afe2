// Headings, paragraphs and tables, to be rendered as text, Markdown or LaTeX.
#pragma once

#include <string>
#include <vector>

namespace dwarfsweep {

/// A cell of several parts, each aligned with the same part of the cells above and below; or one text over
/// all parts.
struct Cell {
  std::vector<std::string> parts = {};
  std::string whole = {};  ///< instead of parts, where not empty
};

struct Block {
  enum class Kind { heading, subheading, paragraph, items, table };
  Kind kind = Kind::paragraph;
  std::string text = {};                ///< heading, paragraph
  std::vector<std::string> items = {};  ///< of a list
  std::vector<std::string> header = {};
  std::vector<std::vector<Cell>> rows = {};
  std::size_t leading =
      1;  ///< columns that name the row: to the left, and repeated where a table is too wide
};

using Document = std::vector<Block>;

/// A cell of one part for each text.
std::vector<Cell> cells_of(const std::vector<std::string>& texts);

Block heading(std::string text);
Block subheading(std::string text);
Block paragraph(std::string text);
Block items(std::vector<std::string> items);

/// Lines of at most 120 characters, unless a single column of a table is wider.
std::string to_plain_text(const Document& document);
std::string to_markdown(const Document& document);
std::string to_latex(const Document& document);

}  // namespace dwarfsweep
