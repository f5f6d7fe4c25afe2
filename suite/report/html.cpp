#include "suite/report/html.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "suite/record/json.hpp"

namespace dwarfsweep {

namespace {

// Each character, or what `name` gives for it.
template <typename Name>
std::string replaced(std::string_view text, const Name& name) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const char* const other = name(c);
    if (other == nullptr) {
      out += c;
    } else {
      out += other;
    }
  }
  return out;
}

}  // namespace

std::string escaped_html(std::string_view text) {
  return replaced(text, [](char c) -> const char* {
    if (c == '&') return "&amp;";
    if (c == '<') return "&lt;";
    if (c == '>') return "&gt;";
    if (c == '"') return "&quot;";
    if (c == '\'') return "&#39;";
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? "\xEF\xBF\xBD" : nullptr;
  });
}

std::string json_for_html(const Json& json) {
  return replaced(json_text(json), [](char c) {
    return c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : nullptr;
  });
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
  const Html caption =
      table.caption.empty() ? Html() : markup("<caption><span>{}</span></caption>", table.caption);
  return html_wide(
      "table", markup("<table>{}<thead><tr>{}</tr></thead><tbody>\n{}</tbody></table>", caption, head, body));
}

Html html_wide(std::string_view label, const Html& content) {
  return markup("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">{}</div>\n", label,
                content);
}

Html html_details(const Html& summary, const Html& content) {
  return markup("<details><summary>{}</summary>{}</details>\n", summary, content);
}

Html html_list(const std::vector<Html>& items) {
  Html list;
  for (const Html& item : items) list += markup("<li>{}</li>\n", item);
  return markup("<ul>\n{}</ul>\n", list);
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

LogScale::LogScale(const std::vector<double>& values, double begin, double end) : begin_(begin), end_(end) {
  bool any = false;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    low_ = any ? std::min(low_, value) : value;
    high_ = any ? std::max(high_, value) : value;
    any = true;
  }
  const double room = std::max(std::pow(high_ / low_, 0.05), 1.1);
  // A log may hold any number. An infinite bound would have ticks without end, and their ratio must be
  // finite.
  low_ = std::clamp(low_ / room, 1e-150, 1e149);
  high_ = std::clamp(high_ * room, 1.1 * low_, 1e150);
}

double LogScale::at(double value) const {
  const double share = std::log(std::clamp(value, low_, high_) / low_) / std::log(high_ / low_);
  return begin_ + share * (end_ - begin_);
}

std::vector<double> LogScale::ticks() const {
  const double decades = std::log10(high_ / low_);
  if (decades < 0.3) {
    const double rough = (high_ - low_) / 5;
    const double decade_step = std::pow(10, std::floor(std::log10(rough)));
    const double step = decade_step * (rough > 5 * decade_step ? 10 : rough > 2 * decade_step ? 5 : 2);
    std::vector<double> even;
    for (double tick = std::ceil(low_ / step); tick * step <= high_; ++tick) even.push_back(tick * step);
    return even;
  }
  std::vector<double> steps = {1};
  if (decades < 5) steps = {1, 2, 5};
  if (decades < 0.8) steps = {1, 1.2, 1.5, 2, 3, 4, 5, 7};
  const double stride = decades > 9 ? 3 : 1;
  std::vector<double> ticks;
  for (double decade = std::floor(std::log10(low_)); decade <= std::log10(high_); decade += stride) {
    for (const double step : steps) {
      const double value = step * std::pow(10, decade);
      if (value >= low_ && value <= high_) ticks.push_back(value);
    }
  }
  return ticks;
}

std::string pixel(double value) {
  const std::string text = fmt::format("{:.1f}", value);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string tick_text(double value) {
  if (value >= 1e6 || value < 1e-4) return fmt::format("{:.0e}", value);
  return fmt::format("{:.6g}", value);
}

Html marker(std::size_t series, double x, double y, bool hollow) {
  const std::string kind = fmt::format("{}s{}", hollow ? "o " : "", series % 8);
  const auto at = [&](double dx, double dy) { return pixel(x + dx) + " " + pixel(y + dy); };
  switch (series % 4) {
    case 0:
      return markup("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>", kind, pixel(x), pixel(y));
    case 1:
      return markup("<path class=\"{}\" d=\"M{}h7v7h-7z\"/>", kind, at(-3.5, -3.5));
    case 2:
      return markup("<path class=\"{}\" d=\"M{}l4.6 4.6l-4.6 4.6l-4.6-4.6z\"/>", kind, at(0, -4.6));
    default:
      return markup("<path class=\"{}\" d=\"M{}l4.6 8h-9.2z\"/>", kind, at(0, -4.8));
  }
}

Html point_link(std::size_t row, std::string_view title, const Html& shape) {
  return markup("<a class=\"pt\" href=\"#r{}\"><title>{}</title>{}</a>", row, title, shape);
}

Html to_html(const Figure& figure) {
  return markup(
      "<figure><figcaption>{}</figcaption><div class=\"wide\"><svg class=\"fig\" viewBox=\"0 0 {} {}\" "
      "width=\"{}\" height=\"{}\" role=\"group\" aria-label=\"{}\">{}</svg></div></figure>\n",
      figure.title, pixel(figure.width), pixel(figure.height), pixel(figure.width), pixel(figure.height),
      figure.description, figure.content);
}

Html x_axis(const LogScale& scale, double top, double bottom, std::string_view name, bool one_is_baseline) {
  Html lines;
  double middle = 0;
  double free_from = -1e9;
  for (const double tick : scale.ticks()) {
    const double x = scale.at(tick);
    middle = x;
    lines += markup("<path class=\"{}\" d=\"M{} {}V{}\"/>",
                    one_is_baseline && std::abs(tick - 1) < 1e-9 ? "one" : "grid", pixel(x), pixel(top),
                    pixel(bottom));
    if (x < free_from) continue;
    free_from = x + 34;
    lines += markup("<text class=\"t m\" x=\"{}\" y=\"{}\">{}</text>", pixel(x), pixel(bottom + 13),
                    tick_text(tick));
  }
  if (!name.empty()) {
    lines +=
        markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{}</text>", pixel(middle), pixel(bottom + 28), name);
  }
  return lines;
}

Html y_axis(const LogScale& scale, double left, double right, std::string_view name) {
  Html lines;
  double highest = 1e9;
  double free_from = 1e9;
  for (const double tick : scale.ticks()) {
    const double y = scale.at(tick);
    highest = std::min(highest, y);
    lines += markup("<path class=\"grid\" d=\"M{} {}H{}\"/>", pixel(left), pixel(y), pixel(right));
    if (y > free_from) continue;
    free_from = y - 14;
    lines += markup("<text class=\"t e\" x=\"{}\" y=\"{}\">{}</text>", pixel(left - 5), pixel(y + 4),
                    tick_text(tick));
  }
  if (!name.empty()) lines += markup("<text class=\"t\" x=\"2\" y=\"11\">{}</text>", name);
  return lines;
}

}  // namespace dwarfsweep
