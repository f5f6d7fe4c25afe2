// A worker's side of judging kernels: the point that is staged, and the data of the last few, since the
// inputs of a point change between its launches.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <utility>

#include "harness/run/session.hpp"
#include "harness/run/staged_case.hpp"
#include "suite/worker/requests.hpp"

namespace dwarfsweep {

class StagedPoints {
 public:
  StagedPoint stage(Session& session, const StagePoint& request);
  Sample launch();
  CollectedOutput collect(const CollectOutput& request);
  /// Never runs a kernel: in a process other than that in which the output was made.
  CheckedOutput check(const DeviceInfo& device, const CheckOutput& request);
  void drop();

 private:
  const Loaded& data(const PointRequest& request);
  StagedCase& staged();

  std::list<std::pair<std::string, Loaded>> data_;  // by data_key(), the last used in front
  std::unique_ptr<StagedCase> staged_;
};

}  // namespace dwarfsweep
