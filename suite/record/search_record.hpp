// The records of a search for the best point (`tune`), beside those of its points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dwarfsweep {

/// Identifies a point within a run.
struct PointKey {
  std::string device_id;
  std::string dwarf;
  std::string size;     ///< "tiny" to "paper", "custom" or "file"
  std::string problem;  ///< "n=1024"
  std::string config;   ///< "variant=tiled;work_group=16;..."; for the host's own CPU "variant=serial|openmp"

  /// What points have in common that share their data and baseline.
  [[nodiscard]] std::string group() const { return device_id + "|" + dwarf + "|" + size + "|" + problem; }
  [[nodiscard]] std::string text() const { return group() + "|" + config; }
  friend bool operator==(const PointKey&, const PointKey&) = default;
};

/// What the kernels of a point execute at a small problem.
struct CountedPoint {
  std::string config;
  double instructions = 0, threads = 0, regions = 0;  ///< as InstructionCounts
  /// Of its kernels the most that a work-item and a group need, on the device that is searched and at the
  /// searched problem; no registers: the device does not tell.
  std::int64_t registers = 0, local_bytes = 0;
};

/// A search of one dwarf and problem on one device ("search"): written when it begins, and again whenever it
/// enters another phase.
struct SearchRecord {
  PointKey baseline;  ///< names the group
  std::string strategy;
  std::string objective = "time";  ///< what the best has least of: time, energy, or both
  std::uint64_t seed = 1;
  std::uint64_t points = 0;                ///< of the space, illegal ones included
  std::vector<std::string> known;          ///< the configurations that it began with
  std::vector<CountedPoint> counted = {};  ///< what the strategy carve goes by
  double carving_s = 0;                    ///< what counting and compiling them took
  std::string phase;                       ///< search, final or ended
  double seconds = 0;                      ///< spent on this search so far, in all sittings
};

/// What an evaluation, a distinct point that the search has tried, has cost.
struct EvaluationCost {
  double search_s = 0;  ///< until the strategy had proposed it
  double build_s = 0;
  double verify_s = 0;   ///< before the first sample and after the last
  double measure_s = 0;  ///< uploads, warming up and samples
};

/// The outcome of an evaluation ("evaluation"), written when it is over. Holds what a search needs to go on
/// where it was killed.
struct EvaluationRecord {
  PointKey key;
  std::int64_t number = 0;   ///< from 1; 0: the baseline, which nobody proposed
  std::string proposer;      ///< the strategy, or its part, that asked for the point
  std::int64_t planned = 0;  ///< evaluations in all, as was expected when the point was proposed
  std::string outcome;       ///< faster, tied, dropped, screened or failed
  /// On one scale for the whole search: each is the incumbent's, divided by the paired ratio to it. None: the
  /// point failed.
  std::optional<double> time_ns;
  /// Of a run, on a scale of its own; none where the objective is time, or the point was not raced.
  std::optional<double> joules;
  /// What is compared; none where that is the time.
  std::optional<double> value;
  double error = 0;         ///< half-width of the interval of the natural logarithm of the ratio
  std::string opponent;     ///< the configuration of the incumbent that it was raced against; empty: none
  std::int64_t blocks = 0;  ///< measurement blocks of the point
  double seconds = 0;       ///< spent on the search so far, in all sittings
  EvaluationCost cost;
  /// After it: standard deviation of the logarithm of a pair's ratio, and the incumbent's latest times.
  double noise = 0;
  double incumbent_span_ns = 0;
  double incumbent_wall_ns = 0;
};

/// A point that no interval separates from the best one.
struct TiedPoint {
  std::string config;
  double ratio = 1;  ///< time of the best point over its own
  double low = 0, high = 0;
  bool fresh = false;  ///< by blocks taken when the search was over; else by those of the search
};

/// A point that no other of its search is better than in both time and energy.
struct FrontPoint {
  std::string config;
  double time_ns = 0, joules = 0;                            ///< on the scale of the best point
  double time_ratio = 1, time_low = 1, time_high = 1;        ///< time of the best point over its own
  double energy_ratio = 1, energy_low = 1, energy_high = 1;  ///< energy of the best point over its own
};

/// Random search with as much of something as carving had.
struct CarvingRow {
  std::string with;         ///< "as many measured", "as many compiled", "the same seconds"
  std::int64_t points = 0;  ///< that random search would measure for it
  std::int64_t drawn = 0;   ///< of these, at most as many as were measured of the random points
  double probability = 0;   ///< that the best of so many is at least as good as the best of those kept
};

/// What the strategy carve has kept, and what random search finds, whose points it measures in turn.
struct CarvingRecord {
  std::int64_t counted = 0;   ///< points that carving looked at
  std::int64_t compiled = 0;  ///< of these, for the device that is searched, before anything was measured
  std::int64_t kept = 0;
  std::int64_t measured = 0;  ///< of those kept
  bool by_efficiency_alone = false;
  std::string best;  ///< the best of those kept; empty: none ran
  double best_value = 0, efficiency = 0, utilisation = 0;
  std::int64_t random = 0;  ///< points of random search that were measured
  double random_value = 0;  ///< the best of these; 0: none ran
  double seconds = 0;       ///< counting, compiling, and measuring those kept
  std::vector<CarvingRow> rows;
};

/// What a search has found ("answer").
struct AnswerRecord {
  PointKey best;
  /// Over the baseline, from fresh blocks; none where the baseline does not run.
  std::optional<double> speedup;
  double speedup_low = 0, speedup_high = 0;
  double time_ns = 0;  ///< median of the fresh blocks
  /// Where the objective has energy: of a run, and the baseline's over it.
  std::optional<double> joules, saving;
  double saving_low = 0, saving_high = 0;
  std::vector<FrontPoint> front;  ///< where the objective is both, the fastest first
  std::vector<TiedPoint> tied;    ///< no interval separates them from the best
  std::optional<CarvingRecord> carving;
  std::int64_t evaluations = 0;
  double seconds = 0;
};

}  // namespace dwarfsweep
