#include "suite/compare/bisect.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>

#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
namespace {

using Outcome = PairEvidence::Outcome;
using Side = SideTest::Side;

// The logarithm of E_n with `more` of n values on the side of the bet. `more` >= n / 2, so the sum is at
// least 1/4 and nothing cancels.
double log_stake(int more, int n) {
  double share = 0;  // P(Bin(n + 1, 1/2) <= more)
  for (int k = 0; k <= more; ++k)
    share +=
        std::exp(std::lgamma(n + 2) - std::lgamma(k + 1) - std::lgamma(n + 2 - k) - (n + 1) * std::log(2.0));
  return (n + 1) * std::log(2.0) + std::lgamma(more + 1) + std::lgamma(n - more + 1) - std::lgamma(n + 2) +
         std::log(share);
}

double median_or_0(const std::vector<double>& values) {
  return values.empty() ? 0 : median(values);
}

// `may_guess`: where the test is open the side with more blocks counts.
Judged judge_pair(const PairEvidence& evidence, double limit, double error, bool may_guess) {
  Judged judged{PointChange::open, evidence, std::exp(median_or_0(evidence.logs))};
  if (evidence.outcome == Outcome::fails_after) judged.change = PointChange::fails;
  if (evidence.outcome == Outcome::incomparable) judged.change = PointChange::incomparable;
  if (evidence.outcome != Outcome::works) return judged;
  const SideTest test = tested(evidence.logs, limit, error);
  const Side side = may_guess && test.side() == Side::open ? test.majority() : test.side();
  judged.guessed = side != test.side();
  judged.change = side == Side::above   ? PointChange::slower
                  : side == Side::below ? PointChange::same
                                        : PointChange::open;
  return judged;
}

// The point to follow: a failure before a slowdown, then the one with the most evidence per block, then the
// one that changed most. None if none has changed.
std::optional<std::size_t> point_to_follow(const std::vector<Judged>& points, double limit, double error) {
  const auto merit = [&](const Judged& judged) {
    const SideTest test = tested(judged.evidence.logs, limit, error);
    return std::make_tuple(judged.change == PointChange::fails, test.evidence() / std::max(1, test.values()),
                           judged.ratio);
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].change != PointChange::slower && points[i].change != PointChange::fails) continue;
    // A failing point has no blocks; the first of several is as good as any.
    if (!best || merit(points[i]) > merit(points[*best])) best = i;
  }
  return best;
}

// The rung nearest to the middle that can be compared; none if there is no such rung between the two.
std::optional<std::size_t> middle_of(std::size_t low, std::size_t high, const std::vector<bool>& skipped) {
  const std::size_t middle = (low + high) / 2;
  for (std::size_t distance = 0; distance < high - low; ++distance) {
    if (middle + distance < high && !skipped[middle + distance] && middle + distance > low)
      return middle + distance;
    if (middle > low + distance && !skipped[middle - distance]) return middle - distance;
  }
  return std::nullopt;
}

}  // namespace

void SideTest::add(double value) {
  if (value > limit_) ++above_;
  if (value < limit_) ++below_;
}

double SideTest::evidence() const {
  return log_stake(std::max(above_, below_), values());
}

SideTest::Side SideTest::majority() const {
  return above_ > below_ ? Side::above : above_ < below_ ? Side::below : Side::open;
}

SideTest::Side SideTest::side() const {
  // The mean over p is at most the largest value, at p = share; this spares the sum.
  const double share = std::max(above_, below_) / static_cast<double>(std::max(1, values()));
  const auto part = [](double p) { return p > 0 ? p * std::log(2 * p) : 0; };
  if (values() * (part(share) + part(1 - share)) < -std::log(error_)) return Side::open;
  return evidence() >= -std::log(error_) ? majority() : Side::open;
}

SideTest tested(const std::vector<double>& values, double limit, double error) {
  SideTest test(limit, error);
  for (const double value : values) {
    // Whatever comes after the decision does not change it.
    if (test.side() != Side::open) break;
    test.add(value);
  }
  return test;
}

std::string_view to_string(PointChange change) {
  switch (change) {
    case PointChange::same:
      return "same";
    case PointChange::slower:
      return "slower";
    case PointChange::fails:
      return "fails";
    case PointChange::open:
      return "open";
    case PointChange::incomparable:
      return "not comparable";
  }
  return "";
}

Bisection bisect_ladder(std::size_t rungs, std::size_t points, double threshold,
                        const MeasureRungs& measure) {
  Bisection result;
  const auto ask = [&](std::size_t before, std::size_t after, const std::vector<std::size_t>& which,
                       double limit, double error, int least_blocks) {
    const std::vector<PairEvidence> all = measure(before, after, which, [&](const std::vector<double>& logs) {
      return static_cast<int>(logs.size()) >= least_blocks && tested(logs, limit, error).side() != Side::open;
    });
    for (const PairEvidence& each : all) result.pairs_of_blocks += each.logs.size();
    return all;
  };

  std::vector<std::size_t> everything(points);
  std::iota(everything.begin(), everything.end(), 0);
  const double slow = std::log1p(threshold);
  const double point_error = bisect_error / 2 / static_cast<double>(std::max<std::size_t>(1, points));
  for (const PairEvidence& each : ask(0, rungs - 1, everything, slow, point_error, 0))
    result.points.push_back(judge_pair(each, slow, point_error, false));
  const auto followed = point_to_follow(result.points, slow, point_error);
  if (!followed) {
    const auto is_open = [](const Judged& judged) { return judged.change == PointChange::open; };
    result.found = std::ranges::any_of(result.points, is_open) ? PointChange::open : PointChange::same;
    return result;
  }

  result.point = *followed;
  const Judged& whole = result.points[*followed];
  result.found = whole.change;
  result.after = rungs - 1;
  result.between = whole;
  const bool fails = whole.change == PointChange::fails;
  const double steps = std::ceil(std::log2(static_cast<double>(rungs - 1)));
  const double step_error = bisect_error / 2 / (steps + 1);
  // Where a failure is sought a rung on which the point works is good, however slow.
  const double limit = fails ? INFINITY : median_or_0(whole.evidence.logs) / 2;
  const int least_blocks = fails ? failure_trials * bisect_blocks_per_process : 0;
  std::vector<bool> skipped(rungs, false);
  while (const auto rung = middle_of(result.before, result.after, skipped)) {
    const std::vector<PairEvidence> evidence =
        ask(0, *rung, {*followed}, limit, fails ? 1 : step_error, least_blocks);
    Judged judged = judge_pair(evidence.front(), limit, fails ? 1 : step_error, true);
    if (judged.change == PointChange::same && static_cast<int>(judged.evidence.logs.size()) < least_blocks)
      judged.guessed = true;
    result.steps.push_back({*rung, judged});
    if (judged.change == PointChange::same) {
      result.before = *rung;
    } else if (judged.change == PointChange::slower || judged.change == PointChange::fails) {
      result.after = *rung;
    } else {
      skipped[*rung] = true;
    }
  }
  if (result.before != 0 || result.after != rungs - 1) {
    const double last_limit = fails ? INFINITY : std::min(slow, limit);
    const double last_error = fails ? 1 : step_error;
    result.between = judge_pair(
        ask(result.before, result.after, {*followed}, last_limit, last_error, least_blocks).front(),
        last_limit, last_error, false);
  }
  return result;
}

}  // namespace dwarfsweep
