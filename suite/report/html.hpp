// HTML in which foreign text cannot become markup.
//
// Names of devices, reasons, logs and files are untrusted. Markup comes only from literals, through
// `markup`, which escapes every argument that is not markup itself.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "suite/record/json_fwd.hpp"

namespace dwarfsweep {

/// For text and for attributes in double quotes. Control characters become U+FFFD.
std::string escaped_html(std::string_view text);

class Html;
template <typename T>
auto html_argument(const T& value);

class Html {
 public:
  Html() = default;
  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  Html& operator+=(const Html& more) {
    text_ += more.text_;
    return *this;
  }
  friend Html operator+(Html left, const Html& right) { return left += right; }

 private:
  explicit Html(std::string text) : text_(std::move(text)) {}
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
  return Html(fmt::format(format, html_argument(values)...));
}

/// A table with a caption; `header` and cells are markup. The first column names the row. `numbers`: the
/// first column of figures, aligned to the right from there on.
struct HtmlTable {
  Html caption = {};
  std::vector<Html> header = {};
  std::vector<std::vector<Html>> rows = {};
  std::size_t numbers = 1;
};
Html to_html(const HtmlTable& table);

/// A section with its heading; `id` names it in links.
Html html_section(std::string_view id, std::string_view title, const Html& content);
Html html_list(const std::vector<Html>& items);

/// For a block of data within HTML: nothing in it can end the block.
std::string json_for_html(const Json& json);

/// "sha256-..." of a Content-Security-Policy, from the hexadecimal digits of the hash.
std::string policy_hash(std::string_view hex);

}  // namespace dwarfsweep
