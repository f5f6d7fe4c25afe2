// A sweep: every point of a plan on every device, prepared, verified, measured in rounds, logged as it
// happens.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/registry.hpp"
#include "harness/statistics.hpp"
#include "suite/plan/options.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/record/run_log.hpp"
#include "suite/sweep/device_client.hpp"
#include "suite/sweep/progress.hpp"

namespace dwarfsweep {

/// The stop reason of points that were not tried, or not gone on with, since their variant kept failing.
inline constexpr const char* skipped = "skipped";

/// One point within a sweep, and how far it has come.
struct SweepPoint {
  PointRequest request;
  PointKey key;
  bool baseline = false;
  std::string rejected;  ///< why it cannot run; empty: it can
  bool alive = false;    ///< prepared, verified, and nothing has gone wrong since
  bool ended = false;    ///< an "end" is in the log
  std::string stop_reason;
  std::string note;  ///< what is worth telling though the point is fine
  double sample_ns = 0;
  int process = 0;                     ///< the worker that has it prepared
  std::chrono::milliseconds spent{0};  ///< of the point's limit
  std::chrono::milliseconds longest_block{0};
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
  /// Writes into `folder`, going on with `log` where that holds a run already. Throws UsageError where
  /// another process writes there, or has written since `log` was read.
  Sweep(const Options& options, std::filesystem::path folder, RunLog log);

  /// Measures all groups. Returns early, without an exception, when interrupted.
  void run(std::vector<SweepGroup>& groups);
  [[nodiscard]] const RunLog& log() const { return log_; }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Take = std::function<void(const Json&)>;
  struct Failures {
    int in_row = 0;
    std::string last;
  };
  struct Unusable {
    Status status = Status::crashed;
    std::string reason;
  };

  // suite/sweep/sweep.cpp: what is done when.
  void take_up(std::vector<SweepGroup>& groups);
  void run_all(std::vector<SweepGroup>& groups);
  [[nodiscard]] std::size_t cut_short_by_budget(const std::vector<SweepGroup>& groups) const;
  void run_group(SweepGroup& group, std::chrono::milliseconds share);
  void record_rejected(SweepGroup& group);
  DeviceClient& client_of(const DeviceInfo& device);
  bool open_device(DeviceClient& client, SweepGroup& group);
  void measure_peaks(DeviceClient& client, const SweepGroup& group);
  void test_harness(DeviceClient& client, const SweepGroup& group);
  void prepare_all(DeviceClient& client, SweepGroup& group, Clock::time_point deadline);
  void measure_rounds(DeviceClient& client, SweepGroup& group, Clock::time_point deadline);
  void measure_in_turn(DeviceClient& client, SweepGroup& group, SweepPoint& point, int round, int pairs);
  void confirm_winner(DeviceClient& client, SweepGroup& group);
  SweepPoint* find_winner(SweepGroup& group);
  void finish(DeviceClient& client, SweepGroup& group);
  [[nodiscard]] std::vector<SweepPoint*> preparation_order(SweepGroup& group) const;
  [[nodiscard]] int pairs_that_fit(const SweepGroup& group, Clock::time_point deadline) const;
  [[nodiscard]] bool converged(const SweepPoint& point) const;
  [[nodiscard]] std::size_t blocks_of(const SweepPoint& point) const;
  [[nodiscard]] std::vector<BlockRecord> ordinary_blocks(const SweepPoint& point) const;
  [[nodiscard]] const std::vector<BlockRecord>& blocks_recorded(const SweepPoint& point) const;
  void show(const SweepGroup& group, const SweepPoint& point, const std::string& doing);
  [[nodiscard]] std::chrono::milliseconds left() const;

  // suite/sweep/sweep_points.cpp: one point, and what becomes of it.
  void prepare(DeviceClient& client, SweepGroup& group, SweepPoint& point);
  bool revive(DeviceClient& client, SweepGroup& group, SweepPoint& point);
  void measure_block(DeviceClient& client, SweepGroup& group, SweepPoint& point, int round, int pairs,
                     bool confirmation);
  bool check_last_output(DeviceClient& client, SweepGroup& group, SweepPoint& point);
  [[nodiscard]] bool has_time_for_block(const SweepPoint& point) const;
  /// Asks about a point, and turns whatever goes wrong into its status; false where something did. `take`
  /// gets the answer, and may throw Json::exception where that is no such answer.
  bool ask(DeviceClient& client, SweepGroup& group, SweepPoint& point, const Json& request,
           std::chrono::milliseconds limit, const Take& take);
  void take_late(DeviceClient& client, SweepGroup& group);
  void fail(SweepPoint& point, Status status, const std::string& reason,
            const std::string& stop_reason = "failed");
  void skip(SweepPoint& point);
  void record(const SweepPoint& point, const Preparation& preparation);
  void note(SweepPoint& point, const std::string& what);
  void end(SweepPoint& point, const std::string& reason);
  bool recall(SweepPoint& point);
  void count_known(const SweepPoint& point);
  void count_failure(const SweepPoint& point, Status status, const std::string& reason);
  [[nodiscard]] bool given_up(const SweepPoint& point) const;
  void give_another_chance(const SweepGroup& group);

  // Every record goes to the file first, then to the run in memory: what is announced is safe.
  template <typename Record>
  void append(const Record& record) {
    writer_.append(record);
    add_to(log_, record);
  }

  Options options_;
  std::filesystem::path folder_;
  RunLog log_;
  RunLogWriter writer_;
  Progress progress_;
  Clock::time_point begin_ = Clock::now();
  bool interrupted_ = false;
  std::map<std::string, std::unique_ptr<DeviceClient>> clients_;
  std::map<std::string, Unusable> unusable_;  // devices that did not open, by id
  std::map<std::string, Failures> failures_;  // by device, dwarf and variant
};

}  // namespace dwarfsweep
