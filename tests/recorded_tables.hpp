// Small recorded spaces of a known shape.
#pragma once

#include <cmath>

#include "suite/search/recorded_space.hpp"

namespace dwarfsweep::test {

/// 6 x 6 x 6 x 2 x 3 points; those of more than 10 in all are illegal and one in seven fails: a
/// valley with its bottom in a corner of what is legal, and a ridge between the two methods.
inline RecordedTable valley() {
  RecordedTable table{"valley", {"a", "b", "c", "method", "cache"}, {}};
  int count = 0;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) {
      for (int c = 0; c < 6; ++c) {
        for (int method = 0; method < 2; ++method) {
          for (const char* cache : {"none", "first", "second"}) {
            if (a + b + c > 10) continue;
            const int factor = method == 0 ? 3 - std::abs(a - b) : 1 + std::abs(5 - a) + std::abs(3 - b);
            const double time = 10 + 4 * std::abs(factor) + 3 * std::abs(2 - c) + (cache[0] == 'f' ? 0 : 2);
            const bool failed = ++count % 7 == 0 && time > 14;
            table.rows.push_back({{a, b, c, method, cache}, failed ? std::nullopt : std::optional(time)});
            table.rows.back().facts.ir_instructions = 1000 * (1 + a + b) + c;
          }
        }
      }
    }
  }
  return table;
}

}  // namespace dwarfsweep::test
