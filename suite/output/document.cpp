#include "suite/output/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dwarfsweep {

Block heading(std::string text) {
  return {.kind = Block::Kind::heading, .text = std::move(text)};
}
Block subheading(std::string text) {
  return {.kind = Block::Kind::subheading, .text = std::move(text)};
}
Block paragraph(std::string text) {
  return {.kind = Block::Kind::paragraph, .text = std::move(text)};
}
Block items(std::vector<std::string> items) {
  return {.kind = Block::Kind::items, .items = std::move(items)};
}

std::vector<Cell> cells_of(const std::vector<std::string>& texts) {
  std::vector<Cell> cells;
  for (const std::string& text : texts) cells.push_back({{text}, ""});
  return cells;
}

// --- what the renderings share ---

namespace {

constexpr std::size_t page_width = 120;  // in characters

// Of UTF-8 text, in code points.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// The text of a cell: its parts that are not empty, separated by a blank.
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

// Lines of at most page_width characters, broken at blanks, each with its newline; those after the first
// begin with `indent`.
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

// A rendering: what it makes of the text of each kind of block.
struct Markup {
  std::string (*heading)(const std::string& text);
  std::string (*subheading)(const std::string& text);
  std::string (*escape)(const std::string& text);
  std::string (*item)(const std::string& text);
  std::string (*table)(const Block& table);
  const char* list_begin = "";
  const char* list_end = "";
};

// The text of every block, with an empty line between two.
std::string render(const Document& document, const Markup& markup) {
  std::string text;
  for (const Block& block : document) {
    if (!text.empty()) text += "\n";
    switch (block.kind) {
      case Block::Kind::heading:
        text += markup.heading(block.text);
        break;
      case Block::Kind::subheading:
        text += markup.subheading(block.text);
        break;
      case Block::Kind::paragraph:
        text += wrapped(markup.escape(block.text), "");
        break;
      case Block::Kind::items:
        text += markup.list_begin;
        for (const std::string& item : block.items) text += markup.item(item);
        text += markup.list_end;
        break;
      case Block::Kind::table:
        text += markup.table(block);
        break;
    }
  }
  return text;
}

// --- plain text: aligned columns, several tables where the page is too narrow ---

constexpr std::size_t gap = 2;  // between columns

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return right ? blanks + text : text + blanks;
}

// A table whose cells' parts are padded to the width of their place.
struct Grid {
  std::vector<std::vector<std::string>> lines;  ///< the header first
  std::vector<std::size_t> widths;
};

std::vector<std::size_t> part_widths(const Block& table, std::size_t column) {
  std::vector<std::size_t> widths;
  for (const auto& row : table.rows) {
    if (!row[column].whole.empty()) continue;
    const auto& parts = row[column].parts;
    widths.resize(std::max(widths.size(), parts.size()), 0);
    for (std::size_t i = 0; i < parts.size(); ++i) widths[i] = std::max(widths[i], width_of(parts[i]));
  }
  return widths;
}

std::string aligned(const Cell& cell, const std::vector<std::size_t>& widths) {
  if (!cell.whole.empty()) return cell.whole;
  std::string text;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] == 0) continue;
    if (!text.empty()) text += " ";
    text += padded(i < cell.parts.size() ? cell.parts[i] : "", widths[i], true);
  }
  return text.find_first_not_of(' ') == std::string::npos ? "" : text;
}

Grid lay_out(const Block& table) {
  Grid grid;
  grid.lines.assign(table.rows.size() + 1, std::vector<std::string>(table.header.size()));
  grid.widths.assign(table.header.size(), 0);
  for (std::size_t column = 0; column < table.header.size(); ++column) {
    const auto widths = part_widths(table, column);
    grid.lines[0][column] = table.header[column];
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      grid.lines[row + 1][column] =
          column < table.leading ? joined(table.rows[row][column]) : aligned(table.rows[row][column], widths);
    }
    for (const auto& line : grid.lines)
      grid.widths[column] = std::max(grid.widths[column], width_of(line[column]));
  }
  return grid;
}

std::string print_grid(const Grid& grid, const std::vector<std::size_t>& columns, std::size_t leading) {
  std::string text;
  for (std::size_t row = 0; row < grid.lines.size(); ++row) {
    std::string line;
    for (const std::size_t column : columns) {
      if (!line.empty()) line += std::string(gap, ' ');
      line += padded(grid.lines[row][column], grid.widths[column], column >= leading);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    if (row > 0) continue;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      text += std::string(i == 0 ? 0 : gap, ' ') + std::string(grid.widths[columns[i]], '-');
    }
    text += "\n";
  }
  return text;
}

