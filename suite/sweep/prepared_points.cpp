#include "suite/sweep/prepared_points.hpp"

#include <algorithm>

namespace dwarfsweep {
namespace {

// Buffers of prepared points stay on the device between blocks, up to this share of its memory; on a device
// that shares the host's memory that is also where the inputs and references are.
std::uint64_t kept_bytes_limit(const DeviceInfo& device) {
  return device.capabilities.global_bytes /
         (device.capabilities.unified_memory || device.type == "cpu" ? 8 : 2);
}

}  // namespace

void PreparedPoints::use(std::unique_ptr<Session> session, const MeasureOptions& options) {
  session_ = std::move(session);
  options_ = options;
}

const Loaded& PreparedPoints::data(const PointRequest& request) {
  if (data_key_ == request.data_key()) return data_;
  drop();
  const Dwarf& dwarf = find_dwarf(request.dwarf);
  if (request.files.empty()) {
    data_ = {request.problem, dwarf.generate(request.problem, request.seed)};
  } else {
    data_ = dwarf.load(request.problem.values, request.files);
  }
  data_key_ = request.data_key();
  return data_;
}

MeasuredPoint& PreparedPoints::get(const PointRequest& request) {
  const Loaded& loaded = data(request);
  if (const auto found = locate(request); found != points_.end()) {
    points_.splice(points_.begin(), points_, found);
    return *found->point;
  }
  const Dwarf& dwarf = find_dwarf(request.dwarf);
  auto point = request.host_threads > 0
                   ? std::make_unique<MeasuredPoint>(dwarf, loaded, request.host_threads, options_)
                   : std::make_unique<MeasuredPoint>(*session_, dwarf, loaded, request.config, options_);
  points_.push_front({request.key(), std::move(point)});
  if (session_) make_room();
  return *points_.front().point;
}

MeasuredPoint* PreparedPoints::find(const PointRequest& request) {
  const auto found = locate(request);
  return found == points_.end() ? nullptr : found->point.get();
}

std::list<PreparedPoints::Prepared>::iterator PreparedPoints::locate(const PointRequest& request) {
  return std::find_if(points_.begin(), points_.end(),
                      [&](const Prepared& each) { return each.key == request.key(); });
}

void PreparedPoints::drop() {
  points_.clear();
  data_ = {};
  data_key_.clear();
}

// The two points in front may be a pair and stay.
void PreparedPoints::make_room() {
  const std::uint64_t limit = kept_bytes_limit(session_->device());
  std::uint64_t bytes = 0;
  for (const Prepared& each : points_) bytes += each.point->device_bytes();
  while (bytes > limit && points_.size() > 2) {
    const Prepared& last = points_.back();
    bytes -= last.point->device_bytes();
    try {
      last.point->verify_again();
    } catch (const PointFailure& failure) {
      late_.push_back({{"key", last.key}, {"reason", failure.what()}});
    }
    points_.pop_back();
  }
}

}  // namespace dwarfsweep
