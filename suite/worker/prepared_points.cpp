#include "suite/worker/prepared_points.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "harness/device/host.hpp"

namespace dwarfsweep {
namespace {

// Buffers of prepared points stay on the device between blocks, up to this share of its memory; on a device
// that shares the host's memory that is also where the inputs and references are.
std::uint64_t kept_bytes_limit(const DeviceInfo& device) {
  return device.capabilities.global_bytes /
         (device.capabilities.unified_memory || device.type == "cpu" ? 8 : 2);
}

}  // namespace

Loaded load_data(const PointRequest& request) {
  const Dwarf& dwarf = find_dwarf(request.dwarf);
  if (!request.files.empty()) return dwarf.load(request.problem.values, request.files);
  return {request.problem, dwarf.generate(request.problem, request.seed)};
}

void PreparedPoints::use(std::unique_ptr<Session> session, const MeasureOptions& options) {
  session_ = std::move(session);
  options_ = options;
}

const Loaded& PreparedPoints::data(const PointRequest& request) {
  if (data_key_ == request.data_key()) return data_;
  drop();
  const std::string key = request.data_key();
  const auto known = std::ranges::find(earlier_data_, key, &std::pair<std::string, Loaded>::first);
  if (known != earlier_data_.end()) {
    data_ = std::move(known->second);
    earlier_data_.erase(known);
  } else {
    try {
      data_ = load_data(request);
    } catch (const std::bad_alloc&) {
      if (earlier_data_.empty()) throw;
      earlier_data_.clear();
      data_ = load_data(request);
    }
  }
  data_key_ = key;
  return data_;
}

void PreparedPoints::build(const PointRequest& request) {
  (void)data(request);
  if (locate(request) != points_.end()) return;
  forget_last_run();
  built_.reset();
  built_ = {request.key(), in_freed_memory(&PreparedPoints::construct, request, nullptr)};
}

MeasuredPoint& PreparedPoints::get(const PointRequest& request, const MeasuredPoint* keep) {
  (void)data(request);
  if (const auto found = locate(request); found != points_.end()) {
    points_.splice(points_.begin(), points_, found);
    return *found->point;
  }
  forget_last_run();
  auto point = in_freed_memory(&PreparedPoints::prepare, request, keep);
  made_room_.erase(request.key());
  points_.push_front({request.key(), std::move(point)});
  if (session_) make_room(keep);
  return *points_.front().point;
}

Sample PreparedPoints::sample(MeasuredPoint& point) {
  const bool hot = ran_last(point);
  forget_last_run();
  Sample taken = point.take_sample(hot);
  last_run_ = &point;
  return taken;
}

Check PreparedPoints::verify(const PointRequest& request) {
  session_->use_kernels(request.kernels);
  return verify_twice(*session_, find_dwarf(request.dwarf), data(request), request.config);
}

void PreparedPoints::dump_programs_of(const PointRequest& request, DumpSink& sink) {
  session_->use_kernels(request.kernels);
  dump_programs(*session_, find_dwarf(request.dwarf), data(request), request.config, sink);
}

MeasuredPoint* PreparedPoints::find(const PointRequest& request) {
  const auto found = locate(request);
  return found == points_.end() ? nullptr : found->point.get();
}

LastOutput PreparedPoints::verify_last_output(const PointRequest& request) {
  if (MeasuredPoint* const point = find(request)) {
    point->verify_again();
    return LastOutput::verified;
  }
  return made_room_.contains(request.key()) ? LastOutput::verified : LastOutput::not_ready;
}

std::list<PreparedPoints::Prepared>::iterator PreparedPoints::locate(const PointRequest& request) {
  return std::ranges::find(points_, request.key(), &Prepared::key);
}

std::unique_ptr<MeasuredPoint> PreparedPoints::construct(const PointRequest& request) {
  const Dwarf& dwarf = find_dwarf(request.dwarf);
  if (request.host_threads > 0)
    return std::make_unique<MeasuredPoint>(dwarf, data_, request.host_threads, options_);
  session_->use_kernels(request.kernels);
  return std::make_unique<MeasuredPoint>(*session_, dwarf, data_, request.config, options_);
}

std::unique_ptr<MeasuredPoint> PreparedPoints::prepare(const PointRequest& request) {
  const bool is_built = built_ && built_->key == request.key();
  std::unique_ptr<MeasuredPoint> point = is_built ? std::move(built_->point) : nullptr;
  built_.reset();
  if (!point) point = construct(request);
  point->make_ready();
  return point;
}

std::unique_ptr<MeasuredPoint> PreparedPoints::in_freed_memory(Make make, const PointRequest& request,
                                                               const MeasuredPoint* keep) {
  try {
    return (this->*make)(request);
  } catch (const PointFailure& failure) {
    if (failure.status() != Status::out_of_memory || !evict_all_but(keep)) throw;
  } catch (const std::bad_alloc&) {
    if (!evict_all_but(keep)) throw;
  }
  return (this->*make)(request);
}

void PreparedPoints::drop() {
  forget_last_run();
  built_.reset();
  points_.clear();
  made_room_.clear();
  set_data_aside();
}

void PreparedPoints::set_data_aside() {
  if (!data_key_.empty()) earlier_data_.emplace_back(std::move(data_key_), std::move(data_));
  data_ = {};
  data_key_.clear();
  const std::uint64_t limit = host_memory_bytes() / 8;
  while (!earlier_data_.empty() && resident_bytes() > limit) earlier_data_.pop_front();
}

void PreparedPoints::release(const PointRequest& request) {
  const auto found = locate(request);
  made_room_.erase(request.key());
  if (found == points_.end()) return;
  if (last_run_ == found->point.get()) forget_last_run();
  points_.erase(found);
}

// The two points in front may be a pair and stay.
void PreparedPoints::make_room(const MeasuredPoint* keep) {
  const std::uint64_t limit = kept_bytes_limit(session_->device());
  std::uint64_t bytes = 0;
  for (const Prepared& each : points_) bytes += each.point->device_bytes();
  while (bytes > limit && points_.size() > 2) {
    const auto last = std::prev(points_.end(), points_.back().point.get() == keep ? 2 : 1);
    bytes -= last->point->device_bytes();
    evict(last);
  }
}

// Whether any was evicted.
bool PreparedPoints::evict_all_but(const MeasuredPoint* keep) {
  const std::size_t before = points_.size() + earlier_data_.size();
  earlier_data_.clear();
  for (auto each = points_.begin(); each != points_.end();)
    each = each->point.get() == keep ? std::next(each) : evict(each);
  return points_.size() < before;
}

std::list<PreparedPoints::Prepared>::iterator PreparedPoints::evict(std::list<Prepared>::iterator place) {
  forget_last_run();
  try {
    place->point->verify_again();
    made_room_.insert(place->key);
  } catch (const PointFailure& failure) {
    deferred_.push_back({place->key, failure.what()});
  }
  return points_.erase(place);
}

}  // namespace dwarfsweep
