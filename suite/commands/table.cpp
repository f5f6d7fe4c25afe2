// `table`: the tables and exports of finished runs.
#include <filesystem>
#include <iostream>
#include <vector>

#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/exports/exports.hpp"
#include "suite/output/tables.hpp"
#include "suite/plan/own_best.hpp"
#include "suite/published/published.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/search/space_csv.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

int command_table(const Options& options) {
  if (options.runs.empty())
    throw UsageError("'table' needs the folder of a run; usage: dwarfsweep table RUN...");
  const std::vector<fs::path> runs(options.runs.begin(), options.runs.end());
  if (is_export_format(options.format)) {
    write_export({std::cout, std::cerr, options.out}, options.format, runs);
    return 0;
  }
  if (!options.out.empty()) throw UsageError("--out is for --format p3 and kernel-tuner");
  if (options.format == "space") {
    if (runs.size() != 1) throw UsageError("--format space is for one run");
    std::cout << space_csv(read_log(runs.front()), runs.front().string());
  } else if (options.format == "best") {
    std::vector<MeasurementRow> rows;
    std::vector<DeviceInfo> devices;
    for (const fs::path& run : runs) {
      for (MeasurementRow& row : read_run_measurements(run)) rows.push_back(std::move(row));
      for (DeviceInfo& device : read_run_devices(run)) devices.push_back(std::move(device));
    }
    std::vector<BestPoint> points = find_best(rows);
    set_figures(points, devices);
    std::cout << to_csv(points);
  } else {
    print_tables(std::cout, runs, {parse_table_format(options.format), find_published()});
  }
  return 0;
}

}  // namespace dwarfsweep
