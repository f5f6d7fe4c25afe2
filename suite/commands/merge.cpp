// `merge`: one run of many.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/merge/merge.hpp"
#include "suite/output/fleet.hpp"
#include "suite/output/fleet_deviations.hpp"
#include "suite/output/summary.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

namespace {

constexpr std::size_t max_lines = 20;

void say_deviations(const Fleet& fleet) {
  const std::vector<std::string> lines = find_deviations(fleet);
  fmt::print("{} of {} nodes deviate from their kind{}\n", lines.size(), fleet.nodes().size(),
             lines.empty() ? "" : ":");
  for (std::size_t i = 0; i < std::min(lines.size(), max_lines); ++i) fmt::print("- {}\n", lines[i]);
  if (lines.size() > max_lines) fmt::print("- ... and {} more, in tables.md\n", lines.size() - max_lines);
}

}  // namespace

int command_merge(const Options& options) {
  if (options.runs.empty() || options.out.empty())
    throw UsageError("'merge' needs runs and a folder; usage: dwarfsweep merge RUN... --out DIR");
  const MergeReport report = merge_runs({options.runs.begin(), options.runs.end()}, options.out);
  if (const auto fleet = read_fleet({options.out})) {
    fmt::print("{}", make_summary(fleet->rows(), options.out));
    say_deviations(*fleet);
  } else {
    fmt::print("{}", make_summary(read_run_measurements(options.out), options.out));
  }
  for (const std::string& line : report.lines()) fmt::print("{}\n", line);
  return 0;
}

}  // namespace dwarfsweep
