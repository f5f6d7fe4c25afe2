// Trials of several dwarfs for some time, in several worker processes; the dwarfs share the time evenly.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/property/draw.hpp"
#include "tests/property/tally.hpp"
#include "tests/property/trial_runner.hpp"

namespace dwarfsweep::property {

struct CampaignSettings {
  std::vector<const Dwarf*> dwarfs;
  std::string selector;  ///< of the device, for the commands that repeat a trial
  std::chrono::seconds time{60};
  std::uint64_t seed = 1;
  int processes = 1;
  DrawLimits draw;
  RunnerSettings runner;
};

class Campaign {
 public:
  Campaign(DeviceInfo device, CampaignSettings settings);

  /// Prints each failure as it is found, shrunk, and the tallies at the end. Returns the number of failures.
  /// Throws NoDeviceError.
  std::size_t run();

 private:
  using Clock = std::chrono::steady_clock;

  void work(TrialRunner& runner);
  void try_all(TrialRunner& runner, const Batch& batch);
  void note(TrialRunner& runner, const Trial& trial, const Outcome& outcome);
  void report_failure(TrialRunner& runner, const Trial& trial, const Outcome& outcome);
  void print(const Trial& trial, const Outcome& outcome);
  [[nodiscard]] const Dwarf& dwarf_with_least_time() const;
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] std::chrono::milliseconds time_left() const;

  DeviceInfo device_;
  CampaignSettings settings_;
  Clock::time_point end_;
  std::mutex mutex_;  // of all below
  std::map<std::string, Tally> tallies_;
  std::map<std::string, std::uint64_t> batches_;  // drawn so far, by dwarf: the n-th is always the same
  std::map<std::string, int> shrunk_;             // failures by dwarf, variant and status
  std::exception_ptr error_;
};

}  // namespace dwarfsweep::property