// In as many pieces as the page needs, each with the leading columns.
std::string table_text(const Block& table) {
  const Grid grid = lay_out(table);
  std::vector<std::size_t> leading;
  std::size_t leading_width = 0;
  for (std::size_t column = 0; column < table.leading; ++column) {
    leading.push_back(column);
    leading_width += grid.widths[column] + gap;
  }
  std::string text;
  std::vector<std::size_t> columns = leading;
  std::size_t width = leading_width;
  for (std::size_t column = table.leading; column < table.header.size(); ++column) {
    if (columns.size() > leading.size() && width + grid.widths[column] > page_width) {
      text += print_grid(grid, columns, table.leading) + "\n";
      columns = leading;
      width = leading_width;
    }
    columns.push_back(column);
    width += grid.widths[column] + gap;
  }
  return text + print_grid(grid, columns, table.leading);
}

std::string underlined(const std::string& text, char mark) {
  return text + "\n" + std::string(width_of(text), mark) + "\n";
}

// --- Markdown ---

std::string markdown_escape(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '|' || letter == '*' || letter == '_' || letter == '<' || letter == '`') escaped += '\\';
    escaped += letter;
  }
  return escaped;
}

std::string table_markdown(const Block& table) {
  std::string text = "|";
  for (const auto& title : table.header) text += fmt::format(" {} |", markdown_escape(title));
  text += "\n|";
  for (std::size_t i = 0; i < table.header.size(); ++i) text += i < table.leading ? "---|" : "--:|";
  text += "\n";
  for (const auto& row : table.rows) {
    text += "|";
    for (const Cell& cell : row) text += fmt::format(" {} |", markdown_escape(joined(cell)));
    text += "\n";
  }
  return text;
}

// --- LaTeX ---

std::string latex_escape(const std::string& text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '\\':
        escaped += "\\textbackslash{}";
        break;
      case '~':
        escaped += "$\\sim$";
        break;
      case '^':
        escaped += "\\textasciicircum{}";
        break;
      case '<':
        escaped += "$<$";
        break;
      case '>':
        escaped += "$>$";
        break;
      case '&':
      case '%':
      case '$':
      case '#':
      case '_':
      case '{':
      case '}':
        escaped += '\\';
        [[fallthrough]];
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string table_latex(const Block& table) {
  std::string text = "\\begin{tabular}{";
  for (std::size_t i = 0; i < table.header.size(); ++i) text += i < table.leading ? "l" : "r";
  text += "}\n\\hline\n";
  const auto add_row = [&](const auto& cells, const auto& as_text) {
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += (i == 0 ? "" : " & ") + latex_escape(as_text(cells[i]));
    text += " \\\\\n";
  };
  add_row(table.header, [](const std::string& title) { return title; });
  text += "\\hline\n";
  for (const auto& row : table.rows) add_row(row, joined);
  return text + "\\hline\n\\end{tabular}\n";
}

}  // namespace

std::string to_plain_text(const Document& document) {
  return render(document, {[](const std::string& text) { return underlined(text, '='); },
                           [](const std::string& text) { return underlined(text, '-'); },
                           [](const std::string& text) { return text; },
                           [](const std::string& text) { return wrapped(text, "    "); }, table_text});
}

std::string to_markdown(const Document& document) {
  return render(
      document,
      {[](const std::string& text) { return "## " + markdown_escape(text) + "\n"; },
       [](const std::string& text) { return "### " + markdown_escape(text) + "\n"; }, markdown_escape,
       [](const std::string& text) { return wrapped("- " + markdown_escape(text), "  "); }, table_markdown});
}

std::string to_latex(const Document& document) {
  return render(
      document,
      {[](const std::string& text) { return "\\section*{" + latex_escape(text) + "}\n"; },
       [](const std::string& text) { return "\\subsection*{" + latex_escape(text) + "}\n"; }, latex_escape,
       [](const std::string& text) { return wrapped("\\item {}" + latex_escape(text), "  "); }, table_latex,
       "\\begin{itemize}\n", "\\end{itemize}\n"});
}

}  // namespace dwarfsweep
