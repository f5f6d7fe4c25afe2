#include "suite/engine/measure_group.hpp"

#include <algorithm>

#include "harness/energy/power_phase.hpp"
#include "harness/statistics/random.hpp"
#include "suite/engine/best_candidate.hpp"
#include "suite/engine/block_loop.hpp"
#include "suite/engine/known_candidates.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// Parts of a turn's share. Many points are worth more than narrow intervals of few, but each must have its
// blocks, and the best candidate its re-measurement.
constexpr double preparing_part = 0.65;
constexpr double measuring_part = 0.85;
// A brief turn measures no more than the minimum; what it does not need is for the turns after it.
constexpr double brief_measuring_part = 0.3;

// Beyond the share, and only if the device has a counter of energy.
constexpr double energy_part = 0.15;

milliseconds part_of(milliseconds share, double part) {
  return milliseconds(static_cast<long long>(static_cast<double>(share.count()) * part));
}

class GroupMeasurement {
 public:
  using Clock = std::chrono::steady_clock;

  // `client`: of the group's device.
  GroupMeasurement(SweepContext& context, BuildAhead& builds, DeviceClient& client, SweepGroup& group)
      : context_(context),
        quality_(context.options.quality),
        outcomes_(context.outcomes),
        builds_(builds),
        group_(group),
        measurer_(context, client, group, &builds) {}

  // What is left of the share when preparing ends is for measuring. A point that was prepared gets at least
  // one block; what then lacks time stays open. Throws Interrupted.
  void run(const GroupTurn& turn) {
    const auto begin = Clock::now();
    builds_.prefer(turn.points);
    prepare_baseline();
    prepare(turn, begin);
    if (turn.brief) {
      measure_rounds(Clock::now() + part_of(turn.share, brief_measuring_part), quality_.blocks);
    } else {
      measure_rounds(begin + part_of(turn.share, measuring_part), quality_.rounds);
      remeasure_best_candidates(group_, context_, measurer_, begin + turn.share);
      measure_energies(part_of(turn.share, energy_part));
    }
    measurer_.verify_last_outputs();
    if (!turn.brief) take_digests();
    std::ranges::sort(stopped_);  // in the order of the plan
    for (SweepPoint* const point : stopped_) {
      if (point->works()) outcomes_.end(*point, *point->stop_reason);
    }
  }

 private:
  // A baseline that has ended before is still needed: what is to do is paired with it.
  void prepare_baseline() {
    SweepPoint& baseline = group_.points.front();
    if (!baseline.baseline || baseline.works() || baseline.rejected) return;
    if (baseline.stop_reason) {
      (void)outcomes_.restore(baseline);
    } else {
      measurer_.prepare(baseline);
    }
  }

  void prepare(const GroupTurn& turn, Clock::time_point begin) {
    const milliseconds latest = part_of(turn.share, preparing_part);
    std::vector<SweepPoint*> left;
    for (SweepPoint* point : turn.points) {
      if (!point->stop_reason && !point->works()) left.push_back(point);
    }
    while (!left.empty()) {
      // Each prepared point has one block in any case, with one pair.
      std::vector<SweepPoint*> unmeasured = open_points();
      std::erase_if(unmeasured,
                    [&](const SweepPoint* point) { return !context_.log.blocks(*point).empty(); });
      const milliseconds measuring(static_cast<long long>(ns_of_pairs(unmeasured) / 1e6));
      if (Clock::now() >= begin + std::min(latest, turn.share - measuring)) return;
      measurer_.prepare(*builds_.take_next(left));
    }
  }

  // One of each point.
  [[nodiscard]] double ns_of_pairs(const std::vector<SweepPoint*>& points) const {
    double ns = 0;
    for (const SweepPoint* point : points) ns += point->sample_ns + group_.points.front().sample_ns;
    return ns;
  }

  [[nodiscard]] std::vector<SweepPoint*> open_points() const {
    std::vector<SweepPoint*> open;
    for (SweepPoint& point : group_.points) {
      if (point.works() && !point.stop_reason) open.push_back(&point);
    }
    return open;
  }

