// `run`: one point, looked at closely.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/point_findings.hpp"
#include "suite/engine/known_candidates.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/sweep/size_choices.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {
namespace {

void create_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("cannot create the folder '{}': {}", folder.string(), error.message()));
}

int run_point(const CommandLine& line, const Options& options, SweepGroup& group) {
  const std::string dump = line.text("dump");
  const auto planned = [&]() -> SweepPoint& {
    return group.known ? group.points[group.known_point] : group.points.back();
  };
  if (planned().rejected) {
    print_stderr("dwarfsweep: not applicable on {}: {}\n", group.device.name, *planned().rejected);
    if (group.known) print_stderr("the best known point: {}\n", group.known->origin);
    return 1;
  }
  if (!dump.empty()) create_folder(dump);
  DeviceClient client(group.device, {options.kernels, options.cache, ""});
  const auto fail = [&](Status status, const std::string& reason) {
    print_stderr("dwarfsweep: {} on {}: {}\n", to_string(status), group.device.name, reason);
    return 1;
  };
  try {
    const TimerReport timer = client.timer();
    choose_fastest_candidate(options, client, group);
    SweepPoint& point = planned();
    const PointFindings findings = options.against.empty() ? measure_point(options, client, group, point)
                                                           : measure_against(options, client, group, point);
    const Preparation& preparation = findings.preparation;
    if (preparation.status != Status::ok)
      return fail(preparation.status, findings.at_fault + preparation.reason);
    if (line.has("json")) {
      print_findings_as_json(group, point, findings);
    } else {
      print_findings(group, point, findings, timer);
    }
    if (!dump.empty()) {
      (void)client.ask(DumpPoint{point.request, dump}, options.point_timeout);
      print_stderr("inputs and result: {}\n", dump);
    }
    return 0;
  } catch (const PointFailure& failure) {
    return fail(failure.status(), failure.what());
  } catch (const WorkerCrash& crash) {
    return fail(Status::crashed, crash.what());
  } catch (const WorkerTimeout& timeout) {
    return fail(Status::timed_out, timeout.what());
  }
}

}  // namespace

int command_run(const CommandLine& line) {
  const Options options = measuring_options(line);
  if (options.dwarfs.size() != 1) throw UsageError("'run' needs one dwarf: --dwarf D");
  if (!options.against.empty() && !std::filesystem::is_directory(options.against)) {
    throw UsageError(
        fmt::format("--against takes a folder of edited .cl files, as --kernels does; '{}' is not a folder",
                    options.against));
  }
  if (options.plan != "baseline" && options.plan != "best") {
    throw UsageError(fmt::format("'run' takes --plan best or baseline, not '{}'", options.plan));
  }
  catch_interrupts();
  Inventory inventory = ask_inventory();
  if (options.devices.empty() && inventory.devices.size() > 1) {
    print_stderr("running on {}; --device chooses another\n", describe(inventory.devices.front()));
    inventory.devices.resize(1);
  }
  std::vector<SweepGroup> groups =
      plan_sweep(options, inventory, known_choices(options, chosen_devices(options, inventory)));
  if (groups.size() > 1 && line.has("dump")) {
    throw UsageError(fmt::format(
        "--dump is for one point, and these are {}; choose one by --device and --size", groups.size()));
  }
  int status = 0;
  for (SweepGroup& group : groups) status = std::max(status, run_point(line, options, group));
  return status;
}

}  // namespace dwarfsweep
