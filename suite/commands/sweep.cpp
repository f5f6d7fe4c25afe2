// `sweep`: the points of a plan on every chosen device.
#include <fmt/format.h>

#include "suite/commands/command_line.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/documents.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/output/summary.hpp"
#include "suite/plan/best.hpp"
#include "suite/record/duration.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/report/report.hpp"
#include "suite/sweep/resume.hpp"
#include "suite/sweep/sweep.hpp"
#include "suite/sweep/sweep_plan.hpp"
#include "suite/worker/host_limits.hpp"

namespace dwarfsweep {

int command_sweep(const CommandLine& given) {
  const std::string resumed = given.text("resume");
  RunLog log = log_to_resume(given);
  const CommandLine line = resumed.empty() ? given : resumed_line(given, log);
  const Options options = measuring_options(line);
  if (!resumed.empty()) bind_to_cpus(line.text("cpus"));
  catch_interrupts();
  const Inventory inventory = ask_inventory();
  std::vector<SweepGroup> groups = plan_sweep(options, inventory, {}, log.known_points);
  keep_shard(groups, options.shard);
  CpuState cpus = read_cpu_state();
  cpus.busy_cpus = measure_busy_cpus();
  RunRecord here = new_run(line, inventory);
  here.host.cpus = cpus;
  here.builders = builders_by_device(groups, options);
  if (resumed.empty()) {
    log.run = here;
  } else if (!line.has("new-part")) {
    require_same(log, here, chosen_devices(options, inventory), resumed);
  }
  const std::filesystem::path folder =
      resumed.empty() ? new_folder(line.text("out"), log.run) : std::filesystem::path(resumed);

  const std::string warning = load_warning(cpus);
  warn(warning);
  const auto begin = std::chrono::steady_clock::now();
  Sweep sweep(options, folder, std::move(log));
  if (line.has("new-part")) sweep.begin_part(here);
  if (takes_auto_size(options)) {
    sweep.choose_sizes(groups);
    groups = plan_sweep(options, inventory, sweep.log().sizes, sweep.log().known_points);
    keep_shard(groups, options.shard);
  }
  sweep.run(groups);
  const std::vector<MeasurementRow> rows = write_results(folder, sweep.log());
  write_report(folder / "report.html", make_report_data(folder, sweep.log()));
  keep_best_points(remeasured_best(rows, chosen_devices(options, inventory)));
  const auto took =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  if (sweep.was_interrupted()) {
    print_stderr("dwarfsweep: interrupted after {}; continue with: dwarfsweep sweep --resume {}\n",
                 human_duration(took), folder.string());
    return 130;
  }
  fmt::print("{}", make_summary(rows, folder.string()));
  print_stderr("{} points in {}\n", sweep.log().points.size(), human_duration(took));
  warn(warning);  // the first one has scrolled away
  return status_of(sweep.log());
}

}  // namespace dwarfsweep
