#include "suite/engine/known_candidates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/statistics/random.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

// A candidate that was measured, and the median time of its runs.
struct Timed {
  SweepPoint* point = nullptr;
  double ns = 0;
};

const std::string& variant_of(const SweepPoint& point) {
  return point.request.config.string("variant");
}

// The fastest first. All by spans, or all by wall times.
std::vector<Timed> timed_candidates(SweepGroup& group, const SweepLog& log) {
  std::vector<BlockRecord> all;
  std::vector<Timed> timed;
  for (SweepPoint& point : group.points) {
    const std::vector<BlockRecord>& blocks = log.blocks(point);
    if (!point.candidate || !point.works() || blocks.empty()) continue;
    timed.push_back({&point});
    all.insert(all.end(), blocks.begin(), blocks.end());
  }
  const RunTime run_time = run_time_of(all);
  for (Timed& each : timed) {
    const std::vector<KernelSamples> kernels = collect_samples(log.blocks(*each.point), run_time);
    if (kernels.empty()) continue;
    if (const auto summary = summary_of(kernels.back())) each.ns = summary->median;
  }
  std::erase_if(timed, [](const Timed& each) { return each.ns <= 0; });
  std::ranges::sort(timed, {}, &Timed::ns);
  return timed;
}

}  // namespace

std::vector<SweepPoint*> slower_candidates(SweepGroup& group, SweepContext& context) {
  constexpr double clearly = 1.25;  // one block may be off by some per cent
  std::vector<SweepPoint*> slower;
  const std::vector<Timed> timed = timed_candidates(group, context.log);
  for (const Timed& each : timed) {
    SweepPoint& point = *each.point;
    if (point.baseline || point.stop_reason || each.ns <= clearly * timed.front().ns) continue;
    context.outcomes.note(point,
                          fmt::format("{}; takes {:.3g} times as long as another such point, {}", point.note,
                                      each.ns / timed.front().ns, variant_of(*timed.front().point)));
    slower.push_back(&point);
  }
  return slower;
}

void choose_fastest_candidate(const Options& options, DeviceClient& client, SweepGroup& group) {
  constexpr int samples = 3;
  if (std::ranges::count(group.points, true, &SweepPoint::candidate) < 2) return;
  SweepContext context(options);
  Measurer measurer(context, client, group);
  std::vector<std::string> origins;
  for (SweepPoint& point : group.points) {
    origins.push_back(point.candidate ? point.note.substr(known_point_remark.size()) : "");
    if (!point.candidate || point.rejected) continue;
    measurer.prepare(point);
    (void)measurer.measure_block(point, {.pairs = samples, .seed = options.seed});
  }
  measurer.verify_last_outputs();
  const std::vector<Timed> timed = timed_candidates(group, context.log);
  if (timed.empty()) return;
  const Timed& fastest = timed.front();
  std::vector<std::string> others;
  for (SweepPoint& point : group.points) {
    if (!point.candidate || &point == fastest.point) continue;
    const auto known = std::ranges::find(timed, &point, &Timed::point);
    const std::string result = known != timed.end()
                                   ? fmt::format("takes {:.3g} times as long", known->ns / fastest.ns)
                               : point.rejected ? "cannot run here"
                                                : "fails: " + context.log.find(point)->preparation.reason;
    others.push_back(fmt::format("{} {}", variant_of(point), result));
    measurer.release(point);
  }
  group.known_point = static_cast<std::size_t>(fastest.point - group.points.data());
  group.known->settings = fastest.point->request.config;
  group.known->origin = fmt::format("{}; the fastest of {} candidates: {}", origins[group.known_point],
                                    others.size() + 1, fmt::join(others, ", "));
}

}  // namespace dwarfsweep
