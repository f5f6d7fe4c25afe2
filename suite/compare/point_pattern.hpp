// A regular expression of points' names: ECMAScript, searched anywhere in the name.
#pragma once

#include <fmt/format.h>

#include <regex>
#include <string>

#include "harness/space/error.hpp"

namespace dwarfsweep {

class PointPattern {
 public:
  /// Throws UsageError.
  explicit PointPattern(const std::string& text) {
    try {
      pattern_.assign(text, std::regex::ECMAScript | std::regex::optimize);
    } catch (const std::regex_error&) {
      throw UsageError(fmt::format("'{}' is no regular expression (ECMAScript)", text));
    }
  }
  [[nodiscard]] bool matches(const std::string& name) const { return std::regex_search(name, pattern_); }

 private:
  std::regex pattern_;
};

}  // namespace dwarfsweep
