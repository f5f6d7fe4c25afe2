// Where points are raced: a device, or a synthetic one in a test.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/statistics/statistics.hpp"
#include "suite/record/record.hpp"
#include "suite/tune/pair_times.hpp"

namespace dwarfsweep {

/// Points are named by their index in the group; 0 is the baseline.
class Track {
 public:
  struct Block {
    std::size_t point = 0;
    std::size_t opponent = 0;
    int pairs = 1;
    bool fresh = false;  ///< taken when the search is over, to confirm what it has found
  };

  Track() = default;
  virtual ~Track() = default;
  Track(const Track&) = delete;
  Track& operator=(const Track&) = delete;

  /// Builds, verifies and warms up the point, and takes one sample. Nothing where it fails.
  virtual std::optional<RunTimes> enter(std::size_t point) = 0;
  /// What a run of the point takes, by the device's counter; nothing where that does not tell.
  virtual std::optional<double> joules(std::size_t point) {
    (void)point;
    return std::nullopt;
  }
  /// A measurement block; where the objective has energy, with that of both. Empty where the point fails, or
  /// its opponent does: `runs` tells which; or where the time limit of the point is reached.
  virtual std::vector<PairTimes> measure(const Block& block) = 0;
  /// The point is not needed for now: its last output is verified. False where that is wrong.
  virtual bool leave(std::size_t point) = 0;
  /// Entered, and has not failed since.
  [[nodiscard]] virtual bool runs(std::size_t point) const = 0;
};

}  // namespace dwarfsweep
