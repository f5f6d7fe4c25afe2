#include "suite/worker/serve.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <new>
#include <string>

#include "harness/device/host.hpp"
#include "harness/device/inventory.hpp"
#include "harness/energy/power_phase.hpp"
#include "harness/peaks/peaks.hpp"
#include "harness/program/program_cache.hpp"
#include "harness/run/self_test.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/worker/dump_sinks.hpp"
#include "suite/worker/host_limits.hpp"
#include "suite/worker/server.hpp"

namespace dwarfsweep {
namespace {

// Buffers of prepared points stay on the device between blocks, up to this share of its memory; on a device
// that shares the host's memory that is also where the inputs and references are.
std::uint64_t kept_bytes_limit(const DeviceInfo& device) {
  return device.capabilities.global_bytes /
         (device.capabilities.unified_memory || device.type == "cpu" ? 8 : 2);
}

}  // namespace

// --- the points that are ready

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
  std::unique_ptr<MeasuredPoint> point = in_freed_memory(&PreparedPoints::construct, request, nullptr);
  built_.emplace();
  built_->key = request.key();
  built_->point = std::move(point);
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
  input_digests_.clear();
  data_key_.clear();
  const std::uint64_t limit = host_memory_bytes() / 8;
  const auto is_too_large = [limit] {
    if (resident_bytes() <= limit) return false;
    return_freed_memory();
    return resident_bytes() > limit;
  };
  while (!earlier_data_.empty() && is_too_large()) earlier_data_.pop_front();
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

// --- the requests

OpenedDevice Worker::answer(const OpenDevice& request) {
  MeasureOptions options;
  options.cache = request.cache;
  options.half_width = request.half_width;
  options.caches = caches_of(request.peaks);
  sensors_ = find_power_sensors(request.device);
  points_.forget_last_run();
  if (request.device.type == "host") {
    points_.use(nullptr, options);
    TimerReport report;
    report.timer = Timer::host;
    report.reason = "plain C++ is timed by the host's clock";
    return {report, request.device.progress};
  }
  staged_.drop();
  // Not if buffers are memory of the host: a page belongs to the node whose thread touches it first, and kept
  // pages were touched by this process.
  if (request.device.type != "cpu" && !request.device.capabilities.unified_memory) keep_freed_memory();
  const auto cache = program_cache_folder();
  ProgramCache(cache).trim(max_program_cache_bytes);
  auto session = std::make_unique<Session>(request.device, SessionOptions{request.kernels, {}, cache});
  // A worker that replaces another continues with the timer that was chosen first.
  timer_ = request.timer ? *request.timer : test_timer(*session);
  session->set_timing(timer_.timing());
  options.tick_ns = timer_.tick_ns;
  if (!request.device.progress.tested) session->set_progress(test_progress(*session));
  const ProgressReport progress = session->device().progress;
  points_.use(std::move(session), options);
  return {timer_, progress};
}

std::string Worker::answer(const FindMeter& request) {
  const PowerSensors sensors = find_power_sensors(request.device);
  return sensors.energy && sensors.energy->joules() ? sensors.energy->name() : "";
}

SelfTestReport Worker::answer(const TestHarness&) {
  points_.forget_last_run();
  return test_harness(*points_.session(), timer_);
}

std::map<std::string, double> Worker::answer(const MeasurePeaks& request) {
  points_.forget_last_run();
  auto peaks = measure_peaks(*points_.session(), std::chrono::milliseconds(request.limit_ms));
  points_.set_caches(caches_of(peaks));
  return peaks;
}

Problem Worker::answer(const LoadProblem& request) {
  points_.forget_last_run();
  return points_.data(request.point).problem;
}

Done Worker::answer(const BuildPoint& request) {
  points_.build(request.point);
  return {};
}

Preparation Worker::answer(const PreparePoint& request) {
  points_.forget_last_run();
  return points_.get(request.point).preparation();
}

Check Worker::answer(const VerifyPoint& request) {
  points_.forget_last_run();
  return points_.verify(request.point);
}

Sample Worker::sample_of_baseline(MeasuredPoint& baseline) {
  try {
    return points_.sample(baseline);
  } catch (const PointFailure& failure) {
    throw PointFailure(failure.status(), std::string("the baseline paired with it: ") + failure.what());
  }
}

MeasuredBlock Worker::answer(const MeasureBlock& request) {
  Random random(request.seed);
  MeasuredPoint* baseline = request.baseline ? &points_.get(*request.baseline) : nullptr;
  MeasuredPoint& variant = points_.get(request.point, baseline);
  const ClockReading begin = read_clock();
  MeasuredBlock block;
  for (int pair = 0; pair < request.pairs; ++pair) {
    const bool baseline_first = random.below(2) == 0;
    for (int order = 0; order < 2; ++order) {
      const bool is_baseline = (order == 0) == baseline_first;
      if (is_baseline && !baseline) continue;
      block.samples.push_back({pair, order, is_baseline ? PairRole::baseline : PairRole::variant,
                               is_baseline ? sample_of_baseline(*baseline) : points_.sample(variant)});
    }
  }
  block.clock = average(begin, read_clock());
  return block;
}

ClockReading Worker::read_clock() {
  return sensors_.clock ? sensors_.clock->read() : ClockReading();
}

std::optional<MeteredEnergy> Worker::answer(const MeasureEnergy& request) {
  if (!sensors_.energy) return std::nullopt;
  points_.forget_last_run();
  MeasuredPoint& point = points_.get(request.point);
  const auto run = [&](std::int64_t count) { point.run_back_to_back(count); };
  EnergyLimits limits;
  limits.max_seconds = request.seconds;
  const auto use = measure_energy(*sensors_.energy, run, point.run_seconds(), limits);
  if (!use) return std::nullopt;
  return MeteredEnergy{sensors_.energy->name(), *use};
}

LastOutput Worker::answer(const FinishPoint& request) {
  points_.forget_last_run();
  const LastOutput output = points_.verify_last_output(request.point);
  if (request.forget) points_.release(request.point);
  return output;
}

PointDigests Worker::answer(const DigestPoint& request) {
  points_.forget_last_run();
  const MeasuredPoint* const point = points_.find(request.point);
  if (point == nullptr || request.point.host_threads > 0) return {};
  DigestSink sink(find_dwarf(request.point.dwarf).info().checks, request.point.seed, points_.input_digests());
  point->dump_arrays(sink);
  return sink.digests();
}

Done Worker::answer(const DumpPoint& request) {
  points_.forget_last_run();
  FolderSink sink(request.folder);
  try {
    MeasuredPoint& measured = points_.get(request.point);
    measured.verify_again();
    measured.dump(sink);
    sink.finish(request.point.dwarf, points_.data(request.point).problem, request.point.config);
  } catch (const PointFailure& failure) {
    // Who reports a wrong result needs what the compiler made of the kernel.
    if (failure.status() == Status::wrong_result) points_.dump_programs_of(request.point, sink);
    throw;
  }
  return {};
}

Done Worker::answer(const DropAll&) {
  points_.drop();
  staged_.drop();
  return {};
}

int run_confined_worker() {
  confine_process();
  return run_worker();
}

int run_worker() {
  Worker worker;
  return serve_requests<WorkerRequest>(worker, {.deferred = [&] { return worker.take_deferred_failures(); },
                                                .is_usable = [&] { return worker.is_usable(); }});
}

}  // namespace dwarfsweep
