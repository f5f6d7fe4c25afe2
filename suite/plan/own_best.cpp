#include "suite/plan/own_best.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "suite/record/draft_file.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

void warn_about(const fs::path& path, const std::string& what) {
  fmt::print(stderr, "dwarfsweep: warning: {}: {}\n", path.string(), what);
}

// One writer at a time, also on files that are replaced: the lock is on a file beside it. A killed writer's
// lock ends with its process.
class WriteLock {
 public:
  explicit WriteLock(const fs::path& path)
      : file_(::open((path.string() + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw std::runtime_error(std::strerror(errno));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      if (std::chrono::steady_clock::now() > deadline) {
        ::close(file_);
        throw std::runtime_error("another process keeps it locked");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  ~WriteLock() { ::close(file_); }
  WriteLock(const WriteLock&) = delete;
  WriteLock& operator=(const WriteLock&) = delete;

 private:
  int file_;
};

std::vector<BestPoint> read_points(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::ostringstream text;
  text << file.rdbuf();
  return parse_best(path.string(), text.str());
}

bool same_place(const BestPoint& left, const BestPoint& right) {
  return left.device_id == right.device_id && left.driver == right.driver && left.dwarf == right.dwarf &&
         left.problem == right.problem;
}

bool replaces(const BestPoint& point, const BestPoint& known) {
  if (point.timer != known.timer || point.config == known.config || !known.median_ns) return true;
  return point.median_ns && *point.median_ns < *known.median_ns;
}

void add(std::vector<BestPoint>& all, const BestPoint& point) {
  const auto known =
      std::find_if(all.begin(), all.end(), [&](const BestPoint& other) { return same_place(point, other); });
  if (known == all.end()) {
    all.push_back(point);
  } else if (replaces(point, *known)) {
    *known = point;
  }
}

}  // namespace

void set_figures(BestPoint& point, const DeviceInfo& device) {
  if (device.capabilities.compute_units > 0) point.compute_units = device.capabilities.compute_units;
  const std::uint32_t float_lanes = device.capabilities.float_lanes;
  if (float_lanes > 0) point.float_lanes = float_lanes;
}

void set_figures(std::vector<BestPoint>& points, const std::vector<DeviceInfo>& devices) {
  for (BestPoint& point : points) {
    const auto device = std::find_if(devices.begin(), devices.end(),
                                     [&](const DeviceInfo& each) { return each.id == point.device_id; });
    if (device != devices.end()) set_figures(point, *device);
  }
}

BestPoint make_best_point(const DeviceInfo& device, const std::string& dwarf, const Problem& problem,
                          const Config& config) {
  BestPoint point;
  point.device = device.name;
  point.device_type = device.type;
  point.platform = device.platform;
  point.dwarf = dwarf;
  point.size = problem.size;
  point.problem = problem.values.to_string();
  point.config = config.to_string();
  set_figures(point, device);
  point.device_id = device.id;
  point.driver = device.driver;
  return point;
}

std::vector<BestPoint> read_own_best(const fs::path& path) {
  try {
    return read_points(path);
  } catch (const std::exception& error) {
    warn_about(path, fmt::format("the best points of this machine are not used: {}", error.what()));
    return {};
  }
}

void keep_best_points(const std::vector<BestPoint>& points, const fs::path& path) {
  if (points.empty()) return;
  try {
    fs::create_directories(path.parent_path());
    const WriteLock lock(path);
    std::vector<BestPoint> all = read_points(path);
    for (const BestPoint& point : points) add(all, point);
    DraftFile draft(path);
    draft.write(to_csv(all));
    draft.finish();
  } catch (const std::exception& error) {
    warn_about(path, fmt::format("the best points found are not kept: {}", error.what()));
  }
}

}  // namespace dwarfsweep
