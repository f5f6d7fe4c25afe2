// `tune`: a search for the best point on devices, or, with --replay, in recorded spaces.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "harness/space/error.hpp"
#include "suite/commands/command_line.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/documents.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/output/summary.hpp"
#include "suite/plan/best.hpp"
#include "suite/record/duration.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/report/report.hpp"
#include "suite/search/recorded_space.hpp"
#include "suite/search/replay.hpp"
#include "suite/search/space_report.hpp"
#include "suite/search/strategy.hpp"
#include "suite/sweep/resume.hpp"
#include "suite/sweep/sweep_plan.hpp"
#include "suite/tune/carving.hpp"
#include "suite/tune/tuning.hpp"
#include "suite/worker/host_limits.hpp"

namespace dwarfsweep {
namespace {

std::vector<RecordedSpace> read_all_spaces(const std::vector<std::string>& paths) {
  std::vector<RecordedSpace> spaces;
  for (const std::string& path : paths) {
    const std::vector<RecordedTable> tables = read_spaces(path);
    if (tables.empty())
      throw UsageError(fmt::format("'{}' has no dwarf and problem with two measured points", path));
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

int replay_spaces(const CommandLine& line, const Options& options) {
  for (const char* name : {"dwarf", "device", "out", "resume", "shard"}) {
    if (line.has(name))
      throw UsageError(
          "--replay uses no device: it cannot be combined with --dwarf, --device, --out, --resume or "
          "--shard");
  }
  if (options.objective != "time")
    throw UsageError(
        fmt::format("recorded spaces have times alone: --objective {} cannot be combined with --replay",
                    options.objective));
  const auto repeats = static_cast<std::size_t>(line.integer("repeats", 100, 1, 1'000'000));
  const ReplayRequest request{options.strategies, options.evaluations, repeats, options.seed,
                              std::max(1U, std::thread::hardware_concurrency())};
  const std::vector<RecordedSpace> spaces = read_all_spaces(line.list("replay"));
  const std::vector<ReplayResult> results = replay(spaces, request);
  fmt::print("{}", line.text("format") == "csv" ? to_csv(results) : to_text(spaces, request, results));
  return 0;
}

void require_one_search(const CommandLine& line, const Options& options) {
  if (options.dwarfs.empty()) {
    throw UsageError(
        "'tune' needs a dwarf to search, as --dwarf lud or --dwarf all, or recorded spaces: --replay "
        "RUN|FILE");
  }
  if (options.strategies.size() > 1)
    throw UsageError("a search on a device has one --strategy; several are compared by --replay");
  if (options.strategies.front() == "carve") require_counter();
  if (options.evaluations_given && options.evaluations.size() > 1)
    throw UsageError("a search on a device has one number of --evaluations; several are for --replay");
  if (options.shard.count > 1 && options.strategies.front() != "exhaustive" &&
      options.strategies.front() != "random") {
    throw UsageError(fmt::format(
        "--shard deals out what --strategy exhaustive or random measures; {} follows what it has found, and "
        "needs the whole space",
        options.strategies.front()));
  }
  if (options.objective != "time" && options.cache == CacheState::cold)
    throw UsageError(
        "energy is that of many runs back to back, which leave the caches hot: --objective energy and both "
        "cannot be combined with --cache cold");
  const bool endless = line.has("budget") && options.budget.count() == 0 && !options.evaluations_given;
  if (endless && options.strategies.front() != "exhaustive")
    throw UsageError("--budget 0 is no limit: --evaluations N must be one, or --strategy exhaustive");
}

// Of all searches together.
Options with_budget(const CommandLine& line, Options options, std::size_t searches) {
  if (!line.has("budget")) options.budget *= static_cast<long long>(std::max<std::size_t>(1, searches));
  return options;
}

// What a sweep would measure, to choose sizes by.
Options with_plan(Options options, const char* plan) {
  options.plan = plan;
  return options;
}

int tune_devices(const CommandLine& given) {
  const std::string resumed = given.text("resume");
  RunLog log = log_to_resume(given);
  const CommandLine line = resumed.empty() ? given : resumed_line(given, log);
  const Options asked = measuring_options(line);
  require_one_search(line, asked);
  for (const std::string& strategy : asked.strategies) require_strategy(strategy);
  if (!resumed.empty()) bind_to_cpus(line.text("cpus"));
  catch_interrupts();
  const Inventory inventory = ask_inventory();
  if (asked.objective != "time") require_meters(chosen_devices(asked, inventory), asked.objective);
  const std::vector<SweepGroup> any_size = plan_sweep(with_plan(asked, "one-at-a-time"), inventory);
  const Options options = with_plan(
      with_budget(line, asked, length_of(plan_stages(devices_of(any_size), usable_cores()))), "baseline");
  (void)make_search_groups(plan_sweep(options, inventory), options);  // reports wrong axes at once
  RunRecord here = new_run(line, inventory);
  here.host.cpus = read_cpu_state();
  here.host.cpus.busy_cpus = measure_busy_cpus();
  here.builders = builders_by_device(any_size, options);
  if (resumed.empty()) {
    log.run = here;
  } else {
    require_same(log, here, chosen_devices(options, inventory), resumed);
  }
  const std::filesystem::path folder =
      resumed.empty() ? new_folder(line.text("out"), log.run) : std::filesystem::path(resumed);
  const std::string warning = load_warning(here.host.cpus);
  warn(warning);

  const auto begin = std::chrono::steady_clock::now();
  Tuning tuning(options, folder, std::move(log));
  if (takes_auto_size(options)) tuning.choose_sizes(any_size);
  std::vector<SearchGroup> searches =
      make_search_groups(plan_sweep(options, inventory, tuning.log().sizes), options);
  tuning.run(searches, !resumed.empty() && (given.has("budget") || given.has("evaluations")));
  const std::vector<MeasurementRow> rows = write_results(folder, tuning.log());
  write_report(folder / "report.html", make_report_data(folder, tuning.log()));
  // Best points are kept by time.
  if (options.objective == "time")
    keep_best_points(remeasured_best(rows, chosen_devices(options, inventory)));
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  if (tuning.was_interrupted()) {
    print_stderr("dwarfsweep: interrupted after {}; continue with: dwarfsweep tune --resume {}\n",
                 human_duration(took), folder.string());
    return 130;
  }
  fmt::print("{}", search_summary(tuning.log(), folder.string()));
  print_stderr("{} points in {}\n", tuning.log().points.size(), human_duration(took));
  warn(warning);  // the first one has scrolled away
  return status_of(tuning.log());
}

}  // namespace

int command_tune(const CommandLine& line) {
  const Options options = measuring_options(line);
  for (const std::string& strategy : options.strategies) require_strategy(strategy);
  if (line.has("replay")) return replay_spaces(line, options);
  if (!line.has("resume")) require_one_search(line, options);
  return tune_devices(line);
}

}  // namespace dwarfsweep
