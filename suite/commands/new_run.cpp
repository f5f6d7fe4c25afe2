#include "suite/commands/new_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "dwarfs/registry.hpp"
#include "harness/program/kernel_source.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "revision.hpp"
#include "suite/engine/point_outcomes.hpp"
#include "suite/plan/nearest_best.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/json.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/standard_error.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

namespace {

// The git revision; with a hash of the kernels if they are edited: those of the folder `kernels`, or those of
// a working tree that differed from its revision.
std::string program_revision(const std::string& kernels, const std::string& hash) {
  const std::string revision = DWARFSWEEP_REVISION;
  const bool edited = !kernels.empty() || revision.find("dirty") != std::string::npos;
  return edited ? fmt::format("{}, kernels {}", revision, hash) : revision;
}

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& reason) {
  throw UsageError(fmt::format("cannot write into the folder '{}': {}", folder.string(), reason));
}

// The first of results/runs/ID, ID-2, ID-3, ... that is free: another run may begin in the same second.
fs::path make_default_folder(const std::string& run_id) {
  const fs::path parent = fs::path("results") / "runs";
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) refuse_folder(parent, error.message());
  for (int number = 1;; ++number) {
    const fs::path folder = parent / (number == 1 ? run_id : fmt::format("{}-{}", run_id, number));
    if (fs::create_directory(folder, error)) return folder;
    if (error && !fs::exists(folder)) refuse_folder(folder, error.message());
  }
}

}  // namespace

std::string kernels_hash(const std::string& kernels) {
  std::uint64_t hash = fnv1a_of_nothing;
  for (const KernelSource& source : program_kernels()) hash = fnv1a(kernel_text(source.name, kernels), hash);
  return fmt::format("{:016x}", hash);
}

std::string version_text() {
  return fmt::format("dwarfsweep {}, revision {}", DWARFSWEEP_VERSION,
                     program_revision({}, kernels_hash({})));
}

fs::path new_folder(const fs::path& given, RunRecord& run) {
  if (given.empty()) {
    const fs::path folder = make_default_folder(run.run_id);
    run.run_id = folder.filename().string();
    return folder;
  }
  const fs::path& folder = given;
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
  if (error) refuse_folder(folder, error.message());
  if (::access(folder.c_str(), W_OK) != 0) refuse_folder(folder, std::strerror(errno));
  return folder;
}

RunRecord new_run(const CommandLine& line, const Inventory& inventory) {
  const Options options = measuring_options(line);
  RunRecord run;
  run.host = host_info();
  if (line.has("host")) run.host.name = as_utf8(line.text("host"));
  run.run_id = new_run_id(run.host);
  run.timestamp = utc_now();
  run.version = DWARFSWEEP_VERSION;
  run.kernels = kernels_hash(options.kernels);
  run.revision = program_revision(options.kernels, run.kernels);
  run.arguments = line.arguments;
  // Shards may begin on one host in the same second.
  if (const Shard& shard = options.shard; shard.count > 0) {
    run.shard = fmt::format("{}/{}", shard.index, shard.count);
    run.run_id += fmt::format("-{}of{}", shard.index, shard.count);
  }
  run.notes = inventory.notes;
  run.environment = steering_environment();
  return run;
}

void warn(const std::string& warning) {
  if (!warning.empty()) print_stderr("dwarfsweep: warning: {}\n", warning);
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
