#include "suite/engine/best_candidate.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "harness/statistics/statistics.hpp"
#include "suite/engine/candidates.hpp"
#include "suite/engine/convergence.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<Speedup> speedup_of(const std::vector<BlockRecord>& blocks, double confidence) {
  const std::vector<KernelSamples> kernels = collect_samples(blocks);
  return kernels.empty() ? std::nullopt : paired_speedup(kernels.back().pairs, confidence);
}

std::vector<SweepPoint*> faster_points(SweepGroup& group, const SweepLog& log,
                                       std::vector<Candidate>& candidates) {
  std::vector<SweepPoint*> points;
  if (!group.selects) return points;
  for (SweepPoint& point : group.points) {
    const PointRecord* known = log.find(point);
    if (point.baseline || known == nullptr || known->preparation.status != Status::ok) continue;
    if (!gives_whole_result(point.key.dwarf, point.request.config.string("variant"))) continue;
    const auto speedup = speedup_of(log.ordinary_blocks(point), default_confidence);
    if (!speedup || speedup->ratio <= 1) continue;
    points.push_back(&point);
    candidates.push_back({speedup->ratio, std::nullopt});
  }
  return points;
}

class Remeasurement {
 public:
  Remeasurement(SweepGroup& group, const SweepContext& context, PointMeasurer& measurer)
      : context_(context), log_(context.outcomes.log()), measurer_(measurer) {
    points_ = faster_points(group, log_, candidates_);
  }

  void run(Clock::time_point deadline) {
    for (bool first = true; const auto next = next_to_remeasure(candidates_); first = false) {
      if (!first && Clock::now() > deadline) return;
      measure_again(*points_[*next], deadline);
      const auto again = speedup_of(log_.remeasured_blocks(*points_[*next]), sequential_confidence);
      // One that fails, or has no time of its own left, does not hold up.
      candidates_[*next].again = again.value_or(Speedup{0, 0, 0, Verdict::within_noise});
    }
  }

 private:
  void measure_again(SweepPoint& point, Clock::time_point deadline) {
    const Quality& quality = context_.options.quality;
    if (point.ended && !point.alive) (void)context_.outcomes.restore(point);
    const std::vector<BlockRecord> known = log_.blocks(point);
    const int pairs = std::max(1, static_cast<int>(known.front().samples.size()) / 2);
    const auto ordinary = static_cast<int>(log_.ordinary_blocks(point).size());
    auto done = static_cast<int>(known.size()) - ordinary;
    for (; done < quality.rounds && point.alive && measurer_.has_time_for_block(point); ++done) {
      if (done >= quality.blocks && Clock::now() > deadline) return;
      if (converged(log_.remeasured_blocks(point), quality)) return;
      if (quality.blocks_per_process > 0 && done % quality.blocks_per_process == 0) measurer_.renew_process();
      measurer_.measure_block(point, {.round = ordinary + done, .pairs = pairs, .confirmation = true});
    }
  }

  const SweepContext& context_;
  const SweepLog& log_;
  PointMeasurer& measurer_;
  std::vector<SweepPoint*> points_;
  std::vector<Candidate> candidates_;  // of points_
};

}  // namespace

void remeasure_best_candidates(SweepGroup& group, const SweepContext& context, PointMeasurer& measurer,
                               Clock::time_point deadline) {
  Remeasurement(group, context, measurer).run(deadline);
}

SweepPoint* best_remeasured(SweepGroup& group, const SweepLog& log) {
  std::vector<Candidate> candidates;
  SweepPoint* best = nullptr;
  double best_ratio = 1;
  for (SweepPoint* const point : faster_points(group, log, candidates)) {
    const auto again = speedup_of(log.remeasured_blocks(*point), default_confidence);
    if (!again || again->ratio <= best_ratio) continue;
    best = point;
    best_ratio = again->ratio;
  }
  return best;
}

bool lacks_remeasurement(SweepGroup& group, const SweepLog& log) {
  std::vector<Candidate> candidates;
  const std::vector<SweepPoint*> points = faster_points(group, log, candidates);
  const auto remeasured = [&](const SweepPoint* point) { return !log.remeasured_blocks(*point).empty(); };
  return !points.empty() && std::none_of(points.begin(), points.end(), remeasured);
}

}  // namespace dwarfsweep
