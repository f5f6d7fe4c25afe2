#include "suite/engine/best_candidate.hpp"

#include <algorithm>
#include <vector>

#include "suite/engine/block_loop.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<SweepPoint*> faster_points(SweepGroup& group, const SweepLog& log,
                                       std::vector<Candidate>& candidates) {
  std::vector<SweepPoint*> points;
  if (!group.selects) return points;
  const std::vector<BlockRecord> anchor_blocks = log.anchor_blocks(group);
  for (SweepPoint& point : group.points) {
    const PointRecord* known = log.find(point);
    if (point.baseline || known == nullptr || known->preparation.status != Status::ok) continue;
    if (!gives_whole_result(point.key.dwarf, point.request.config.string("variant"))) continue;
    const auto speedup = speedup_over_baseline(log.ordinary_blocks(point), anchor_blocks);
    if (!speedup || speedup->ratio <= 1) continue;
    points.push_back(&point);
    candidates.push_back({speedup->ratio, std::nullopt});
  }
  return points;
}

class Remeasurement {
 public:
  Remeasurement(SweepGroup& group, SweepContext& context, Measurer& measurer)
      : context_(context), group_(group), measurer_(measurer) {
    points_ = faster_points(group, context.log, candidates_);
  }

  void run(Clock::time_point deadline) {
    for (bool first = true; const auto next = next_to_remeasure(candidates_); first = false) {
      if (!first && Clock::now() > deadline) return;
      remeasure(*points_[*next], deadline);
      const auto speedup =
          speedup_over_baseline(context_.log.remeasured_blocks(*points_[*next]), {}, sequential_confidence);
      // One that fails, or has no time of its own left, does not hold up.
      candidates_[*next].remeasured = speedup.value_or(Speedup{0, 0, 0, Verdict::within_noise});
    }
  }

 private:
  void remeasure(SweepPoint& point, Clock::time_point deadline) {
    const Quality& quality = context_.options.quality;
    const SweepLog& log = context_.log;
    if (point.state == PointState::planned) (void)context_.outcomes.restore(point);
    const int pairs = pairs_that_fit(point, deadline);
    const auto ordinary = static_cast<int>(log.ordinary_blocks(point).size());
    const auto enough = first_of({after_rounds(quality.rounds), at_deadline(deadline, quality.blocks),
                                  when_converged([&] { return log.remeasured_blocks(point); }, quality)});
    const auto take = [&](int block) {
      if (!point.works() || !measurer_.has_time_for_block(point)) return false;
      measurer_.begin_round(block);
      const int round = ordinary + block;
      return measurer_.measure_block(point, {.round = round,
                                             .pairs = pairs,
                                             .seed = measurer_.order_seed(round, point),
                                             .reference = group_.reference(),
                                             .remeasured = true});
    };
    measure_blocks_of_one(enough, take, static_cast<int>(log.remeasured_blocks(point).size()));
  }

  // As many as before, fewer if the minimum number of blocks with the baseline would not fit otherwise.
  [[nodiscard]] int pairs_that_fit(const SweepPoint& point, Clock::time_point deadline) const {
    const auto before = static_cast<double>(context_.log.blocks(point).front().samples.size() / 2);
    const double left_ns = std::chrono::duration<double, std::nano>(deadline - Clock::now()).count();
    const double pair_ns = point.sample_ns + group_.reference()->sample_ns;
    const double fit = left_ns / std::max(1.0, pair_ns * context_.options.quality.blocks);
    return static_cast<int>(std::clamp(fit, 1.0, std::max(1.0, before)));
  }

  SweepContext& context_;
  SweepGroup& group_;
  Measurer& measurer_;
  std::vector<SweepPoint*> points_;
  std::vector<Candidate> candidates_;  // of points_
};

}  // namespace

bool holds_up(std::span<const Candidate> candidates, std::size_t index) {
  const std::optional<Speedup>& own = candidates[index].remeasured;
  if (!own || own->low <= 1) return false;
  for (std::size_t other = 0; other < candidates.size(); ++other) {
    const Candidate& each = candidates[other];
    if (other != index && own->low <= (each.remeasured ? each.remeasured->ratio : each.estimate))
      return false;
  }
  return true;
}

std::optional<std::size_t> next_to_remeasure(std::span<const Candidate> candidates) {
  std::optional<std::size_t> next;
  std::size_t remeasured = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (holds_up(candidates, i)) return std::nullopt;
    if (candidates[i].remeasured) {
      ++remeasured;
    } else if (!next || candidates[i].estimate > candidates[*next].estimate) {
      next = i;
    }
  }
  return remeasured < max_candidates ? next : std::nullopt;
}

void remeasure_best_candidates(SweepGroup& group, SweepContext& context, Measurer& measurer,
                               Clock::time_point deadline) {
  Remeasurement(group, context, measurer).run(deadline);
}

SweepPoint* best_remeasured(SweepGroup& group, const SweepLog& log) {
  std::vector<Candidate> candidates;
  SweepPoint* best = nullptr;
  double best_ratio = 1;
  for (SweepPoint* const point : faster_points(group, log, candidates)) {
    const auto speedup = speedup_over_baseline(log.remeasured_blocks(*point), {});
    if (!speedup || speedup->ratio <= best_ratio) continue;
    best = point;
    best_ratio = speedup->ratio;
  }
  return best;
}

bool lacks_remeasurement(SweepGroup& group, const SweepLog& log) {
  std::vector<Candidate> candidates;
  const std::vector<SweepPoint*> points = faster_points(group, log, candidates);
  const auto remeasured = [&](const SweepPoint* point) { return !log.remeasured_blocks(*point).empty(); };
  return !points.empty() && std::ranges::none_of(points, remeasured);
}

}  // namespace dwarfsweep
