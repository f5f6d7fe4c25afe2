// `compare`: two runs, point by point.
#include <fmt/format.h>

#include "harness/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/output/compare.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {

// 0: nothing is slower and nothing fails that did not; 1: something is or does.
int command_compare(const Options& options) {
  if (options.runs.size() != 2) {
    throw UsageError(
        fmt::format("'compare' needs two folders of runs, old and new; {} given", options.runs.size()));
  }
  const RunData before = read_run(options.runs[0]);
  const RunData after = read_run(options.runs[1]);
  const Comparison comparison = compare_runs(before, after);
  fmt::print("{}", options.json ? to_json_report(comparison).dump(2) + "\n" : to_text(comparison));
  return comparison.is_worse() ? 1 : 0;
}

}  // namespace dwarfsweep
