// `sweep`: the points of a plan on every chosen device.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "harness/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/version.hpp"
#include "suite/output/results.hpp"
#include "suite/output/summary.hpp"
#include "suite/plan/duration.hpp"
#include "suite/plan/own_best.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/sweep/cpu_binding.hpp"
#include "suite/sweep/resume.hpp"
#include "suite/sweep/shard_points.hpp"
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
        "'{}' holds a run already; continue it with --resume, or choose another --out", folder.string()));
  }
  if (fs::exists(folder, error) && (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))) {
    throw UsageError(
        fmt::format("'{}' exists and is not a folder of a run; choose another --out", folder.string()));
  }
  fs::create_directories(folder, error);
  if (error || ::access(folder.c_str(), W_OK) != 0) {
    throw UsageError(fmt::format("cannot write into the folder '{}': {}", folder.string(),
                                 error ? error.message() : std::strerror(errno)));
  }
  return folder;
}

RunRecord new_run(const Options& options, const Inventory& inventory) {
  RunRecord run;
  run.host = host_info();
  if (!options.host.empty()) run.host.name = options.host;
  run.run_id = new_run_id(run.host);
  run.timestamp = utc_now();
  run.version = program_version();
  run.revision = program_revision(options.kernels);
  run.kernels = kernels_hash(options.kernels);
  run.arguments = options.arguments;
  run.shard = to_text(options.shard);
  // Shards may begin on one host in the same second.
  if (!run.shard.empty()) run.run_id += fmt::format("-{}of{}", options.shard.index, options.shard.count);
  run.notes = inventory.notes;
  run.environment = steering_environment();
  return run;
}

void warn(const std::string& warning) {
  if (!warning.empty()) fmt::print(stderr, "dwarfsweep: warning: {}\n", warning);
}

int status_of(const RunLog& log) {
  for (const RunLog* part : parts_of(log)) {
    for (const auto& [key, point] : part->points) {
      if (is_failure(point.preparation.status)) return 1;
    }
  }
  return 0;
}

// What was re-measured and verified, with the figures of its device.
std::vector<BestPoint> remeasured_best(const std::vector<MeasurementRow>& rows,
                                       const std::vector<SweepGroup>& groups) {
  std::vector<MeasurementRow> remeasured;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(remeasured),
               [](const MeasurementRow& row) { return row.stop_reason == confirmed && row.cache == "hot"; });
  std::vector<BestPoint> points;
  for (BestPoint& point : find_best(remeasured)) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const SweepGroup& each) {
      return each.device.id == point.device_id && each.device.driver == point.driver;
    });
    if (group == groups.end() || group->device.checks_bounds) continue;
    set_figures(point, group->device);
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace

int command_sweep(const Options& given) {
  RunLog log;
  if (!given.resume.empty()) log = read_log(given.resume);
  const Options options = given.resume.empty() ? given : resumed_options(given, log);
  if (!given.resume.empty()) bind_to_cpus(options.cpus);
  catch_interrupts();
  const Inventory inventory = ask_inventory();
  std::vector<SweepGroup> groups = plan_sweep(options, inventory, {}, log.known_points);
  keep_shard(groups, options.shard);
  CpuState cpus = read_cpu_state();
  cpus.busy_cpus = measure_busy_cpus();
  RunRecord here = new_run(options, inventory);
  here.host.cpus = cpus;
  here.builders = builders_by_device(groups, options);
  if (given.resume.empty()) {
    log.run = here;
  } else if (!given.new_part) {
    require_same(log, here, chosen_devices(options, inventory), given.resume);
  }
  const fs::path folder = given.resume.empty() ? new_folder(options, log.run.run_id) : fs::path(given.resume);

  const std::string warning = load_warning(cpus);
  warn(warning);
  const auto begin = std::chrono::steady_clock::now();
  Sweep sweep(options, folder, std::move(log));
  if (given.new_part) sweep.begin_part(here);
  if (takes_auto_size(options)) {
    sweep.choose_sizes(groups);
    groups = plan_sweep(options, inventory, sweep.log().sizes, sweep.log().known_points);
    keep_shard(groups, options.shard);
  }
  sweep.run(groups);
  write_results(folder, sweep.log());
  const std::vector<MeasurementRow> rows = read_run_measurements(folder);
  keep_best_points(remeasured_best(rows, groups));
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  if (sweep.was_interrupted()) {
    fmt::print(stderr, "dwarfsweep: interrupted after {}; go on with: dwarfsweep sweep --resume {}\n",
               human_duration(took), folder.string());
    return 130;
  }
  fmt::print("{}", make_summary(rows, folder.string()));
  fmt::print(stderr, "{} points in {}\n", sweep.log().points.size(), human_duration(took));
  warn(warning);  // the first one has scrolled away
  return status_of(sweep.log());
}

}  // namespace dwarfsweep
