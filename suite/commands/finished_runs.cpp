// `table`, `report` and `merge`: what is made of finished runs.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/exports/exports.hpp"
#include "suite/merge/merge.hpp"
#include "suite/output/fleet.hpp"
#include "suite/output/summary.hpp"
#include "suite/output/tables.hpp"
#include "suite/plan/best.hpp"
#include "suite/published/published.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/report/report.hpp"
#include "suite/search/recorded_space.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_deviations = 20;

void say_deviations(const Fleet& fleet) {
  const std::vector<std::string> lines = find_deviations(fleet);
  fmt::print("{} of {} nodes deviate from their kind{}\n", lines.size(), fleet.nodes().size(),
             lines.empty() ? "" : ":");
  for (std::size_t i = 0; i < std::min(lines.size(), max_deviations); ++i) fmt::print("- {}\n", lines[i]);
  if (lines.size() > max_deviations)
    fmt::print("- ... and {} more, in tables.md\n", lines.size() - max_deviations);
}

// For example /dev/stdout.
bool is_standard_output(const fs::path& file) {
  struct stat here {
  }, there{};
  return ::fstat(STDOUT_FILENO, &here) == 0 && ::stat(file.c_str(), &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

}  // namespace

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
    print_tables(std::cout, runs, with_published(parse_table_format(options.format)));
  }
  return 0;
}

int command_report(const Options& options) {
  if (options.runs.empty())
    throw UsageError("'report' needs the folder of a run; usage: dwarfsweep report RUN... [--out FILE]");
  ReportRequest request;
  request.runs.assign(options.runs.begin(), options.runs.end());
  request.against = options.against;
  request.all_samples = options.all_samples;
  request.labels = options.labels;
  if (options.labels.size() > options.runs.size())
    throw UsageError(fmt::format("{} names by --label, but only {} runs; give at most one name for each run",
                                 options.labels.size(), options.runs.size()));
  const std::string file = options.out.empty() ? "report.html" : options.out;
  write_report(file, request);
  if (!is_standard_output(file)) fmt::print("{}\n", file);
  return 0;
}

int command_merge(const Options& options) {
  if (options.runs.empty() || options.out.empty())
    throw UsageError("'merge' needs runs and a folder; usage: dwarfsweep merge RUN... --out DIR");
  catch_interrupts();
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
