// When to leave out the rest of a variant: it has failed so many times in a row on this device.
#pragma once

#include <map>
#include <string>

#include "suite/engine/sweep_group.hpp"

namespace dwarfsweep {

/// Whether a point of this status makes the run fail. Rejected and unsupported points are legal answers of a
/// device that works; one that was not run has no answer yet.
bool is_failure(Status status);

/// Counts per device, dwarf and variant.
class VariantFailures {
 public:
  /// `give_up_after` failures in a row; 0: never.
  explicit VariantFailures(int give_up_after) : give_up_after_(give_up_after) {}

  /// Ends the row of failures.
  void count_success(const SweepPoint& point);
  /// Counts only what is_failure(status).
  void count_failure(const SweepPoint& point, Status status, const std::string& reason);
  [[nodiscard]] bool given_up(const SweepPoint& point) const;
  /// "variant 'tiled' failed 3 times in a row on this device; the last: ..."
  [[nodiscard]] std::string reason(const SweepPoint& point) const;
  /// Another problem may suit a variant better: one point of it is tried in this group.
  void give_another_chance(const SweepGroup& group);

 private:
  struct Failures {
    int in_row = 0;
    std::string last;
  };

  int give_up_after_;
  std::map<std::string, Failures> failures_;  // by device, dwarf and variant
};

}  // namespace dwarfsweep