  // Fewer pairs in a block if the minimum number of blocks would not fit otherwise: many short blocks spread
  // over time show more than one long block.
  [[nodiscard]] int pairs_that_fit(Clock::time_point deadline) const {
    const double pair_ns = ns_of_pairs(open_points());
    const double left_ns = std::chrono::duration<double, std::nano>(deadline - Clock::now()).count();
    const double fit = left_ns / std::max(1.0, pair_ns * quality_.blocks);
    return static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(quality_.pairs)));
  }

  // One block of every open point per round, in a new random order, until each has converged or the time is
  // up. The first round continues after the deadline, so that preparing was worthwhile.
  void measure_rounds(Clock::time_point deadline, int rounds) {
    std::vector<SweepPoint*> open = open_points();
    const int pairs = pairs_that_fit(deadline);
    const auto next_round = [&](int round) {
      if (round > 0) {
        for (SweepPoint* const slower : slower_candidates(group_, context_)) stop(*slower, too_slow);
      }
      std::erase_if(open, [](const SweepPoint* point) { return !point->works() || point->stop_reason; });
      if (!open.empty()) measurer_.begin_round(round);
      Random(seed_of_part(context_.options.seed, static_cast<std::uint64_t>(round))).shuffle(open);
      return open;
    };
    const int measured =
        measure_blocks(first_of({after_rounds(rounds), at_deadline(deadline)}), next_round,
                       [&](SweepPoint* point, int round) { measure_in_turn(*point, round, pairs); });
    if (measured < quality_.rounds) return;
    for (SweepPoint* point : open_points()) stop(*point, "rounds");
  }

  void measure_in_turn(SweepPoint& point, int round, int pairs) {
    if (!point.works()) return;
    const auto is_enough = [&] { return converged(context_.log.ordinary_blocks(point), quality_); };
    const int blocks = static_cast<int>(context_.log.ordinary_blocks(point).size());
    if (blocks > round) {  // of an earlier turn, or of the run that is resumed
      if (blocks == round + 1 && is_enough()) stop(point, "converged");
      return;
    }
    if (outcomes_.given_up(point)) {
      if (blocks == 0) return outcomes_.skip(point);
      return stop(point, skipped);
    }
    if (!measurer_.has_time_for_block(point)) return stop(point, "point-timeout");
    const bool measured = measurer_.measure_block(point, {.round = round,
                                                          .pairs = pairs,
                                                          .seed = measurer_.order_seed(round, point),
                                                          .reference = group_.reference()});
    if (measured && is_enough()) stop(point, "converged");
  }

  // Written when its last output has been verified.
  void stop(SweepPoint& point, const char* reason) {
    point.stop_reason = reason;
    stopped_.push_back(&point);
  }

  // Of the points that matter most: the baseline and the best candidate, each once in a run, for up to half
  // of `limit`. Not if that is too short for a counter of energy, nor with cold caches.
  void measure_energies(milliseconds limit) {
    constexpr double max_seconds = 5;
    const double seconds = std::min(max_seconds, static_cast<double>(limit.count()) * 0.5e-3);
    if (seconds < EnergyLimits().min_seconds || context_.options.cache == CacheState::cold) return;
    if (group_.reference() == nullptr) return;  // plain C++ on the host
    for (SweepPoint* const point : {group_.reference(), best_remeasured(group_, context_.log)}) {
      if (point == nullptr || !point->works() || context_.log.run().energies.contains(point->key.text()))
        continue;
      if (!measurer_.measure_energy(*point, seconds)) return;
    }
  }

  // Of the baseline and of the points that were re-measured, while this worker holds their verified outputs.
  void take_digests() {
    for (SweepPoint& point : group_.points) {
      if (point.baseline || !context_.log.remeasured_blocks(point).empty()) measurer_.take_digests(point);
    }
  }

  SweepContext& context_;
  const Quality& quality_;
  PointOutcomes& outcomes_;
  BuildAhead& builds_;
  SweepGroup& group_;
  Measurer measurer_;
  std::vector<SweepPoint*> stopped_;  // by the rounds of this turn
};

}  // namespace

void measure_group(SweepContext& context, BuildAhead& builds, DeviceClient& client, SweepGroup& group,
                   const GroupTurn& turn) {
  GroupMeasurement(context, builds, client, group).run(turn);
}

}  // namespace dwarfsweep
