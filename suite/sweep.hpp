// A sweep: every point of a plan on every device, prepared, verified, measured in rounds, logged as it
// happens.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/registry.hpp"
#include "harness/statistics.hpp"
#include "suite/device_client.hpp"
#include "suite/options.hpp"
#include "suite/plan.hpp"
#include "suite/point_request.hpp"
#include "suite/progress.hpp"
#include "suite/run_log.hpp"

namespace dwarfsweep {

/// One point within a sweep, and how far it has come.
struct SweepPoint {
  PointRequest request;
  PointKey key;
  bool baseline = false;
  std::string rejected;  ///< why it cannot run; empty: it can
  bool alive = false;    ///< prepared, verified, and nothing has gone wrong since
  bool ended = false;    ///< an "end" is in the log
  std::string stop_reason;
  double sample_ns = 0;
  std::chrono::milliseconds spent{0};  ///< of the point's limit
};

/// All points of one dwarf and one problem on one device: they share data, a baseline and the rounds.
struct SweepGroup {
  DeviceInfo device;
  const Dwarf* dwarf = nullptr;
  std::vector<SweepPoint> points;  ///< the baseline first; on the host: serial, openmp
};

/// The devices that --device names, all without it; each has an identity of its own. Throws NoDeviceError.
std::vector<DeviceInfo> chosen_devices(const Options& options, const Inventory& inventory);

/// Resolves the words of the command line into groups. Throws UsageError and NoDeviceError before anything is
/// written. `inventory` is what there is.
std::vector<SweepGroup> plan_sweep(const Options& options, const Inventory& inventory);

class Sweep {
 public:
  /// Writes into `folder`, going on with `log` where that holds a run already.
  Sweep(const Options& options, std::filesystem::path folder, RunLog log);

  /// Measures all groups. Returns early, without an exception, when interrupted.
  void run(std::vector<SweepGroup>& groups);
  [[nodiscard]] const RunLog& log() const { return log_; }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 private:
  using Clock = std::chrono::steady_clock;

  void run_group(SweepGroup& group, std::chrono::milliseconds share);
  bool open_device(DeviceClient& client, SweepGroup& group);
  void measure_peaks(DeviceClient& client, const SweepGroup& group);
  void prepare_all(DeviceClient& client, SweepGroup& group, Clock::time_point deadline);
  void prepare(DeviceClient& client, SweepGroup& group, SweepPoint& point);
  void measure_rounds(DeviceClient& client, SweepGroup& group, Clock::time_point deadline);
  void confirm_winner(DeviceClient& client, SweepGroup& group);
  void visit(DeviceClient& client, SweepGroup& group, SweepPoint& point, int round, int pairs,
             bool confirmation);
  void finish(DeviceClient& client, SweepGroup& group);

  /// Asks about a point and turns whatever goes wrong into its status; null where something did.
  Json ask(DeviceClient& client, SweepGroup& group, SweepPoint& point, const Json& request);
  void take_late(DeviceClient& client, SweepGroup& group);
  void fail(SweepPoint& point, Status status, const std::string& reason,
            const std::string& stop_reason = "failed");
  void record(const SweepPoint& point, const Preparation& preparation);
  void end(SweepPoint& point, const std::string& reason);
  [[nodiscard]] int pairs_that_fit(const SweepGroup& group, Clock::time_point deadline) const;
  [[nodiscard]] bool converged(const SweepPoint& point) const;
  [[nodiscard]] std::size_t blocks_of(const SweepPoint& point) const;
  void show(const SweepGroup& group, const SweepPoint& point, const std::string& doing);
  [[nodiscard]] std::chrono::milliseconds left() const;

  template <typename Record>
  void append(const Record& record);

  Options options_;
  std::filesystem::path folder_;
  RunLog log_;
  RunLogWriter writer_;
  Progress progress_;
  Clock::time_point begin_ = Clock::now();
  bool interrupted_ = false;
  std::map<std::string, std::unique_ptr<DeviceClient>> clients_;
};

}  // namespace dwarfsweep
