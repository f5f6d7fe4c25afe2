// Measuring points on pairs of rungs: each pair is a run with a folder of its own, as `compare --pairs` makes
// it.
//
// Drivers of two builds may say the same version, by which programs are cached. So each rung has caches of
// its own, unless its line names some.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/compare/bisect.hpp"
#include "suite/compare/ladder.hpp"
#include "suite/plan/options.hpp"
#include "suite/record/record.hpp"
#include "suite/sweep/paired_sweep.hpp"

namespace dwarfsweep {

/// A point of a pair, and what was measured of it.
struct PairedPoint {
  PointKey key;  ///< on the second rung
  PairEvidence evidence;
  std::map<std::string, double> kernel_ratios;  ///< median time over that on the first rung
  std::string slowest_kernel;                   ///< the one that added most time; empty: not known
};

class RungPairs {
 public:
  using Clock = std::chrono::steady_clock;

  /// `run`: this program on this host. Writes below `folder`.
  RungPairs(Options options, std::vector<Rung> rungs, std::filesystem::path folder, RunRecord run);

  /// Points of the plan for the first and the last rung. Throws NoDeviceError if one of them has no device.
  [[nodiscard]] std::vector<SweepGroup> plan();
  /// The points of these groups, in their order, on two rungs. It may take this share of the time that is
  /// left. If a rung does not start, no point can be compared.
  std::vector<PairedPoint> measure(std::size_t before, std::size_t after,
                                   const std::vector<SweepGroup>& groups, const KnowsEnough& enough,
                                   double share);
  /// Source, options, build log and binary of the point's programs on this rung, inputs and result, below
  /// `folder`. What fails is in failure.txt.
  void write_programs(std::size_t rung, const PointRequest& point, const std::filesystem::path& folder);
  /// Why the rung has no device; empty: it has, or was not asked.
  [[nodiscard]] std::string why_missing(std::size_t rung) const;
  [[nodiscard]] const DeviceInfo* device(std::size_t rung) const;
  [[nodiscard]] const std::vector<Rung>& rungs() const { return rungs_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] int pairs() const { return pairs_; }
  [[nodiscard]] bool is_time_over() const;
  void remove_caches() const;

 private:
  /// Null if the rung has no device.
  const PairedSide* find(std::size_t rung);
  [[nodiscard]] PairedSides sides_of(std::size_t before, std::size_t after);
  [[nodiscard]] Options options_for(double share) const;
  /// What one request to a driver may take: at most half of the time that is left, but some seconds.
  [[nodiscard]] std::chrono::milliseconds limit(std::chrono::milliseconds most) const;

  Options options_;
  std::vector<Rung> rungs_;
  std::filesystem::path folder_;
  RunRecord run_;
  Clock::time_point end_;
  std::map<std::size_t, PairedSide> sides_;
  std::map<std::size_t, std::string> missing_;
  int pairs_ = 0;
};

/// What the point is compared with to find what matters: its other values of each axis, and its other sizes.
/// A group for the axes, and one for each size.
std::vector<SweepGroup> variations_of(const SweepGroup& group, const SweepPoint& point,
                                      const Capabilities& device);

}  // namespace dwarfsweep
