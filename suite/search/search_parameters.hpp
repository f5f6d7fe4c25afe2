// The parameters of all strategies, the same for every space and device, each with its reason. Those of auto
// were compared by replays (`tune --replay`) of recorded spaces of several kernels and GPUs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dwarfsweep {

struct SearchParameters {
  /// Points drawn before a search follows what it has found. The best of 20 is among the best 5 % with 64 %
  /// probability, and a model needs about twice as many points as there are axes.
  std::size_t initial_points = 20;

  /// The start draws so many uniform points, and takes one of the variant that is rarest so far. Ten of them
  /// include a variant with a tenth of the points with 65 % probability. Balancing the values of all axes,
  /// too, would lead to their extremes: in replays it was no better in general and worse on convolution.
  std::size_t balancing_draws = 10;

  /// A local search that starts anew draws so many uniform points, and takes the best. The best of five is
  /// among the best third with 87 % probability. More would cost as much as the descent that follows.
  std::size_t restart_points = 5;

  /// Points that may have offspring: as Kernel Tuner's genetic algorithm and others have it. In a search of
  /// some hundreds of points, more would be no selection.
  std::size_t population = 20;

  /// Children that a genetic search makes in a row, where all are known or illegal, before it draws a point
  /// instead: the population has converged.
  std::size_t max_children = 100;

  // --- auto ---------------------------------------------------------------------------------------------
  /// Evaluations of the local search between two turns of the genetic one, and of a turn of that. The genetic
  /// search gets more, as it alone ends near the best more often. A batch is also what builder processes can
  /// build meanwhile; in a larger one the later proposals know too little of the earlier ones' results.
  std::size_t local_turns = 2;
  std::size_t batch = 4;
  /// Regression trees of the model. Their disagreement is the model's uncertainty, which takes some ten
  /// trees to estimate; the time for a proposal grows with them.
  std::size_t trees = 30;
  /// Samples below which a node is not split further. Of a few hundred careful measurements each counts.
  std::size_t min_split = 4;
  /// The share of the points whose times the model distinguishes; slower and failed ones are all alike.
  /// The parents are among them.
  double resolved_share = 0.2;
  /// A child's rank is its predicted logarithm of time less this many standard deviations between trees. With
  /// 0 the model would stay where it has been; with several it would explore rather than find.
  double optimism = 1.0;
  /// The children that are made for each fit, and the number of them, drawn at random, from which the model
  /// selects the best. With 1 it would have no influence; with all, a batch would be alike, and its errors
  /// would persist.
  std::size_t offspring = 100;
  std::size_t rivals = 10;

  // --- carve --------------------------------------------------------------------------------------------
  /// Points that are compiled for their metrics: a compilation takes some tenths of a second.
  std::size_t carved_pool = 2000;
  /// Points of that pool that a search on a device has counted: on a simulator, which takes a second for
  /// each.
  std::size_t counted_pool = 500;
  /// The share of the pool that is kept where there is but one metric: what the paper's fronts are of its
  /// four spaces, 95 of 1,935 points.
  double carved_share = 0.05;

  // --- all ----------------------------------------------------------------------------------------------
  /// Points that builders get before they are measured: there are at most 14 builders, and a point may need
  /// several programs.
  std::size_t planned_ahead = 32;
  /// Draws without a new legal point after which points are looked for one number after the other, and
  /// numbers after which that is given up: seconds, where a constraint takes microseconds.
  std::uint64_t max_draws = 10'000;
  std::uint64_t max_scan = 1'000'000;
};

inline constexpr SearchParameters search_parameters;

}  // namespace dwarfsweep
