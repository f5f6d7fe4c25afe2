// The one tokenizer of all text formats: tokens between separators, read as integers and numbers.
//
// It walks over bytes already in memory and keeps no line count: lines are counted when an error needs one,
// so that a file of 100 MB costs what its numbers cost.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

class TokenReader {
 public:
  /// `bytes` must outlive the reader. `name` is the file's, for messages. Blanks and line ends separate;
  /// nothing is a comment until comments_start_with().
  TokenReader(std::string_view bytes, std::string name);

  /// From here on each of these characters begins a comment that runs to the end of its line, also within a
  /// token.
  void comments_start_with(std::string_view characters);
  void also_separates(char character);

  /// Moves to the next token; false at the end of the file.
  bool next();
  /// Moves to the next token of the current line; false at the end of the line.
  bool next_in_line();
  /// Moves behind the end of the current line, whatever is left of it.
  void skip_line();
  /// The token last moved to; empty after the end was met.
  std::string_view text() const { return token_; }
  /// The position of the next byte after the token, for formats that continue in binary.
  std::size_t position() const { return position_; }
  bool token_begins_line() const;

  /// The current token as an integer within [low, high]. `expected` names the value in the error.
  std::int64_t as_integer(std::string_view expected, std::int64_t low, std::int64_t high) const;
  /// The current token as a finite float.
  float as_number(std::string_view expected) const;
  /// The same in double precision; the token may also be infinite or NaN.
  double as_double(std::string_view expected) const;
  /// The same for the next token, on whatever line it is.
  std::int64_t integer(std::string_view expected, std::int64_t low, std::int64_t high);
  float number(std::string_view expected);

  /// Throws unless `items` of `tokens_each` tokens can follow; each token takes at least a separator and a
  /// character. Call it before reserving memory for a count that a header states.
  void require_room(std::int64_t items, std::int64_t tokens_each, std::string_view what) const;
  /// Throws unless only separators and comments are left. `what` was read in full.
  void expect_end(std::string_view what);

  /// InputError at the current token: "expected <expected>, found '<token>'", or that the file or line ended.
  [[noreturn]] void fail_expecting(std::string_view expected) const;
  /// InputError at the current token with the caller's message.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  enum class Kind : std::uint8_t { token, blank, line_end, comment };

  Kind kind_at(std::size_t position) const { return kinds_[static_cast<std::uint8_t>(bytes_[position])]; }
  void skip_separators(bool across_lines);
  bool take_token();

  std::string_view bytes_;
  std::string name_;
  std::array<Kind, 256> kinds_{};
  std::size_t position_ = 0;
  std::size_t token_start_ = 0;
  std::string_view token_;
};

/// An excerpt in quotes of text with unknown content, shortened and with unprintable bytes as \xNN, fit for
/// one line of a message.
std::string excerpt(std::string_view text);

struct MarketHeader {
  std::string layout;    // "array" or "coordinate"; all in lower case
  std::string field;     // "pattern", "real", "integer", ...
  std::string symmetry;  // "general", "symmetric", ...

  /// The file omits the elements above the diagonal; they follow from those below it.
  [[nodiscard]] bool mirrors() const { return symmetry != "general"; }
  [[nodiscard]] bool is_skew() const { return symmetry == "skew-symmetric"; }
};

/// What a reader takes.
struct MarketKinds {
  std::vector<std::string_view> layouts, fields, symmetries;
};

/// Whether the file says it is Matrix Market: by its banner, or by the suffix .mtx (then it must have a
/// banner).
bool is_matrix_market(std::string_view bytes, std::string_view name);

/// Reads "%%MatrixMarket matrix <layout> <field> <symmetry>" at the start of the file and sets the reader up
/// to skip the comments that follow; next is the line of sizes.
MarketHeader read_market_header(TokenReader& tokens, const MarketKinds& kinds);

}  // namespace dwarfsweep
