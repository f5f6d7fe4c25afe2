// Runs trials in a worker process, which may die or hang: the next trial gets a new one.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "suite/worker/client.hpp"
#include "tests/property/shrink.hpp"

namespace dwarfsweep::property {

struct RunnerSettings {
  std::string kernels;                     ///< folder of edited kernels; empty: embedded
  std::chrono::milliseconds limit{60000};  ///< of one trial, with its build
};

class TrialRunner {
 public:
  /// What the workers print goes to `output`, a file.
  TrialRunner(DeviceInfo device, RunnerSettings settings, const std::filesystem::path& output);

  /// Gives the trial `time`, but no more than the settings' limit. Throws Interrupted, and NoDeviceError
  /// where the device cannot be opened.
  Outcome run(const Trial& trial, std::chrono::milliseconds time);

 private:
  void start();
  [[nodiscard]] std::string complaint_since(std::uintmax_t size) const;

  DeviceInfo device_;
  RunnerSettings settings_;
  std::filesystem::path output_;
  std::unique_ptr<WorkerProcess> worker_;
  int trials_of_worker_ = 0;
};

}  // namespace dwarfsweep::property
