#include "harness/formats/token_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

/// std::from_chars takes no plus sign, but writers of numbers put one there.
std::string_view without_plus(std::string_view text) {
  const bool plus_and_digits = text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+';
  return plus_and_digits ? text.substr(1) : text;
}

/// True where all of `text` is a number of type T within T's range.
template <typename T>
bool parse(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end && !text.empty();
}

}  // namespace

TokenReader::TokenReader(std::string_view bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {
  for (const char blank : {' ', '\t', '\r', '\v', '\f'}) also_separates(blank);
  kinds_['\n'] = Kind::line_end;
}

void TokenReader::comments_start_with(std::string_view characters) {
  for (const char character : characters) kinds_[static_cast<std::uint8_t>(character)] = Kind::comment;
}

void TokenReader::also_separates(char character) {
  kinds_[static_cast<std::uint8_t>(character)] = Kind::blank;
}

void TokenReader::skip_separators(bool across_lines) {
  while (position_ < bytes_.size()) {
    switch (kind_at(position_)) {
      case Kind::token:
        return;
      case Kind::line_end:
        if (!across_lines) return;
        ++position_;
        break;
      case Kind::blank:
        ++position_;
        break;
      case Kind::comment:
        // A lone carriage return ends a comment too: PGM says so.
        position_ = std::min(bytes_.find_first_of("\r\n", position_), bytes_.size());
        break;
    }
  }
}

bool TokenReader::take_token() {
  token_start_ = position_;
  while (position_ < bytes_.size() && kind_at(position_) == Kind::token) ++position_;
  token_ = bytes_.substr(token_start_, position_ - token_start_);
  return !token_.empty();
}

bool TokenReader::next() {
  skip_separators(true);
  return take_token();
}

bool TokenReader::next_in_line() {
  skip_separators(false);
  return take_token();
}

void TokenReader::skip_line() {
  position_ = std::min(bytes_.find('\n', position_), bytes_.size() - 1) + 1;
}

bool TokenReader::token_begins_line() const {
  return token_start_ == 0 || bytes_[token_start_ - 1] == '\n';
}

std::int64_t TokenReader::as_integer(std::string_view expected, std::int64_t low, std::int64_t high) const {
  std::int64_t value = 0;
  if (!parse(without_plus(token_), value) || value < low || value > high) {
    fail_expecting(fmt::format("{}, an integer from {} to {}", expected, low, high));
  }
  return value;
}

float TokenReader::as_number(std::string_view expected) const {
  float value = 0;
  if (parse(without_plus(token_), value) && std::isfinite(value)) return value;
  // A number too small for a float is reported just like one too large; only the latter is an error.
  double wide = 0;
  if (parse(without_plus(token_), wide) && std::abs(wide) < 1) return static_cast<float>(wide);
  fail_expecting(fmt::format("{}, a finite number within the range of a float", expected));
}

double TokenReader::as_double(std::string_view expected) const {
  double value = 0;
  if (!parse(without_plus(token_), value)) fail_expecting(expected);
  return value;
}

std::int64_t TokenReader::integer(std::string_view expected, std::int64_t low, std::int64_t high) {
  next();
  return as_integer(expected, low, high);
}

float TokenReader::number(std::string_view expected) {
  next();
  return as_number(expected);
}

void TokenReader::require_room(std::int64_t items, std::int64_t tokens_each, std::string_view what) const {
  const auto remaining = static_cast<std::int64_t>(bytes_.size() - position_);
  if (items > remaining / 2 / tokens_each) {
    fail(fmt::format("{} {} announced, but only {} bytes follow", items, what, remaining));
  }
}

void TokenReader::expect_end(std::string_view what) {
  if (next()) fail_expecting(fmt::format("the end of the file after {}", what));
}

void TokenReader::fail_expecting(std::string_view expected) const {
  if (!token_.empty()) fail(fmt::format("expected {}, found {}", expected, excerpt(token_)));
  const char* what_ends = token_start_ >= bytes_.size() ? "file" : "line";
  fail(fmt::format("expected {}, but the {} ends here", expected, what_ends));
}

void TokenReader::fail(const std::string& message) const {
  const auto before = bytes_.substr(0, token_start_);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  throw InputError(name_, fmt::format("line {}", line), message);
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 32;
  std::string result = "'";
  for (const char character : text.substr(0, longest)) {
    const bool printable = character >= ' ' && character <= '~';
    result += printable ? std::string(1, character)
                        : fmt::format("\\x{:02x}", static_cast<std::uint8_t>(character));
  }
  return result + (text.size() > longest ? "...'" : "'");
}

namespace {

constexpr std::string_view banner = "%%MatrixMarket";

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& character : result) {
    if (character >= 'A' && character <= 'Z') character = static_cast<char>(character - 'A' + 'a');
  }
  return result;
}

/// The next word of the line, which must be one of `allowed` in any case.
std::string one_of(TokenReader& tokens, const std::vector<std::string_view>& allowed) {
  tokens.next_in_line();
  std::string word = lower_case(tokens.text());
  if (std::find(allowed.begin(), allowed.end(), word) == allowed.end()) {
    tokens.fail_expecting(fmt::format("'{}' in the Matrix Market banner", fmt::join(allowed, "' or '")));
  }
  return word;
}

}  // namespace

bool is_matrix_market(std::string_view bytes, std::string_view name) {
  return bytes.starts_with(banner) || lower_case(name).ends_with(".mtx");
}

MarketHeader read_market_header(TokenReader& tokens, const MarketKinds& kinds) {
  tokens.next_in_line();
  if (tokens.text() != banner) tokens.fail_expecting(fmt::format("'{}'", banner));
  one_of(tokens, {"matrix"});
  MarketHeader header;
  header.layout = one_of(tokens, kinds.layouts);
  header.field = one_of(tokens, kinds.fields);
  header.symmetry = one_of(tokens, kinds.symmetries);
  if (tokens.next_in_line()) tokens.fail_expecting("the end of the Matrix Market banner");
  tokens.comments_start_with("%");
  return header;
}

}  // namespace dwarfsweep
