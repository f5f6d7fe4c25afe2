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
#include "suite/report/payoff.hpp"
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

std::vector<fs::path> folders_of(const CommandLine& line) {
  const std::vector<std::string> runs = line.operands();
  if (runs.empty())
    throw UsageError(
        fmt::format("'{0}' needs the folder of a run; usage: dwarfsweep {0} RUN...", line.command));
  return {runs.begin(), runs.end()};
}

// For example /dev/stdout.
bool is_standard_output(const fs::path& file) {
  struct stat here {
  }, there{};
  return ::fstat(STDOUT_FILENO, &here) == 0 && ::stat(file.c_str(), &there) == 0 &&
         here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

}  // namespace

int command_table(const CommandLine& line) {
  const std::vector<fs::path> runs = folders_of(line);
  const std::string format = line.has("format") ? line.text("format") : "text";
  if (is_export_format(format)) {
    write_export({std::cout, std::cerr, line.text("out")}, format, runs);
    return 0;
  }
  if (line.has("out")) throw UsageError("--out is for --format p3 and kernel-tuner");
  if (format == "space") {
    if (runs.size() != 1) throw UsageError("--format space is for one run");
    std::cout << space_csv(read_log(runs.front()), runs.front().string());
  } else if (format == "best") {
    std::vector<MeasurementRow> rows;
    std::vector<DeviceInfo> devices;
    for (const fs::path& run : runs) {
      for (MeasurementRow& row : read_run_measurements(run)) rows.push_back(std::move(row));
      for (DeviceInfo& device : read_run_devices(run)) devices.push_back(std::move(device));
    }
    std::vector<BestPoint> points = find_best(rows);
    set_figures(points, devices);
    std::cout << to_csv(points);
  } else if (format == "claims") {
    std::cout << claims_csv(read_report_data(runs));
  } else {
    print_tables(std::cout, runs, with_published(parse_table_format(format)));
  }
  return 0;
}

int command_report(const CommandLine& line) {
  ReportRequest request;
  request.runs = folders_of(line);
  request.against = line.text("against");
  request.all_samples = line.has("samples");
  request.labels = line.repeated("label");
  if (request.labels.size() > request.runs.size())
    throw UsageError(fmt::format("{} names by --label, but only {} runs; give at most one name for each run",
                                 request.labels.size(), request.runs.size()));
  const std::string file = line.has("out") ? line.text("out") : "report.html";
  write_report(file, request);
  if (!is_standard_output(file)) fmt::print("{}\n", file);
  return 0;
}

int command_merge(const CommandLine& line) {
  const std::string folder = line.text("out");
  if (line.operands().empty() || folder.empty())
    throw UsageError("'merge' needs runs and a folder; usage: dwarfsweep merge RUN... --out DIR");
  catch_interrupts();
  const MergeReport report = merge_runs(folders_of(line), folder);
  if (const auto fleet = read_fleet({folder})) {
    fmt::print("{}", make_summary(fleet->rows(), folder));
    say_deviations(*fleet);
  } else {
    fmt::print("{}", make_summary(read_run_measurements(folder), folder));
  }
  for (const std::string& each : report.lines()) fmt::print("{}\n", each);
  return 0;
}

}  // namespace dwarfsweep
