// The points of a search on a device: what a race asks for is measured by a worker process and written into
// the log, or taken from there if a killed run has it already.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "suite/engine/measurer.hpp"
#include "suite/tune/race.hpp"

namespace dwarfsweep {

class DeviceCandidates : public Candidates {
 public:
  /// How long anything may take.
  struct Limits {
    std::chrono::milliseconds block{3000};  ///< except for a block of a single pair
    double energy_seconds = 2;              ///< for which a point runs back to back, once
    bool with_energy = false;               ///< a pair has the energy of both
    /// What is not prepared then is given up; none: no limit.
    std::optional<std::chrono::steady_clock::time_point> end = {};
  };
  /// `client`: of the group's device.
  DeviceCandidates(SweepContext& context, BuildAhead& builds, DeviceClient& client, SweepGroup& group,
                   const Limits& limits)
      : context_(context), group_(group), measurer_(context, client, group, &builds), limits_(limits) {
    measurer_.search_until(limits.end);
  }

  std::optional<RunTimes> enter(std::size_t point) override;
  std::optional<double> joules(std::size_t point) override;
  PairBlock measure(const Block& block) override;
  bool leave(std::size_t point) override;
  [[nodiscard]] bool runs(std::size_t point) const override { return group_.points[point].works(); }

  /// The evaluation of a point is over, with that many blocks; later blocks in the log belong to the finals.
  void restore(std::size_t point, std::int64_t blocks);
  /// So many blocks of the log have been used.
  [[nodiscard]] std::int64_t blocks_of(std::size_t point) const;
  /// Energy per run of the point, back to back for so long; nothing if the device reports none.
  void measure_energy(std::size_t point, double seconds);
  /// What it took to prepare the last point that entered.
  [[nodiscard]] double prepare_seconds() const { return prepare_seconds_; }
  /// What building, verifying and measuring have cost since the last call; `search_s` is zero.
  EvaluationCost take_cost();

 private:
  PairBlock measure_times(const Block& block);
  [[nodiscard]] std::optional<PairTimes> measure_energies(const Block& block, bool own_first);
  const BlockRecord* next_block(std::size_t point, const BlockPlan& plan);
  [[nodiscard]] const BlockRecord* known_block(std::size_t point, const BlockPlan& plan);
  [[nodiscard]] int pairs_that_fit(const Block& block) const;

  SweepContext& context_;
  SweepGroup& group_;
  Measurer measurer_;
  Limits limits_;
  std::map<std::size_t, std::size_t> used_;  // blocks, by point
  int energy_pairs_ = 0;
  EvaluationCost cost_;
  double prepare_seconds_ = 0;
};

}  // namespace dwarfsweep
