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
constexpr double measuring_part = 0.85;
// A brief turn measures no more than the minimum; what it does not need is for the turns after it.
constexpr double brief_measuring_part = 0.3;

// Of the share of a device that has a counter of energy.
constexpr double energy_part = 0.12;

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
        client_(client),
        group_(group),
        measurer_(context, client, group, &builds) {}

  // What is left of the share when preparing ends is for measuring. A point that was prepared gets at least
  // one block; what then lacks time stays open. Throws Interrupted.
  void run(GroupTurn turn) {
    const auto begin = Clock::now();
    const milliseconds for_energy = part_of(turn.share, energy_part);
    const bool has_counter = !context_.log.run().energies.empty();  // as was seen in another group
    if (has_counter && !turn.brief) turn.share -= for_energy;
    builds_.prefer(turn.points);
    if (group_.reference() != nullptr) prepare_again(*group_.reference());
    if (group_.anchor) prepare_again(group_.points[*group_.anchor]);
    prepare(turn, begin);
    settle_anchor();
    if (turn.brief) {
      measure_rounds(Clock::now() + part_of(turn.share, brief_measuring_part), quality_.blocks);
    } else {
      measure_rounds(begin + part_of(turn.share, measuring_part), quality_.rounds);
      remeasure_best_candidates(group_, context_, measurer_, begin + turn.share);
      measure_energies(for_energy);
    }
    measurer_.verify_last_outputs();
    if (!turn.brief) take_digests();
    std::ranges::sort(stopped_);  // in the order of the plan
    for (SweepPoint* const point : stopped_) {
      if (point->works()) outcomes_.end(*point, *point->stop_reason);
    }
  }

 private:
  // A baseline or anchor that has ended before is still needed: what is to do is paired with it.
  void prepare_again(SweepPoint& reference) {
    if (reference.works() || reference.rejected) return;
    if (reference.stop_reason) {
      (void)outcomes_.restore(reference);
    } else {
      measurer_.prepare(reference);
    }
  }

  // The anchor is chosen before any sample that counts, and never changes: a point that is selected by
  // samples that count seems faster than it is, and would pass that on to all others.
  void settle_anchor() {
    const auto is_measured = [&](const SweepPoint& point) { return !context_.log.blocks(point).empty(); };
    if (!group_.anchor && std::ranges::none_of(group_.points, is_measured))
      group_.anchor = choose_anchor(group_);
    if (!group_.anchor) return;
    const SweepPoint& anchor = group_.points[*group_.anchor];
    if (anchor.works() && !context_.log.run().anchors.contains(anchor.key.text()))
      outcomes_.measured(AnchorRecord{anchor.key, group_.reference()->run_ns, anchor.run_ns});
  }

  void prepare(const GroupTurn& turn, Clock::time_point begin) {
    std::vector<SweepPoint*> left;
    for (SweepPoint* point : turn.points) {
      if (!point->stop_reason && !point->works()) left.push_back(point);
    }
    const double whole = turn.brief ? 1 : measuring_part;
    while (!left.empty()) {
      if (Clock::now() >= begin + part_of(turn.share, whole) - time_to_measure(turn.share, whole)) return;
      const auto begin_of_point = Clock::now();
      SweepPoint& point = *builds_.take_next(left);
      measurer_.prepare(point);
      builds_.prepared(Clock::now() - begin_of_point, point.sample_ns);
    }
  }

  // How much of a share preparing leaves for measuring: enough for all pairs of the points so far, but no
  // more than preparing_part() allows. Each prepared point has one block in any case, with one pair. `whole`:
  // the part that both have together.
  [[nodiscard]] milliseconds time_to_measure(milliseconds share, double whole) const {
    constexpr double overhead = 1.5;  // a visit takes so many times as long as its samples
    std::vector<SweepPoint*> points = open_points();
    const double all_pairs_ns = overhead * quality_.blocks * quality_.pairs * ns_of_pairs(points);
    std::erase_if(points, [&](const SweepPoint* point) { return !context_.log.blocks(*point).empty(); });
    const auto ms = [](double ns) { return milliseconds(static_cast<long long>(std::min(ns * 1e-6, 1e12))); };
    return std::max(ms(ns_of_pairs(points)),
                    std::min(ms(all_pairs_ns), part_of(share, whole - preparing_part_so_far())));
  }

  [[nodiscard]] double preparing_part_so_far() const {
    std::size_t measured = 0;
    std::size_t converged = 0;
    for (const SweepPoint& point : group_.points) {
      if (context_.log.blocks(point).empty()) continue;
      ++measured;
      if (point.stop_reason == narrow_enough) ++converged;
    }
    return preparing_part(measured, converged);
  }

  // One of each point.
  [[nodiscard]] double ns_of_pairs(const std::vector<SweepPoint*>& points) const {
    double ns = 0;
    for (const SweepPoint* point : points) {
      const SweepPoint* const reference = group_.reference_of(*point);
      ns += point->sample_ns + (reference == nullptr ? 0 : reference->sample_ns);
    }
    return ns;
  }

  [[nodiscard]] std::vector<SweepPoint*> open_points() const {
    std::vector<SweepPoint*> open;
    for (SweepPoint& point : group_.points) {
      if (point.works() && !point.stop_reason) open.push_back(&point);
    }
    return open;
  }

  // Pairs in a block: with the baseline, and with the anchor.
  struct Pairs {
    int with_baseline = 1;
    int with_anchor = 1;
  };

  // Fewer pairs in a block if the minimum number of blocks would not fit otherwise: many short blocks spread
  // over time show more than one long block. Those with a slow baseline take up to half of the time.
  [[nodiscard]] Pairs pairs_that_fit(Clock::time_point deadline) const {
    std::vector<SweepPoint*> with_baseline;
    std::vector<SweepPoint*> with_anchor;
    for (SweepPoint* point : open_points())
      (group_.reference_of(*point) == group_.reference() ? with_baseline : with_anchor).push_back(point);
    double left_ns = std::chrono::duration<double, std::nano>(deadline - Clock::now()).count();
    const auto fit = [&](const std::vector<SweepPoint*>& points, double share) {
      const double pair_ns = std::max(1.0, ns_of_pairs(points) * quality_.blocks);
      const auto pairs =
          static_cast<int>(std::clamp(share * left_ns / pair_ns, 1.0, static_cast<double>(quality_.pairs)));
      left_ns -= pairs * pair_ns;
      return pairs;
    };
    Pairs pairs;
    pairs.with_baseline = fit(with_baseline, with_anchor.empty() ? 1 : 0.5);
    pairs.with_anchor = fit(with_anchor, 1);
    return pairs;
  }

  // One block of every open point per round, in a new random order, until each has converged or the time is
  // up. The first round continues after the deadline, so that preparing was worthwhile.
  void measure_rounds(Clock::time_point deadline, int rounds) {
    std::vector<SweepPoint*> open = open_points();
    const Pairs pairs = pairs_that_fit(deadline);
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

  void measure_in_turn(SweepPoint& point, int round, const Pairs& pairs) {
    if (!point.works()) return;
    const auto is_enough = [&] {
      return converged(context_.log.ordinary_blocks(point), quality_, IntervalOf::speedup,
                       context_.log.anchor_blocks(group_));
    };
    SweepPoint* const reference = group_.reference_of(point);
    const int blocks = static_cast<int>(context_.log.ordinary_blocks(point).size());
    // All speedups contain the anchor's: it gets a block in any round.
    const bool is_anchor = group_.anchor && &point == &group_.points[*group_.anchor];
    if (blocks > round && !(is_anchor && blocks < quality_.rounds)) {  // of an earlier turn or sitting
      if (blocks == round + 1 && is_enough()) stop(point, narrow_enough);
      return;
    }
    if (outcomes_.given_up(point)) {
      if (blocks == 0) return outcomes_.skip(point);
      return stop(point, skipped);
    }
    if (!measurer_.has_time_for_block(point)) return stop(point, "point-timeout");
    const int own_round = std::max(round, blocks);
    const bool measured = measurer_.measure_block(
        point, {.round = own_round,
                .pairs = reference == group_.reference() ? pairs.with_baseline : pairs.with_anchor,
                .seed = measurer_.order_seed(own_round, point),
                .reference = reference});
    if (measured && is_enough()) stop(point, narrow_enough);
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
  DeviceClient& client_;
  SweepGroup& group_;
  Measurer measurer_;
  std::vector<SweepPoint*> stopped_;  // by the rounds of this turn
};

}  // namespace

double preparing_part(std::size_t measured, std::size_t converged) {
  return measured > 0 && 4 * converged >= 3 * measured ? 0.6 : 0.45;
}

void measure_group(SweepContext& context, BuildAhead& builds, DeviceClient& client, SweepGroup& group,
                   const GroupTurn& turn) {
  GroupMeasurement(context, builds, client, group).run(turn);
}

}  // namespace dwarfsweep
