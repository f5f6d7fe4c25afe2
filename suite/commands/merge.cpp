// `merge`: one run of many.
#include <fmt/format.h>

#include <filesystem>

#include "harness/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/merge/merge.hpp"
#include "suite/output/summary.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

int command_merge(const Options& options) {
  if (options.runs.empty() || options.out.empty())
    throw UsageError("'merge' needs runs and a folder; usage: dwarfsweep merge RUN... --out DIR");
  const MergeReport report = merge_runs({options.runs.begin(), options.runs.end()}, options.out);
  fmt::print("{}", make_summary(read_run_measurements(options.out), options.out));
  for (const std::string& line : report.lines()) fmt::print("{}\n", line);
  return 0;
}

}  // namespace dwarfsweep
