#include "suite/worker/request_handler.hpp"

#include <chrono>
#include <memory>

#include "harness/device/inventory.hpp"
#include "harness/energy/power_phase.hpp"
#include "harness/peaks/peaks.hpp"
#include "harness/run/progress_test.hpp"
#include "harness/run/self_test.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/worker/dump.hpp"

namespace dwarfsweep {

OpenedDevice RequestHandler::answer(const OpenDevice& request) {
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

std::string RequestHandler::answer(const FindMeter& request) {
  const PowerSensors sensors = find_power_sensors(request.device);
  return sensors.energy && sensors.energy->joules() ? sensors.energy->name() : "";
}

SelfTestReport RequestHandler::answer(const TestHarness&) {
  points_.forget_last_run();
  return test_harness(*points_.session(), timer_);
}

std::map<std::string, double> RequestHandler::answer(const MeasurePeaks& request) {
  points_.forget_last_run();
  auto peaks = measure_peaks(*points_.session(), std::chrono::milliseconds(request.limit_ms));
  points_.set_caches(caches_of(peaks));
  return peaks;
}

Problem RequestHandler::answer(const LoadProblem& request) {
  points_.forget_last_run();
  return points_.data(request.point).problem;
}

Preparation RequestHandler::answer(const PreparePoint& request) {
  points_.forget_last_run();
  return points_.get(request.point).preparation();
}

Check RequestHandler::answer(const VerifyPoint& request) {
  points_.forget_last_run();
  return points_.verify(request.point);
}

Sample RequestHandler::sample_of_baseline(MeasuredPoint& baseline) {
  try {
    return points_.sample(baseline);
  } catch (const PointFailure& failure) {
    throw PointFailure(failure.status(), std::string("the baseline beside it: ") + failure.what());
  }
}

MeasuredBlock RequestHandler::answer(const MeasureBlock& request) {
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

ClockReading RequestHandler::read_clock() {
  return sensors_.clock ? sensors_.clock->read() : ClockReading();
}

std::optional<MeteredEnergy> RequestHandler::answer(const MeasureEnergy& request) {
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

LastOutput RequestHandler::answer(const FinishPoint& request) {
  points_.forget_last_run();
  const LastOutput output = points_.verify_last_output(request.point);
  if (request.forget) points_.release(request.point);
  return output;
}

Done RequestHandler::answer(const DumpPoint& request) {
  points_.forget_last_run();
  MeasuredPoint& measured = points_.get(request.point);
  measured.verify_again();
  FolderSink sink(request.folder);
  measured.dump(sink);
  sink.finish(request.point.dwarf, points_.data(request.point).problem, request.point.config);
  return {};
}

Done RequestHandler::answer(const DropAll&) {
  points_.drop();
  return {};
}

}  // namespace dwarfsweep
