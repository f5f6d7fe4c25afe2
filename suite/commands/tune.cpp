// `tune --replay`: recorded spaces, searched again.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "harness/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/search/carve_report.hpp"
#include "suite/search/read_space.hpp"
#include "suite/search/replay.hpp"
#include "suite/search/space_report.hpp"
#include "suite/search/strategy.hpp"

namespace dwarfsweep {
namespace {

std::vector<RecordedSpace> read_all_spaces(const std::vector<std::string>& paths) {
  std::vector<RecordedSpace> spaces;
  for (const std::string& path : paths) {
    const std::vector<RecordedTable> tables = read_spaces(path);
    if (tables.empty())
      throw UsageError(fmt::format("'{}' has no dwarf and problem of which two points were measured", path));
    for (const RecordedTable& table : tables) spaces.emplace_back(table);
  }
  return spaces;
}

// What is known of the spaces, and with `carve` its comparison with random search, then the closing table.
std::string to_text(const std::vector<RecordedSpace>& spaces, const ReplayRequest& request,
                    const std::vector<ReplayResult>& results) {
  std::vector<SpaceReport> reports;
  std::vector<CarveReport> carvings;
  const bool carves =
      std::find(request.strategies.begin(), request.strategies.end(), "carve") != request.strategies.end();
  for (const RecordedSpace& space : spaces) {
    reports.push_back(report_space(space));
    if (carves) carvings.push_back(report_carving(space, request.seed));
  }
  return to_text(reports) + "\n" + (carves ? to_text(carvings) + "\n" : "") + to_text(results);
}

}  // namespace

int command_tune(const Options& options) {
  if (options.replay.empty())
    throw UsageError("'tune' needs recorded spaces: --replay RUN|FILE; usage: dwarfsweep tune --replay FILE");
  if (options.format != "text" && options.format != "csv")
    throw UsageError(fmt::format("--format is '{}', but tune prints text or csv", options.format));
  for (const std::string& strategy : options.strategies) require_strategy(strategy);
  const ReplayRequest request{options.strategies, options.evaluations, options.repeats, options.seed,
                              std::max(1U, std::thread::hardware_concurrency())};
  const std::vector<RecordedSpace> spaces = read_all_spaces(options.replay);
  const std::vector<ReplayResult> results = replay(spaces, request);
  fmt::print("{}", options.format == "csv" ? to_csv(results) : to_text(spaces, request, results));
  return 0;
}

}  // namespace dwarfsweep
