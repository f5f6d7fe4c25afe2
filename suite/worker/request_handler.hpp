// What a worker does at each request of suite/worker/requests.hpp.
#pragma once

#include <vector>

#include "harness/energy/power_sensors.hpp"
#include "suite/worker/prepared_points.hpp"
#include "suite/worker/requests.hpp"

namespace dwarfsweep {

/// Throws PointFailure, UsageError, NoDeviceError, cl::Error and what the standard library throws.
class RequestHandler {
 public:
  Inventory answer(const ListDevices&) { return discover_devices(); }
  OpenedDevice answer(const OpenDevice& request);
  std::string answer(const FindMeter& request);
  SelfTestReport answer(const TestHarness&);
  std::map<std::string, double> answer(const MeasurePeaks& request);
  Problem answer(const LoadProblem& request);
  Preparation answer(const PreparePoint& request);
  Check answer(const VerifyPoint& request);
  MeasuredBlock answer(const MeasureBlock& request);
  std::optional<MeteredEnergy> answer(const MeasureEnergy& request);
  LastOutput answer(const FinishPoint& request);
  Done answer(const DumpPoint& request);
  Done answer(const DropAll&);

  std::vector<DeferredFailure> take_deferred_failures() { return points_.take_deferred_failures(); }

 private:
  Sample sample_of_baseline(MeasuredPoint& baseline);
  ClockReading read_clock();

  PreparedPoints points_;
  PowerSensors sensors_;
  TimerReport timer_;
};

}  // namespace dwarfsweep
