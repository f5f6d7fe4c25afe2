#include "suite/report/html.hpp"

#include <array>

#include "suite/record/json.hpp"

namespace dwarfsweep {

std::string escaped_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
          out += "\xEF\xBF\xBD";
        } else {
          out += c;
        }
    }
  }
  return out;
}

Html to_html(const HtmlTable& table) {
  Html head;
  for (const Html& cell : table.header) head += markup("<th scope=\"col\">{}</th>", cell);
  Html body;
  for (const std::vector<Html>& row : table.rows) {
    body += markup("<tr>");
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0) {
        body += markup("<th scope=\"row\">{}</th>", row[i]);
      } else {
        body += i < table.numbers ? markup("<td>{}</td>", row[i]) : markup("<td class=\"n\">{}</td>", row[i]);
      }
    }
    body += markup("</tr>\n");
  }
  return markup(
      "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
      "aria-label=\"table\"><table><caption><span>{}</span></caption>"
      "<thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
      table.caption, head, body);
}

Html html_section(std::string_view id, std::string_view title, const Html& content) {
  return markup("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, title, content);
}

Html html_list(const std::vector<Html>& items) {
  Html list;
  for (const Html& item : items) list += markup("<li>{}</li>\n", item);
  return markup("<ul>\n{}</ul>\n", list);
}

std::string json_for_html(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

std::string policy_hash(std::string_view hex) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto value = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
  std::string out = "sha256-";
  unsigned bits = 0;
  int held = 0;
  for (const char c : hex) {
    bits = bits << 4U | value(c);
    held += 4;
    if (held < 6) continue;
    held -= 6;
    out += digits[bits >> static_cast<unsigned>(held) & 63U];
  }
  if (held > 0) out += digits[bits << static_cast<unsigned>(6 - held) & 63U];
  while ((out.size() - 7) % 4 != 0) out += '=';
  return out;
}

}  // namespace dwarfsweep
