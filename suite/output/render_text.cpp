// A document as plain text: tables laid out in aligned columns, cut into several where the page is too
// narrow.
#include <algorithm>

#include "suite/output/render.hpp"

namespace dwarfsweep {
namespace {

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

}  // namespace

std::string to_plain_text(const Document& document) {
  return render(document, [](const Block& block) -> std::string {
    switch (block.kind) {
      case Block::Kind::heading:
        return underlined(block.text, '=');
      case Block::Kind::subheading:
        return underlined(block.text, '-');
      case Block::Kind::paragraph:
        return wrapped(block.text, "");
      case Block::Kind::items:
        return each(block.items, [](const auto& item) { return wrapped(item, "    "); });
      case Block::Kind::table:
        return table_text(block);
    }
    return "";
  });
}

}  // namespace dwarfsweep
