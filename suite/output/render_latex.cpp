#include <fmt/format.h>

#include "suite/output/render.hpp"

namespace dwarfsweep {
namespace {

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

std::string to_latex(const Document& document) {
  return render(document, [](const Block& block) -> std::string {
    switch (block.kind) {
      case Block::Kind::heading:
        return fmt::format("\\section*{{{}}}\n", latex_escape(block.text));
      case Block::Kind::subheading:
        return fmt::format("\\subsection*{{{}}}\n", latex_escape(block.text));
      case Block::Kind::paragraph:
        return wrapped(latex_escape(block.text), "");
      case Block::Kind::items:
        return "\\begin{itemize}\n" +
               each(block.items,
                    [](const auto& item) {
                      return wrapped(fmt::format("\\item {{}}{}", latex_escape(item)), "  ");
                    }) +
               "\\end{itemize}\n";
      case Block::Kind::table:
        return table_latex(block);
    }
    return "";
  });
}

}  // namespace dwarfsweep
