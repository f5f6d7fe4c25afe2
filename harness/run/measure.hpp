// The recipe of one point in one process: verify, warm up, take samples, verify again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/device_subject.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/sample.hpp"
#include "harness/space/status.hpp"

namespace dwarfsweep {

struct MeasureOptions {
  CacheState cache = CacheState::hot;
  MeasuredCaches caches;
  double half_width = 0.03;   ///< target relative half-width of the interval of a time
  double warm_up_ns = 100e6;  ///< minimum, unless the last three launches agree
  double max_warm_up_ns = 5e9;
  double min_sample_ns = 20e3;  ///< below max(this, 100 ticks) a sample holds several launches
  std::int64_t tick_ns = 1;
};

/// What is known of a point besides its samples.
struct Preparation {
  Status status = Status::ok;
  std::string reason;
  std::int64_t build_ns = 0;
  std::string program_id;          ///< of the point's programs; empty on the host
  std::vector<std::string> paths;  ///< see harness/program/paths.hpp
  std::int64_t upload_ns = 0;
  std::int64_t download_ns = 0;
  double warm_up_ns = 0;
  double verify_ns = 0;
  double sample_ns = 0;  ///< wall time of one sample, estimated from the warm-up
  std::vector<KernelFacts> facts;
  std::vector<Work> work;
  Check check;
};

/// One launch on poisoned outputs, without warm-up or timing: checks the result and the guard bands. Throws
/// PointFailure.
Check verify_once(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config);
/// The same, and a second launch on what the first one left.
Check verify_twice(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config);

/// One point in this process: prepared, verified and warm once constructed.
class MeasuredPoint {
 public:
  /// On a device. Throws PointFailure.
  MeasuredPoint(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                const MeasureOptions& options);
  /// On the host, with that many threads.
  MeasuredPoint(const Dwarf& dwarf, const Loaded& loaded, int threads, const MeasureOptions& options);
  ~MeasuredPoint();

  [[nodiscard]] const Preparation& preparation() const { return preparation_; }
  [[nodiscard]] std::uint64_t device_bytes() const;

  /// `ran_last`: nothing else has run since the last sample.
  Sample take_sample(bool ran_last = false);
  /// So many runs in succession, for energy: neither timed nor with emptied caches between them.
  void run_back_to_back(std::int64_t runs) { subject_->run_back_to_back(runs); }
  /// Wall time of one run, estimated from the warm-up.
  [[nodiscard]] double run_seconds() const { return run_seconds_; }
  /// Checks the output of what ran last. Throws PointFailure(wrong_result).
  void verify_again();
  /// Inputs, result, and the programs: as they went to the compiler and as they came from it. On a device.
  void dump(DumpSink& sink) const;

 private:
  void prepare();
  void warm_up();

  MeasureOptions options_;
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
