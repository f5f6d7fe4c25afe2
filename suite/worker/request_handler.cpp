#include "suite/worker/request_handler.hpp"

#include <chrono>
#include <memory>
#include <string>

#include "harness/device/inventory.hpp"
#include "harness/energy/power_phase.hpp"
#include "harness/peaks/peaks.hpp"
#include "harness/run/progress_test.hpp"
#include "harness/run/self_test.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/worker/dump.hpp"

namespace dwarfsweep {
namespace {

// The name of what tells the device's energy; empty where nothing does, or it cannot be read.
std::string meter_of(const DeviceInfo& device) {
  const PowerSensors sensors = find_power_sensors(device);
  return sensors.energy && sensors.energy->joules() ? sensors.energy->name() : "";
}

}  // namespace

Json RequestHandler::result(const Json& request) {
  const std::string what = request.at("do");
  if (what != "measure") points_.forget_last_run();
  const auto point = [&] { return request.at("point").get<PointRequest>(); };
  if (what == "devices") return discover_devices();
  if (what == "open") return open(request);
  if (what == "meter") return meter_of(request.at("device").get<DeviceInfo>());
  if (what == "selftest") return test_harness(*points_.session(), timer_);
  if (what == "peaks") return peaks(request);
  if (what == "load") return points_.data(point()).problem;
  if (what == "prepare") return points_.get(point()).preparation();
  if (what == "verify") return points_.verify(point());
  if (what == "measure") return measure(request);
  if (what == "energy") return measure_energy_of(request);
  if (what == "finish") return finish(point(), request.value("forget", false));
  if (what == "dump") return dump(request);
  if (what == "drop") {
    points_.drop();
    return Json::object();
  }
  throw UsageError("the worker does not know the request '" + what + "'");
}

Json RequestHandler::open(const Json& request) {
  MeasureOptions options;
  options.cache = request.at("cache") == "cold" ? CacheState::cold : CacheState::hot;
  options.half_width = request.value("half_width", options.half_width);
  options.caches = caches_of(request.value("peaks", std::map<std::string, double>()));
  const auto device = request.at("device").get<DeviceInfo>();
  sensors_ = find_power_sensors(device);
  if (device.type == "host") {
    points_.use(nullptr, options);
    TimerReport report;
    report.timer = Timer::host;
    report.reason = "plain C++ is timed by the host's clock";
    return {{"timer", report}, {"progress", device.progress}};
  }
  const auto cache = program_cache_folder();
  ProgramCache(cache).trim(max_program_cache_bytes);
  auto session = std::make_unique<Session>(device, SessionOptions{request.at("kernels"), {}, cache});
  // A worker that replaces another goes on with the timer that was chosen first.
  timer_ = request.contains("timer") ? request.at("timer").get<TimerReport>() : test_timer(*session);
  session->set_timing(timer_.timing());
  options.tick_ns = timer_.tick_ns;
  if (!device.progress.tested) session->set_progress(test_progress(*session));
  const Json answer = {{"timer", timer_}, {"progress", session->device().progress}};
  points_.use(std::move(session), options);
  return answer;
}

Json RequestHandler::peaks(const Json& request) {
  const std::chrono::milliseconds limit(request.at("limit_ms").get<long>());
  const std::map<std::string, double> peaks = measure_peaks(*points_.session(), limit);
  points_.set_caches(caches_of(peaks));
  return peaks;
}

Sample RequestHandler::sample_of_baseline(MeasuredPoint& baseline) {
  try {
    return points_.sample(baseline);
  } catch (const PointFailure& failure) {
    throw PointFailure(failure.status(), std::string("the baseline beside it: ") + failure.what());
  }
}

Json RequestHandler::measure(const Json& request) {
  const int pairs = request.at("pairs");
  Random random(request.at("seed").get<std::uint64_t>());
  MeasuredPoint* baseline = nullptr;
  if (!request.at("baseline").is_null()) baseline = &points_.get(request.at("baseline").get<PointRequest>());
  MeasuredPoint& variant = points_.get(request.at("point").get<PointRequest>(), baseline);
  const ClockReading begin = read_clock();
  std::vector<BlockSample> samples;
  for (int pair = 0; pair < pairs; ++pair) {
    const bool baseline_first = random.below(2) == 0;
    for (int order = 0; order < 2; ++order) {
      const bool is_baseline = (order == 0) == baseline_first;
      if (is_baseline && !baseline) continue;
      samples.push_back({pair, order, is_baseline ? PairRole::baseline : PairRole::variant,
                         is_baseline ? sample_of_baseline(*baseline) : points_.sample(variant)});
    }
  }
  return {{"samples", samples}, {"clock", average(begin, read_clock())}};
}

ClockReading RequestHandler::read_clock() {
  return sensors_.clock ? sensors_.clock->read() : ClockReading();
}

Json RequestHandler::measure_energy_of(const Json& request) {
  if (!sensors_.energy) return Json::object();
  MeasuredPoint& point = points_.get(request.at("point").get<PointRequest>());
  const auto run = [&](std::int64_t count) { point.run_back_to_back(count); };
  EnergyLimits limits;
  limits.max_seconds = request.at("seconds");
  const auto use = measure_energy(*sensors_.energy, run, point.run_seconds(), limits);
  return use ? Json{{"meter", sensors_.energy->name()}, {"use", *use}} : Json::object();
}

Json RequestHandler::finish(const PointRequest& request, bool forget) {
  // A point that had to make room was verified then.
  if (MeasuredPoint* const point = points_.find(request)) point->verify_again();
  if (forget) points_.release(request);
  return Json::object();
}

Json RequestHandler::dump(const Json& request) {
  const auto point = request.at("point").get<PointRequest>();
  MeasuredPoint& measured = points_.get(point);
  measured.verify_again();
  FolderSink sink(request.at("folder").get<std::string>());
  measured.dump(sink);
  sink.finish(point.dwarf, points_.data(point).problem, point.config);
  return Json::object();
}

}  // namespace dwarfsweep
