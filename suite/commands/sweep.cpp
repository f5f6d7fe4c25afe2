#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iostream>

#include "harness/error.hpp"
#include "harness/hash.hpp"
#include "harness/kernel_source.hpp"
#include "revision.hpp"
#include "suite/commands/commands.hpp"
#include "suite/output/exports.hpp"
#include "suite/output/published.hpp"
#include "suite/output/results.hpp"
#include "suite/output/tables.hpp"
#include "suite/plan/best.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/sweep/sweep.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

fs::path new_folder(const Options& options, const std::string& run_id) {
  const fs::path folder = options.out.empty() ? fs::path("results") / "runs" / run_id : fs::path(options.out);
  std::error_code error;
  if (fs::exists(folder / log_name, error)) {
    throw UsageError(fmt::format(
        "'{}' holds a run already; go on with it by --resume, or choose another --out", folder.string()));
  }
  if (fs::exists(folder, error) && (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))) {
    throw UsageError(
        fmt::format("'{}' is there and is not a folder of a run; choose another --out", folder.string()));
  }
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0) {
    throw UsageError(fmt::format("cannot write into the folder '{}': {}", folder.string(),
                                 error ? error.message() : std::strerror(errno)));
  }
  return folder;
}

// What the git revision does not tell of edited kernels.
std::string revision_of(const std::string& kernels) {
  std::string revision = DWARFSWEEP_REVISION;
  if (kernels.empty() && revision.find("dirty") == std::string::npos) return revision;
  std::uint64_t hash = fnv1a_of_nothing;
  for (const KernelSource& source : embedded_kernels()) hash = fnv1a(kernel_text(source.name, kernels), hash);
  return fmt::format("{}, kernels {:016x}", revision, hash);
}

RunRecord new_run(const Options& options, const Inventory& inventory) {
  RunRecord run;
  run.host = host_info();
  if (!options.host.empty()) run.host.name = options.host;
  run.run_id = new_run_id(run.host);
  run.timestamp = utc_now();
  run.version = DWARFSWEEP_VERSION;
  run.revision = revision_of(options.kernels);
  run.arguments = options.arguments;
  run.notes = inventory.notes;
  run.environment = steering_environment();
  return run;
}

// The options of the interrupted run; of the new command line only what may change underway.
Options resumed(const Options& given, const RunLog& log) {
  if (log.run.arguments.empty())
    throw UsageError(fmt::format("'{}' holds no run to go on with", given.resume));
  Options options = parse_options(log.run.arguments);
  options.budget = given.budget;
  options.point_timeout = given.point_timeout;
  options.resume = given.resume;
  return options;
}

int status_of(const RunLog& log) {
  for (const auto& [key, point] : log.points) {
    if (is_failure(point.preparation.status)) return 1;
  }
  return 0;
}

}  // namespace

int command_sweep(const Options& given) {
  RunLog log;
  if (!given.resume.empty()) log = read_log(given.resume);
  const Options options = given.resume.empty() ? given : resumed(given, log);
  catch_interrupts();
  const Inventory inventory = ask_inventory();
  std::vector<SweepGroup> groups = plan_sweep(options, inventory);
  if (log.run.run_id.empty()) log.run = new_run(options, inventory);
  const fs::path folder = given.resume.empty() ? new_folder(options, log.run.run_id) : fs::path(given.resume);

  const auto begin = std::chrono::steady_clock::now();
  Sweep sweep(options, folder, std::move(log));
  sweep.run(groups);
  write_results(folder, sweep.log());
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  if (sweep.was_interrupted()) {
    fmt::print(stderr, "dwarfsweep: interrupted after {}; go on with: dwarfsweep sweep --resume {}\n",
               human_duration(took), folder.string());
    return 130;
  }
  print_tables(std::cout, {folder}, {TableFormat::text, find_published()});
  fmt::print(stderr, "{} points in {}; everything is in {}\n", sweep.log().points.size(),
             human_duration(took), folder.string());
  return status_of(sweep.log());
}

int command_table(const Options& options) {
  if (options.runs.empty())
    throw UsageError("'table' needs the folder of a run; usage: dwarfsweep table RUN...");
  const std::vector<fs::path> runs(options.runs.begin(), options.runs.end());
  if (is_export_format(options.format)) {
    print_export(std::cout, options.format, runs);
  } else if (options.format == "best") {
    std::vector<MeasurementRow> rows;
    for (const fs::path& run : runs) {
      for (MeasurementRow& row : read_run_measurements(run)) rows.push_back(std::move(row));
    }
    std::cout << to_csv(find_best(rows));
  } else {
    print_tables(std::cout, runs, {parse_table_format(options.format), find_published()});
  }
  return 0;
}

std::string version_text() {
  return fmt::format("dwarfsweep {}, revision {}", DWARFSWEEP_VERSION, revision_of({}));
}

}  // namespace dwarfsweep
