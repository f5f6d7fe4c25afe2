// The devices of a sweep: opened one after the other, timer tested, characteristics measured, and remembered
// where they do not open.
#pragma once

#include <filesystem>
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

  /// Opens one device at a time, because the next may share its cores with the last; the previous client is
  /// closed.
  DeviceClient& client_of(const DeviceInfo& device);
  /// Nothing where the device works: its timer is tested and its characteristics are in the log. A device
  /// that did not open is not tried again. Throws Interrupted.
  std::optional<Problem> open(DeviceClient& client);
  void close() { client_.reset(); }

 private:
  /// The test of the timer. A resumed run keeps its timer: the host's clock in any case, the device's if that
  /// passes the test again; throws UsageError if it does not.
  TimerReport test_timer(DeviceClient& client);
  void measure_characteristics(DeviceClient& client);

  const Options& options_;
  std::string workers_log_;
  SweepLog& log_;
  Progress& progress_;
  std::unique_ptr<DeviceClient> client_;
  std::map<std::string, Problem> unusable_;    // by device id
  std::map<std::string, TimerReport> timers_;  // those tested in this sweep, by device id
};

}  // namespace dwarfsweep
