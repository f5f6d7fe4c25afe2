#include <fmt/format.h>

#include "suite/output/render.hpp"

namespace dwarfsweep {
namespace {

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

}  // namespace

std::string to_markdown(const Document& document) {
  return render(document, [](const Block& block) -> std::string {
    switch (block.kind) {
      case Block::Kind::heading:
        return fmt::format("## {}\n", markdown_escape(block.text));
      case Block::Kind::subheading:
        return fmt::format("### {}\n", markdown_escape(block.text));
      case Block::Kind::paragraph:
        return wrapped(markdown_escape(block.text), "");
      case Block::Kind::items:
        return each(block.items, [](const auto& item) {
          return wrapped(fmt::format("- {}", markdown_escape(item)), "  ");
        });
      case Block::Kind::table:
        return table_markdown(block);
    }
    return "";
  });
}

}  // namespace dwarfsweep
