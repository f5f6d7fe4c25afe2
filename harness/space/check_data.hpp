// What the checks over all dwarfs have to know of one: test problems, odd settings, what must be refused.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/space/value.hpp"

namespace dwarfsweep {

/// What the property tests (tests/property) need to draw random problems, in addition to the ranges of the
/// problem's keys. They limit the product of all integer keys, which they take for the problem's size.
struct RandomProblems {
  /// Integer keys that are not sizes, and sizes with more work than their number of elements suggests. Each
  /// is drawn up to the value given here; the limited product is that of the other keys.
  ValueMap maxima = {};
  /// Makes values legal that were drawn independently of each other, and does not change legal ones. Empty if
  /// all are legal.
  std::function<ValueMap(const ValueMap&)> fit = {};
};

/// Printed by `list --json` as `checks`.
struct CheckData {
  std::vector<ValueMap> odd_problems;          ///< small and odd; every variant solves each of them
  std::vector<ValueMap> refused_problems;      ///< beyond any machine: refused in a sentence with numbers
  std::vector<ValueMap> large_problems;        ///< about a gigabyte: refused if the host has less memory
  std::vector<ValueMap> single_item_settings;  ///< legal if a work-group has at most one work-item
  std::vector<ValueMap> small_local_settings;  ///< legal if a work-group has 8 KiB of local memory
  std::vector<std::string> results;            ///< arrays of `--dump` that are results; all others are inputs
  /// Those of the results that are integers and still depend on rounding, or on the setting; not printed.
  std::vector<std::string> varying_results = {};
  RandomProblems random_problems = {};  ///< not printed

  [[nodiscard]] bool is_result(std::string_view array) const {
    return std::ranges::find(results, array) != results.end();
  }
  /// Whether two correct runs may have different values of an array, whose elements are of this NumPy type.
  [[nodiscard]] bool may_differ(std::string_view array, std::string_view type) const {
    return is_result(array) &&
           (type == "float32" || std::ranges::find(varying_results, array) != varying_results.end());
  }
};

}  // namespace dwarfsweep
