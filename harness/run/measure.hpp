// The recipe of one point in one process: verify, warm up, take samples, verify again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "harness/run/dwarf.hpp"
#include "harness/run/sample.hpp"
#include "harness/run/workspace.hpp"

namespace dwarfsweep {

/// One launch on poisoned outputs, without warm-up or timing: checks the result and the guard bands. Throws
/// PointFailure.
Check verify_once(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config);
/// The same, and a second launch on what the first one left.
Check verify_twice(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config);

/// The programs of a point: source, options, build log, binary. Nothing is launched. Throws PointFailure.
void dump_programs(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                   DumpSink& sink);

/// What can be sampled: a case on a device, or a dwarf on the host's cores.
class Subject;

/// One point in this process. Constructed, it is built and its inputs are on the device; nothing was
/// launched.
class MeasuredPoint {
 public:
  /// On a device. Throws PointFailure.
  MeasuredPoint(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                const MeasureOptions& options);
  /// On the host, with that many threads.
  MeasuredPoint(const Dwarf& dwarf, const Loaded& loaded, int threads, const MeasureOptions& options);
  ~MeasuredPoint();

  /// Verifies it and warms it up, which comes before everything below. Throws PointFailure.
  void make_ready();
  [[nodiscard]] const Preparation& preparation() const { return preparation_; }
  [[nodiscard]] std::uint64_t device_bytes() const;

  /// `ran_last`: nothing else has run since the last sample.
  Sample take_sample(bool ran_last = false);
  /// So many runs in succession, for energy: neither timed nor with emptied caches between them.
  void run_back_to_back(std::int64_t runs);
  /// Wall time of one run, estimated from the warm-up.
  [[nodiscard]] double run_seconds() const { return run_seconds_; }
  /// Checks the output of what ran last. Throws PointFailure(wrong_result).
  void verify_again();
  /// Inputs and the result that was downloaded last. On a device.
  void dump_arrays(DumpSink& sink) const;
  /// Inputs, result, the programs as they went to the compiler and as they came from it, and the launches of
  /// one execution. On a device. Runs the point twice more.
  void dump(DumpSink& sink);

 private:
  void prepare();
  void warm_up();

  MeasureOptions options_;
  std::function<PointFailure(const cl::Error&)> failure_;  // names the dwarf and the device
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Case> case_;
  std::unique_ptr<HostCase> host_case_;
  std::unique_ptr<Subject> subject_;
  Preparation preparation_;
  std::int64_t launches_per_sample_ = 1;
  double run_seconds_ = 0;
  bool runs_before_samples_ = false;
};

}  // namespace dwarfsweep
