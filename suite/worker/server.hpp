// The child processes' side of suite/worker/requests.hpp: answering line by line, and what a worker does at
// each request. A worker may crash or hang at any time; its parent (suite/worker/process.hpp) is prepared for
// that.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/energy/power_sensors.hpp"
#include "suite/worker/prepared_points.hpp"
#include "suite/worker/requests.hpp"
#include "suite/worker/staged_points.hpp"

namespace dwarfsweep {

/// Answers lines until their end is closed: `result` gives the answer or throws what becomes the error,
/// `deferred` gives what comes with each answer. Ends the process when its parent dies. Returns the exit
/// status of the process, if at all.
int serve_lines(const std::function<JsonAnswer(const std::string& line)>& result,
                const std::function<std::vector<DeferredFailure>()>& deferred);

/// The same for a server with a function `answer` for each of the `Requests`.
template <typename Requests, typename Server>
int serve_requests(
    Server& server, const std::function<std::vector<DeferredFailure>()>& deferred = [] {
      return std::vector<DeferredFailure>();
    }) {
  const auto result = [&](const std::string& line) {
    return std::visit(
        [&](const auto& request) {
          return write_answer<std::decay_t<decltype(request)>>(server.answer(request));
        },
        read_request<Requests>(line));
  };
  return serve_lines(result, deferred);
}

/// Throws PointFailure, UsageError, NoDeviceError, cl::Error and what the standard library throws.
class Worker {
 public:
  Inventory answer(const ListDevices&) { return discover_devices(); }
  OpenedDevice answer(const OpenDevice& request);
  std::string answer(const FindMeter& request);
  SelfTestReport answer(const TestHarness&);
  std::map<std::string, double> answer(const MeasurePeaks& request);
  Problem answer(const LoadProblem& request);
  Done answer(const BuildPoint& request);
  Preparation answer(const PreparePoint& request);
  Check answer(const VerifyPoint& request);
  MeasuredBlock answer(const MeasureBlock& request);
  std::optional<MeteredEnergy> answer(const MeasureEnergy& request);
  LastOutput answer(const FinishPoint& request);
  PointDigests answer(const DigestPoint& request);
  Done answer(const DumpPoint& request);
  StagedPoint answer(const StagePoint& request) { return staged_.stage(*points_.session(), request); }
  Sample answer(const LaunchStaged&) { return staged_.launch(); }
  CollectedOutput answer(const CollectOutput& request) { return staged_.collect(request); }
  CheckedOutput answer(const CheckOutput& request) {
    return staged_.check(points_.session()->device(), request);
  }
  Done answer(const DropAll&);

  std::vector<DeferredFailure> take_deferred_failures() { return points_.take_deferred_failures(); }

 private:
  Sample sample_of_baseline(MeasuredPoint& baseline);
  ClockReading read_clock();

  PreparedPoints points_;
  StagedPoints staged_;  // in the session of `points_`
  PowerSensors sensors_;
  TimerReport timer_;
};

}  // namespace dwarfsweep
