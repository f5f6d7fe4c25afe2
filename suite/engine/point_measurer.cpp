#include "suite/engine/point_measurer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/space/text.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

// A measurement block may take so many times as long as the longest before it without running into the
// point's limit.
constexpr int block_reserve = 4;

milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

// Another order in every block, the same in every run of the same seed.
std::uint64_t order_seed(std::uint64_t seed, int round, const PointKey& key) {
  return seed_of_part(seed_of_part(seed, static_cast<std::uint64_t>(round)), fnv1a(key.config));
}

}  // namespace

void PointMeasurer::prepare(SweepPoint& point) {
  PointOutcomes& outcomes = context_.outcomes;
  if (outcomes.restore(point)) {
    const Status status = outcomes.log().find(point)->preparation.status;
    if (!point.alive) outcomes.end(point, is_failure(status) ? "failed" : "rejected");
    return;
  }
  if (outcomes.given_up(point)) return outcomes.skip(point);
  show(point, "preparing");
  if (const auto built = context_.builds.outcome_of(point)) {
    if (built->status != Status::ok) return outcomes.fail(point, built->status, built->reason);
    if (!built->note.empty()) outcomes.note(point, built->note);
  }
  const auto begin = Clock::now();
  Preparation preparation;
  const bool done = questions_.ask(point, PreparePoint{point.request}, context_.options.point_timeout,
                                   [&](const Preparation& answer) { preparation = answer; });
  point.spent += since(begin);
  if (!done) return;
  preparation.reason = point.note;
  point.process = client_.process();
  outcomes.prepared(point, preparation);
}

bool PointMeasurer::prepare_again(SweepPoint& point) {
  if (point.process == client_.process()) return true;
  if (!questions_.ask(point, PreparePoint{point.request}, context_.options.point_timeout,
                      [](const Preparation&) {})) {
    return false;
  }
  point.process = client_.process();
  return true;
}

bool PointMeasurer::has_time_for_block(const SweepPoint& point) const {
  return point.spent + block_reserve * point.longest_block < context_.options.point_timeout;
}

void PointMeasurer::measure_block(SweepPoint& point, const BlockRequest& block) {
  SweepPoint& opponent = block.opponent ? *block.opponent : group_.points.front();
  const bool is_incumbent = !opponent.baseline;
  // The opponent first, in a request of its own, so that its failure is not the variant's.
  const bool paired =
      !block.alone && (opponent.baseline || block.opponent) && opponent.alive && prepare_again(opponent);
  if (!point.alive || (block.opponent && !paired) || !prepare_again(point)) return;
  show(point,
       block.confirmation ? "re-measuring the best candidate" : fmt::format("round {}", block.round + 1));
  const Options& options = context_.options;
  const MeasureBlock request{point.request, paired ? std::optional(opponent.request) : std::nullopt,
                             block.pairs, order_seed(options.seed, block.round, point.key)};
  point.checked = false;
  BlockRecord record{point.key, block.round, 0, paired, block.confirmation, {}};
  if (paired && is_incumbent) record.opponent = opponent.key.config;
  const auto begin = Clock::now();
  const bool done =
      questions_.ask(point, request, std::max(milliseconds(1), options.point_timeout - point.spent),
                     [&](const MeasuredBlock& answer) {
                       record.samples = answer.samples;
                       for (BlockSample& sample : record.samples) {
                         if (is_incumbent && sample.role == PairRole::baseline)
                           sample.role = PairRole::incumbent;
                       }
                       record.clock = answer.clock;
                       record.process = client_.process();
                     });
  const milliseconds took = since(begin);
  point.spent += took;
  point.longest_block = std::max(point.longest_block, took);
  if (!done || !point.alive) return;
  point.unchecked = true;
  if (paired && is_incumbent) opponent.unchecked = true;
  context_.outcomes.measured(point, record);
}

std::optional<double> PointMeasurer::measure_energy(SweepPoint& point, double seconds) {
  if (!prepare_again(point)) return std::nullopt;
  show(point, "energy");
  point.checked = false;
  std::optional<EnergyRecord> energy;
  const bool done =
      questions_.ask(point, MeasureEnergy{point.request, seconds}, context_.options.point_timeout,
                     [&](const std::optional<MeteredEnergy>& answer) {
                       if (!answer) return;
                       const EnergyUse& use = answer->use;
                       energy = {point.key, answer->meter, use.joules, use.seconds, use.runs, use.steps};
                     });
  if (!done || !point.alive || !energy) return std::nullopt;
  point.unchecked = true;
  context_.outcomes.measured(*energy);
  return energy->joules / energy->runs;
}

void PointMeasurer::check_last_outputs() {
  for (SweepPoint& point : group_.points) {
    if (point.unchecked && point.alive) {
      check_last_output(point);
      point.checked = point.alive;
    }
    point.unchecked = false;
  }
}

void PointMeasurer::release(SweepPoint& point) {
  if (!point.alive) return;
  check_last_output(point, true);
  point.checked = point.alive;
  point.unchecked = false;
  point.process = 0;
}

void PointMeasurer::check_last_output(SweepPoint& point, bool forget) {
  if (!prepare_again(point)) return;
  (void)questions_.ask(point, FinishPoint{point.request, forget}, context_.options.point_timeout,
                       [](LastOutput) {});
}

void PointMeasurer::renew_process() {
  const auto unchecked = [](const SweepPoint& point) { return point.unchecked; };
  if (std::none_of(group_.points.begin(), group_.points.end(), unchecked)) return;
  check_last_outputs();
  client_.stop();
}

void PointMeasurer::show(const SweepPoint& point, const std::string& doing) {
  context_.progress.show(
      fmt::format("{} · {} {} · {}", group_.device.name, point.key.dwarf, doing, point.key.config));
}

}  // namespace dwarfsweep
