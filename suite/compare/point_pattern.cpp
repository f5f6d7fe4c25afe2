// Regular expressions without backtracking: a program of steps; all steps that a name allows are followed
// at once (K. Thompson, "Regular expression search algorithm", Communications of the ACM 11, 1968). A match
// takes at most the name's length times the number of steps.
#include <fmt/format.h>

#include <bitset>
#include <cctype>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/compare/rule.hpp"

namespace dwarfsweep {

struct PatternStep {
  enum class Kind { byte, fork, name_begins, name_ends, word_edge, no_word_edge };
  Kind kind = Kind::fork;
  std::ptrdiff_t next = 1, other = 1;  // of a fork: relative to this step, so that pieces can be joined
  std::bitset<256> bytes = {};
};

namespace {

constexpr std::size_t max_pattern = 1000;
constexpr std::size_t max_steps = 2000;
constexpr int max_depth = 100;

using Bytes = std::bitset<256>;

using Step = PatternStep;
using Steps = std::vector<Step>;

template <typename Test>
Bytes bytes_where(Test&& test) {
  Bytes bytes;
  for (int c = 0; c < 256; ++c) bytes[static_cast<std::size_t>(c)] = test(c);
  return bytes;
}
bool is_word(int c) {
  return c < 128 && (std::isalnum(c) != 0 || c == '_');
}
bool is_digit(int c) {
  return c >= '0' && c <= '9';
}
bool is_blank(int c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

class PatternParser {
 public:
  explicit PatternParser(std::string_view text) : text_(text) {}

  Steps parse() {
    if (text_.size() > max_pattern)
      throw UsageError(fmt::format("the regular expression '{}...' has {} characters; at most {} are allowed",
                                   text_.substr(0, 20), text_.size(), max_pattern));
    Steps steps = alternatives(0);
    if (at_ < text_.size()) fail("a ')' has no '('");
    return steps;
  }

 private:
  [[noreturn]] void fail(const char* why) const {
    throw UsageError(fmt::format("'{}' is no regular expression (ECMAScript): {}", text_, why));
  }
  [[nodiscard]] bool sees(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool takes(char c) {
    if (!sees(c)) return false;
    ++at_;
    return true;
  }
  char take(const char* missing) {
    if (at_ == text_.size()) fail(missing);
    return text_[at_++];
  }

  Steps joined(Steps first, const Steps& second) const {
    if (first.size() + second.size() > max_steps) fail("it is too large; use smaller counts");
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
  static Step fork(std::size_t next, std::size_t other) {
    return {Step::Kind::fork, static_cast<std::ptrdiff_t>(next), static_cast<std::ptrdiff_t>(other)};
  }
  Steps maybe(const Steps& piece) const { return joined({fork(1, piece.size() + 1)}, piece); }
  Steps any_number(const Steps& piece) const {
    Steps loop = joined({fork(1, piece.size() + 2)}, piece);
    Step back;
    back.next = back.other = -static_cast<std::ptrdiff_t>(loop.size());
    return joined(std::move(loop), {back});
  }

  Steps alternatives(int depth) {
    if (depth > max_depth) fail("its groups are nested too deeply");
    Steps steps = sequence(depth);
    while (takes('|')) {
      const Steps right = sequence(depth);
      Steps left = joined({fork(1, steps.size() + 2)}, steps);
      left.push_back(fork(right.size() + 1, right.size() + 1));
      steps = joined(std::move(left), right);
    }
    return steps;
  }

  Steps sequence(int depth) {
    Steps steps;
    while (at_ < text_.size() && !sees('|') && !sees(')')) steps = joined(std::move(steps), repeated(depth));
    return steps;
  }

  Steps repeated(int depth) {
    const bool is_anchor = sees('^') || sees('$');
    const Steps piece = atom(depth);
    Steps steps = piece;
    if (takes('*')) {
      steps = any_number(piece);
    } else if (takes('+')) {
      steps = joined(piece, any_number(piece));
    } else if (takes('?')) {
      steps = maybe(piece);
    } else if (takes('{')) {
      steps = counted(piece);
    } else {
      return steps;
    }
    if (is_anchor) fail("there is nothing to repeat");
    takes('?');  // as few as possible: the same for what has a match and what has none
    return steps;
  }

  Steps counted(const Steps& piece) {
    const std::size_t least = number();
    const bool is_range = takes(',');
    const bool has_most = !is_range || !sees('}');
    const std::size_t most = is_range && has_most ? number() : least;
    if (!takes('}') || most < least) fail("a count must be {n}, {n,} or {n,m}");
    Steps steps = has_most ? Steps() : any_number(piece);
    for (std::size_t i = least; i < most; ++i) steps = maybe(joined(piece, steps));
    for (std::size_t i = 0; i < least; ++i) steps = joined(piece, steps);
    return steps;
  }

  std::size_t number() {
    std::size_t value = 0;
    if (at_ == text_.size() || !is_digit(text_[at_])) fail("a count must be {n}, {n,} or {n,m}");
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      value = 10 * value + static_cast<std::size_t>(text_[at_] - '0');
      if (value > max_pattern) fail("a count is too large");
    }
    return value;
  }

  Steps atom(int depth) {
    const char c = take("it ends early");
    switch (c) {
      case '(': {
        if (takes('?') && !takes(':')) fail("of groups that begin with (? there is (?:...) alone");
        Steps group = alternatives(depth + 1);
        if (!takes(')')) fail("a '(' has no ')'");
        return group;
      }
      case '[':
        return one_of(bracket());
      case '^':
        return {{Step::Kind::name_begins}};
      case '$':
        return {{Step::Kind::name_ends}};
      case '.':
        return one_of(bytes_where([](int byte) { return byte != '\n' && byte != '\r'; }));
      case '\\':
        if (takes('b')) return {{Step::Kind::word_edge}};
        if (takes('B')) return {{Step::Kind::no_word_edge}};
        return one_of(escaped_bytes());
      case '*':
      case '+':
      case '?':
      case '{':
        fail("there is nothing to repeat");
      default:
        return one_of(only(c));
    }
  }

  static Steps one_of(const Bytes& bytes) { return {{Step::Kind::byte, 1, 1, bytes}}; }
  static Bytes only(char c) { return Bytes().set(static_cast<unsigned char>(c)); }

  // What follows a backslash.
  Bytes escaped_bytes() {
    const char c = take("it ends with a backslash");
    static const std::string_view controls = "tnvfr";  // as they follow each other in ASCII
    if (const std::size_t control = controls.find(c); control != std::string_view::npos)
      return only(static_cast<char>('\t' + static_cast<int>(control)));
    switch (c) {
      case 'd':
        return bytes_where(is_digit);
      case 'D':
        return ~bytes_where(is_digit);
      case 'w':
        return bytes_where(is_word);
      case 'W':
        return ~bytes_where(is_word);
      case 's':
        return bytes_where(is_blank);
      case 'S':
        return ~bytes_where(is_blank);
      default:
        if (is_word(static_cast<unsigned char>(c)))
          fail("of letters and digits only d, w, s, b, D, W, S, B, t, n, v, f and r may follow a backslash");
        return only(c);
    }
  }

  Bytes bracket() {
    constexpr const char* open = "a '[' has no ']'";
    const bool others = takes('^');
    Bytes bytes;
    while (!takes(']')) {
      const char c = take(open);
      if (c == '[' && (sees(':') || sees('.') || sees('=')))
        fail("[:...:] is not known here; use \\d, \\w or \\s");
      const Bytes low = c == '\\' ? escaped_bytes() : only(c);
      const bool is_range = sees('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (!is_range) {
        bytes |= low;
        continue;
      }
      ++at_;
      const char last = take(open);
      const Bytes high = last == '\\' ? escaped_bytes() : only(last);
      if (low.count() != 1 || high.count() != 1 || high._Find_first() < low._Find_first())
        fail("a range in [] must go from one character to a later one");
      for (std::size_t byte = low._Find_first(); byte <= high._Find_first(); ++byte) bytes.set(byte);
    }
    return others ? ~bytes : bytes;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

PointPattern::PointPattern(const std::string& text)
    : steps_(std::make_shared<const Steps>(PatternParser(text).parse())) {}

bool PointPattern::matches(std::string_view name) const {
  const Steps& steps = *steps_;
  std::vector<std::size_t> now, next, open;
  std::vector<std::size_t> seen_at(steps.size() + 1, name.size() + 1);
  for (std::size_t at = 0; at <= name.size(); ++at) {
    const auto word_at = [&](std::size_t i) {
      return i < name.size() && is_word(static_cast<unsigned char>(name[i]));
    };
    const bool edge = (at > 0 && word_at(at - 1)) != word_at(at);
    open.swap(next);
    open.push_back(0);  // a match may begin anywhere
    next.clear();
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      if (i == steps.size()) return true;
      if (std::exchange(seen_at[i], at) == at) continue;
      const Step& step = steps[i];
      switch (step.kind) {
        case Step::Kind::byte:
          if (at < name.size() && step.bytes[static_cast<unsigned char>(name[at])]) next.push_back(i + 1);
          break;
        case Step::Kind::fork:
          open.push_back(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + step.next));
          open.push_back(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + step.other));
          break;
        case Step::Kind::name_begins:
          if (at == 0) open.push_back(i + 1);
          break;
        case Step::Kind::name_ends:
          if (at == name.size()) open.push_back(i + 1);
          break;
        case Step::Kind::word_edge:
          if (edge) open.push_back(i + 1);
          break;
        case Step::Kind::no_word_edge:
          if (!edge) open.push_back(i + 1);
          break;
      }
    }
  }
  return false;
}

}  // namespace dwarfsweep
