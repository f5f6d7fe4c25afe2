// What a worker does at each request; the list of requests is in suite/worker/worker.hpp.
#pragma once

#include "harness/energy/power_sensors.hpp"
#include "harness/run/timer_test.hpp"
#include "suite/record/json.hpp"
#include "suite/worker/prepared_points.hpp"

namespace dwarfsweep {

class RequestHandler {
 public:
  /// The "result" of the answer. Throws PointFailure, UsageError, NoDeviceError, cl::Error and what the
  /// standard library throws.
  Json result(const Json& request);
  /// The "late" of the answer.
  Json take_late() { return points_.take_late(); }

 private:
  Json open(const Json& request);
  Json peaks(const Json& request);
  Json measure(const Json& request);
  ClockReading read_clock();
  Json measure_energy_of(const Json& request);
  Json finish(const PointRequest& request, bool forget);
  Json dump(const Json& request);
  Sample sample_of_baseline(MeasuredPoint& baseline);

  PreparedPoints points_;
  PowerSensors sensors_;
  TimerReport timer_;
};

}  // namespace dwarfsweep
