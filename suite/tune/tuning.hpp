// `tune` on devices: a search for each device, dwarf and problem, all in one run. The searches run one after
// the other, but on devices that share nothing at the same time.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "suite/tune/device_search.hpp"
#include "suite/worker/device_queues.hpp"

namespace dwarfsweep {

class SearchQueue;

class Tuning {
 public:
  /// Writes into `folder`, continuing `log` where that holds a run already. `options.budget` is for all
  /// searches together. Throws UsageError if another process writes there.
  Tuning(const Options& options, const std::filesystem::path& folder, RunLog log);
  ~Tuning();
  Tuning(const Tuning&) = delete;
  Tuning& operator=(const Tuning&) = delete;

  /// As Sweep::choose_sizes. `groups`: planned at any size, with what a sweep would measure.
  void choose_sizes(const std::vector<SweepGroup>& groups);
  /// Does what is left of all searches, each in its share of the time. `extends`: those that have ended
  /// continue, too, if the limits allow more than then. Returns early when interrupted.
  void run(std::vector<SearchGroup>& searches, bool extends);
  [[nodiscard]] const RunLog& log() const { return context_.log.run(); }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 private:
  SearchQueue& queue(std::size_t number, int cores);
  /// `later`: how many searches come after the wave, one after the other.
  void run_wave(std::vector<SearchGroup>& searches, const Stage& wave, std::size_t later, bool extends);
  /// Of a search, where it and what comes after it are so many.
  [[nodiscard]] SearchShare share_of(std::size_t searches_left, bool extends) const;
  void log_points();

  SweepContext context_;
  std::filesystem::path folder_;
  std::vector<std::unique_ptr<SearchQueue>> queues_;
  bool interrupted_ = false;
};

/// What the searches in the log have used so far, in all sittings.
double seconds_used(const RunLog& log);

/// Throws UsageError naming a device that does not report its energy.
void require_meters(const std::vector<DeviceInfo>& devices, const std::string& objective);

}  // namespace dwarfsweep
