// The recipe of one point in one process: verify, warm up, take samples, verify again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/dwarf.hpp"
#include "harness/sample.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {

/// Caches before each sample: as a run of the same point left them, or swept by a fill of twice the
/// last-level cache.
enum class CacheState { hot, cold };

struct MeasureOptions {
  CacheState cache = CacheState::hot;
  double warm_up_ns = 100e6;  ///< at least so long, unless the last three launches agree
  double warm_up_most_ns = 5e9;
  double min_sample_ns = 20e3;  ///< below max(this, 100 ticks) a sample holds several launches
  std::int64_t tick_ns = 1;
};

/// What was found out about a point before and besides its samples.
struct Preparation {
  Status status = Status::ok;
  std::string reason;
  std::int64_t build_ns = 0;
  std::int64_t upload_ns = 0;
  std::int64_t download_ns = 0;
  double warm_up_ns = 0;
  double verify_ns = 0;
  double sample_ns = 0;  ///< wall time of one sample, as the warm-up saw it
  std::vector<KernelFacts> facts;
  std::vector<Work> work;
  Check check;
};

/// A point that can be sampled: a case on a device, or a dwarf on the host's own cores.
class Subject {
 public:
  virtual ~Subject() = default;
  /// One launch and a check of its output. Throws PointFailure(wrong_result).
  virtual Check verify() = 0;
  /// Resets, launches `launches` times, waits; reads the clocks.
  virtual Sample sample(std::int64_t launches) = 0;
  /// Whether a run that takes so long could be some percent faster where one before has filled the caches.
  [[nodiscard]] virtual bool gains_from_caches(double run_ns) const = 0;
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

/// One launch on poisoned outputs, without warm-up or timing: is it right, and are all guard bands whole?
/// Throws PointFailure.
Check verify_once(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config);

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
  bool runs_before_samples_ = false;
};

}  // namespace dwarfsweep
