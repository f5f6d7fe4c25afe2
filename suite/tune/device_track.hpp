// A device as a track: what a search asks for is measured by a worker process and written into the log, or
// taken from there where a killed run has it already.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "suite/sweep/point_measurer.hpp"
#include "suite/tune/track.hpp"

namespace dwarfsweep {

class DeviceTrack : public Track {
 public:
  /// `client`: of the group's device. No block is to take much longer than `max_block`, but for one of a
  /// single pair.
  DeviceTrack(const SweepContext& context, DeviceClient& client, SweepGroup& group,
              std::chrono::milliseconds max_block)
      : context_(context), group_(group), measurer_(context, client, group), max_block_(max_block) {}

  std::optional<RunTimes> enter(std::size_t point) override;
  std::vector<PairTimes> measure(const Block& block) override;
  bool leave(std::size_t point) override;
  [[nodiscard]] bool runs(std::size_t point) const override { return group_.points[point].alive; }

  /// The evaluation of a point is over, with so many blocks: what the log has beyond belongs to the finals.
  void restore(std::size_t point, std::int64_t blocks);
  /// So many blocks of the log have been used.
  [[nodiscard]] std::int64_t blocks_of(std::size_t point) const;
  /// Energy per run of the point, back to back for so long; nothing where the device tells none.
  void measure_energy(std::size_t point, double seconds);
  /// What building, verifying and measuring have cost since the last call; `search_s` is zero.
  EvaluationCost take_cost();

 private:
  const BlockRecord* next_block(std::size_t point, const BlockRequest& request);
  [[nodiscard]] const BlockRecord* known_block(std::size_t point, const BlockRequest& request);
  [[nodiscard]] int pairs_that_fit(const Block& block) const;

  SweepContext context_;
  SweepGroup& group_;
  PointMeasurer measurer_;
  std::chrono::milliseconds max_block_;
  std::map<std::size_t, std::size_t> used_;  // blocks, by point
  EvaluationCost cost_;
};

}  // namespace dwarfsweep
