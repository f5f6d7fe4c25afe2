// The devices of a sweep: opened one after the other, timer tested, characteristics measured, and remembered
// where they do not open.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "suite/engine/sweep_context.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

/// What to do if a run cannot be resumed unchanged: only a sweep can add a part.
std::string advice_if_changed(const RunLog& log);

class SweepDevices {
 public:
  struct Problem {
    Status status = Status::crashed;
    std::string reason;
  };

  /// What the workers print goes to the file `output`.
  SweepDevices(SweepContext& context, const std::filesystem::path& output)
      : options_(context.options),
        workers_log_(output.string()),
        log_(context.log),
        progress_(context.progress) {}

  /// Its worker waits, and keeps what it knows, while those of other devices are asked.
  DeviceClient& client_of(const DeviceInfo& device);
  /// The id of the last device that was asked for; empty if none was.
  [[nodiscard]] const std::string& last() const { return last_; }
  /// Null if the device has not been opened, or did not open.
  DeviceClient* find_open(const DeviceInfo& device);
  /// Nothing where the device works: its timer is tested. A device that did not open is not tried again.
  /// Throws Interrupted.
  std::optional<Problem> test(DeviceClient& client);
  /// The same, and its characteristics are in the log.
  std::optional<Problem> open(DeviceClient& client);
  void close() { clients_.clear(); }

 private:
  std::optional<Problem> try_with(DeviceClient& client, const std::function<void()>& action);
  /// The test of the timer. A resumed run keeps its timer: the host's clock in any case, the device's if that
  /// passes the test again; throws UsageError if it does not.
  TimerReport test_timer(DeviceClient& client);
  void measure_characteristics(DeviceClient& client);

  const Options& options_;
  std::string workers_log_;
  SweepLog& log_;
  Progress& progress_;
  std::map<std::string, std::unique_ptr<DeviceClient>> clients_;  // by device id
  std::string last_;
  std::map<std::string, Problem> unusable_;    // by device id
  std::map<std::string, TimerReport> timers_;  // those tested in this sweep, by device id
};

}  // namespace dwarfsweep
