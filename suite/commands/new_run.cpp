#include "suite/commands/new_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "harness/space/error.hpp"
#include "suite/commands/version.hpp"
#include "suite/engine/variant_failures.hpp"
#include "suite/plan/nearest_best.hpp"
#include "suite/plan/own_best.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

fs::path new_folder(const Options& options, const std::string& run_id) {
  const fs::path folder = options.out.empty() ? fs::path("results") / "runs" / run_id : fs::path(options.out);
  std::error_code error;
  // In this order, as another process may begin a run there meanwhile.
  if (fs::exists(folder, error) && (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))) {
    throw UsageError(
        fs::exists(folder / log_name, error)
            ? fmt::format("'{}' holds a run already; continue it with --resume, or choose another --out",
                          folder.string())
            : fmt::format("'{}' exists and is not a folder of a run; choose another --out", folder.string()));
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

std::vector<BestPoint> remeasured_best(const std::vector<MeasurementRow>& rows,
                                       const std::vector<DeviceInfo>& devices) {
  std::vector<MeasurementRow> remeasured;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(remeasured),
               [](const MeasurementRow& row) { return row.stop_reason == confirmed && row.cache == "hot"; });
  std::vector<BestPoint> points;
  for (BestPoint& point : find_best(remeasured)) {
    const auto device = std::find_if(devices.begin(), devices.end(), [&](const DeviceInfo& each) {
      return each.id == point.device_id && each.driver == point.driver;
    });
    if (device == devices.end() || device->checks_bounds) continue;
    set_figures(point, *device);
    point.compared = was_compared(rows, point, *device) ? 1 : 0;
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace dwarfsweep
