// HTML in which foreign text cannot become markup, and figures as SVG.
//
// Names of devices, reasons, logs and files are untrusted. Markup comes only from literals, through
// `markup`, which escapes every argument that is not markup itself.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// For text and for attributes in double quotes. Control characters become U+FFFD.
std::string escaped_html(std::string_view text);

class Html;
template <typename T>
auto html_argument(const T& value);

class Html {
 public:
  Html() = default;
  /// Foreign text, escaped.
  Html(std::string_view text) : text_(escaped_html(text)) {}
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}
  Html(std::size_t number) : text_(std::to_string(number)) {}
  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  Html& operator+=(const Html& more) {
    text_ += more.text_;
    return *this;
  }
  friend Html operator+(Html left, const Html& right) { return left += right; }

 private:
  template <typename... T>
  friend Html markup(fmt::format_string<decltype(html_argument(std::declval<const T&>()))...> format,
                     const T&... values);
  std::string text_;
};

/// Numbers and markup as they are, everything else escaped.
template <typename T>
auto html_argument(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else if constexpr (std::is_same_v<T, Html>) {
    return std::string_view(value.str());
  } else {
    return escaped_html(std::string_view(value));
  }
}

/// The format is a literal and trusted; the values are not.
template <typename... T>
Html markup(fmt::format_string<decltype(html_argument(std::declval<const T&>()))...> format,
            const T&... values) {
  Html html;
  html.text_ = fmt::format(format, html_argument(values)...);
  return html;
}

/// A table, with a caption if it is not empty; `header` and cells are markup. The first column names the row.
/// `numbers`: the first column of figures, aligned to the right from there on.
struct HtmlTable {
  Html caption = {};
  std::vector<Html> header = {};
  std::vector<std::vector<Html>> rows = {};
  std::size_t numbers = 1;
};
Html to_html(const HtmlTable& table);

/// Scrolls by itself where the page is narrower.
Html html_wide(std::string_view label, const Html& content);
/// Folded under its summary.
Html html_details(const Html& summary, const Html& content);
Html html_list(const std::vector<Html>& items);

/// For a block of data within HTML: nothing in it can end the block.
std::string json_for_html(const Json& json);

/// "sha256-..." of a Content-Security-Policy, from the hexadecimal digits of the hash.
std::string policy_hash(std::string_view hex);

// Figures: scales, markers that differ by shape as well as by colour, and links to points.

/// Positions on a logarithmic axis from `low` to `high`, both widened to leave some room.
class LogScale {
 public:
  /// `begin` and `end` in pixels. Values that are not positive and finite are ignored.
  LogScale(const std::vector<double>& values, double begin, double end);
  [[nodiscard]] double at(double value) const;
  /// 1, 2, 5, 10 ... as many as have room.
  [[nodiscard]] std::vector<double> ticks() const;

 private:
  double low_ = 1, high_ = 10, begin_ = 0, end_ = 1;
};

/// A coordinate: at most one decimal.
std::string pixel(double value);

/// A marker of the series: circle, square, diamond, triangle ..., coloured by class `s0`, `s1` ...
Html marker(std::size_t series, double x, double y, bool hollow = false);

/// `shape` as a link to the row of a point: reached by the keyboard, explained by `title`.
Html point_link(std::size_t row, std::string_view title, const Html& shape);

struct Figure {
  std::string title = {};
  std::string description = {};  ///< for those who do not see it
  double width = 720, height = 200;
  Html content = {};
};
/// With its title as caption, scrollable where the page is narrower.
Html to_html(const Figure& figure);

/// Vertical lines at the ticks, that at 1 in bold where it is the baseline, with their numbers below at
/// `bottom`, and a name for the axis.
Html x_axis(const LogScale& scale, double top, double bottom, std::string_view name,
            bool one_is_baseline = true);
/// Horizontal ones, with their numbers to the left.
Html y_axis(const LogScale& scale, double left, double right, std::string_view name);

/// "0.01", "1", "5000": without superfluous zeros.
std::string tick_text(double value);

}  // namespace dwarfsweep
