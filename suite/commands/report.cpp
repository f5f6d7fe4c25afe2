// `report`: one HTML file about finished runs.
#include "suite/report/report.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"

namespace dwarfsweep {

int command_report(const Options& options) {
  if (options.runs.empty())
    throw UsageError("'report' needs the folder of a run; usage: dwarfsweep report RUN... [--out FILE]");
  ReportRequest request;
  request.runs.assign(options.runs.begin(), options.runs.end());
  request.against = options.against;
  request.all_samples = options.all_samples;
  const std::string file = options.out.empty() ? "report.html" : options.out;
  write_report(file, request);
  fmt::print("{}\n", file);
  return 0;
}

}  // namespace dwarfsweep
