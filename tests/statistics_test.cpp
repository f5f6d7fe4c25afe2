// Quantiles, intervals, summaries, speedups and the stopping rule, against published or independently
// computed values.
#include "harness/statistics/statistics.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"
#include "tests/noisy_device.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;

TEST_CASE("Quantiles are of type 7", "[statistics]") {
  // The values of numpy.quantile, whose default is the same definition.
  const std::vector<double> values = {8, 1, 9.5, 2, 4};
  CHECK(quantile(values, 0.0) == 1.0);
  CHECK(quantile(values, 0.1) == Approx(1.4).epsilon(1e-15));
  CHECK(quantile(values, 0.25) == 2.0);
  CHECK(quantile(values, 0.5) == 4.0);
  CHECK(quantile(values, 0.77) == Approx(8.12).epsilon(1e-15));
  CHECK(quantile(values, 1.0) == 9.5);
  CHECK(std::isnan(quantile({}, 0.5)));
  CHECK_THROWS_AS(quantile(values, 1.5), std::invalid_argument);
  CHECK_THROWS_AS(quantile(values, std::nan("")), std::invalid_argument);
}

TEST_CASE("A rank correlation is of the order alone", "[statistics]") {
  const std::vector<double> values = {3, 1, 4, 1.5, 9, 2.6};
  std::vector<double> scaled, reversed;
  for (const double value : values) {
    scaled.push_back(1e6 + 3 * value);
    reversed.push_back(-value);
  }
  CHECK(rank_correlation(values, scaled) == 1);
  CHECK(rank_correlation(values, reversed) == -1);
  // The ranks 3, 0, 4, 1, 5, 2 are off by 3, 1, 2, 2, 1, 3: 1 - 6 * 28 / (6 * 35).
  CHECK(rank_correlation(values, std::vector<double>{1, 2, 3, 4, 5, 6}) == Approx(0.2));
  CHECK(rank_correlation(std::vector<double>{1}, std::vector<double>{2}) == 0);
  CHECK_THROWS_AS(rank_correlation(values, std::vector<double>{1}), std::invalid_argument);
}

TEST_CASE("The interval for a median agrees with published and computed values", "[statistics]") {
  SECTION("two values: Student's t with one degree of freedom, 12.7062 in published tables") {
    const Interval interval = median_interval(std::vector{3.0, 5.0});
    CHECK(interval.low == Approx(4.0 - 12.70620474).epsilon(1e-8));
    CHECK(interval.high == Approx(4.0 + 12.70620474).epsilon(1e-8));
  }
  SECTION("three to five values: the range, widened by factors from an adaptive integrator (scipy)") {
    CHECK(median_interval(std::vector{0.0, 0.2, 1.0}).high == Approx(1.8132884567).epsilon(1e-8));
    CHECK(median_interval(std::vector{0.0, 0.2, 0.3, 1.0}).low == Approx(-0.2384679586).epsilon(1e-8));
    CHECK(median_interval(std::vector{0.0, 0.1, 0.2, 0.3, 1.0}).high == Approx(1.0387592773).epsilon(1e-8));
    const std::vector six = {0.0, 0.1, 0.2, 0.3, 0.4, 1.0};
    CHECK(median_interval(six, sequential_confidence).high == Approx(1.0054432256).epsilon(1e-8));
  }
  SECTION(
      "more: between order statistics, computed independently by the formula of Hettmansperger and "
      "Sheather") {
    const Interval eight = median_interval(std::vector<double>{2, 3, 5, 7, 11, 13, 17, 19});
    CHECK(eight.low == Approx(2.93564356).epsilon(1e-8));
    CHECK(eight.high == Approx(17.12871287).epsilon(1e-8));
    std::vector<double> twenty;
    for (int i = 20; i >= 1; --i) twenty.push_back(i);
    CHECK(median_interval(twenty).low == Approx(6.23523422).epsilon(1e-8));
    CHECK(median_interval(twenty).high == Approx(14.76476578).epsilon(1e-8));
  }
  SECTION("thousands: the normal approximation n/2 -+ 1.96 sqrt(n)/2 to within one rank") {
    std::vector<double> many;
    for (int i = 0; i < 4000; ++i) many.push_back(i);
    CHECK(std::abs(median_interval(many).low - (2000.0 - 1.959964 * std::sqrt(1000.0))) < 1.0);
  }
  SECTION("a difference of two values each: Welch's t, two degrees of freedom") {
    // Both sides have the same variance, (0.5)^2 each: half the width is 4.30265 sqrt(0.5).
    const Interval interval = median_difference_interval(std::vector{1.0, 2.0}, std::vector{5.0, 6.0});
    CHECK(interval.low == Approx(-4.0 - 4.30265273 * std::sqrt(0.5)).epsilon(1e-4));
    CHECK(interval.high == Approx(-4.0 + 4.30265273 * std::sqrt(0.5)).epsilon(1e-4));
  }
  CHECK_THROWS_AS(median_interval(std::vector{1.0, 2.0}, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(median_interval(std::vector{1.0, 2.0}, 0.4), std::invalid_argument);
}

TEST_CASE("A summary has the statistics of its samples", "[statistics]") {
  const std::vector<std::vector<double>> blocks = {{8, 1}, {}, {9.5, 2, 4}};
  const Summary summary = summarise(blocks).value();
  CHECK(summary.count == 5);
  CHECK(summary.blocks == 2);
  CHECK(summary.min == 1.0);
  CHECK(summary.q1 == 2.0);
  CHECK(summary.median == 4.0);
  CHECK(summary.q3 == 8.0);
  CHECK(summary.mean == Approx(4.9).epsilon(1e-15));
  CHECK(summary.stddev == Approx(3.714835124201342).epsilon(1e-14));
  // Two block medians, sqrt(8) (of logarithms) and 4: half the width is 12.7062 times half their distance.
  const double centre = 0.5 * (std::log(std::sqrt(8.0)) + std::log(4.0));
  const double half_width = 12.70620474 * 0.5 * (std::log(4.0) - std::log(std::sqrt(8.0)));
  CHECK(std::log(summary.ci_low) == Approx(centre - half_width).epsilon(1e-8));
  CHECK(std::log(summary.ci_high) == Approx(centre + half_width).epsilon(1e-8));
}

TEST_CASE("Without samples there is no estimate, with one block no bound", "[statistics]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK_FALSE(summarise({}).has_value());
  CHECK_FALSE(paired_speedup({}).has_value());
  CHECK_FALSE(paired_speedup(std::vector<std::vector<SamplePair>>(3)).has_value());

  const std::vector<std::vector<SamplePair>> one_block = {{{200, 100}, {210, 100}, {220, 100}}};
  const Speedup one = paired_speedup(one_block).value();
  CHECK(one.ratio == Approx(2.1));
  CHECK(one.low == 0.0);
  CHECK(one.high == infinity);
  CHECK(one.verdict == Verdict::within_noise);
  CHECK(relative_half_width(one) == infinity);

  const std::vector<std::vector<double>> single = {{100, 101}};
  CHECK(summarise(single)->ci_high == infinity);
  CHECK(summarise(std::vector<std::vector<double>>{{100}})->stddev == 0.0);
}

TEST_CASE("Equal medians of a coarse timer leave an interval of a tick", "[statistics]") {
  const std::vector<std::vector<double>> equal(6, {1000, 1000});
  CHECK(relative_half_width(*summarise(equal)) < 1e-15);
  CHECK(relative_half_width(*summarise(equal, default_confidence, 0.05)) == Approx(0.05).epsilon(0.01));
  const std::vector<std::vector<SamplePair>> pairs(6, {{1040, 1000}, {1040, 1000}});
  CHECK(paired_speedup(pairs)->verdict == Verdict::faster);
  const Speedup coarse = paired_speedup(pairs, default_confidence, 0.05).value();
  CHECK(coarse.verdict == Verdict::within_noise);
  CHECK(relative_half_width(coarse) == Approx(0.05).epsilon(0.01));
  // What is wider than a tick stays as it is.
  const std::vector<std::vector<double>> spread = {{900}, {1000}, {1100}, {950}, {1050}};
  CHECK(summarise(spread, default_confidence, 0.01)->ci_low == summarise(spread)->ci_low);
}

TEST_CASE("A sample that cannot be a time is rejected", "[statistics]") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, infinity, std::nan("")}) {
    CHECK_THROWS_AS(summarise(std::vector<std::vector<double>>{{1.0, bad}}), std::domain_error);
    CHECK_THROWS_AS(paired_speedup(std::vector<std::vector<SamplePair>>{{{1.0, bad}}}), std::domain_error);
    CHECK_THROWS_AS(geometric_mean(std::vector{1.0, bad}), std::domain_error);
  }
}

TEST_CASE("Geometric mean", "[statistics]") {
  CHECK(geometric_mean(std::vector{1.0, 4.0, 16.0}) == Approx(4.0).epsilon(1e-15));
  CHECK(geometric_mean(std::vector{1e-300, 1e300, 1e300, 1e-300}) == Approx(1.0).epsilon(1e-12));
  CHECK(std::isnan(geometric_mean({})));
}

TEST_CASE("Swapping baseline and variant inverts the speedup", "[statistics]") {
  for (const std::size_t count : {2, 3, 5, 6, 9, 20}) {
    NoisyDevice device(Trace::drifting, 5);
    const auto blocks = paired_blocks(device, count, 1.3);
    auto swapped = blocks;
    for (auto& block : swapped) {
      for (SamplePair& pair : block) std::swap(pair.baseline_ns, pair.variant_ns);
    }
    const Speedup there = paired_speedup(blocks).value();
    const Speedup back = paired_speedup(swapped).value();
    CHECK(there.ratio * back.ratio == Approx(1.0).epsilon(1e-12));
    CHECK(there.low * back.high == Approx(1.0).epsilon(1e-12));
    CHECK(there.high * back.low == Approx(1.0).epsilon(1e-12));
    CHECK(contains_truth(there, there.ratio));
  }
}

TEST_CASE("The verdict names the direction of a clear difference", "[statistics]") {
  NoisyDevice device(Trace::drifting, 3);
  CHECK(to_string(paired_speedup(paired_blocks(device, 8, 1.5))->verdict) == "faster");
  CHECK(to_string(paired_speedup(paired_blocks(device, 8, 0.7))->verdict) == "slower");
  CHECK(to_string(paired_speedup(paired_blocks(device, 8, 1.0))->verdict) == "within noise");
}

TEST_CASE("Equal times on a timer too coarse to show noise are within noise", "[statistics]") {
  const std::vector<std::vector<SamplePair>> blocks(4, std::vector<SamplePair>(5, SamplePair{1000, 1000}));
  CHECK(paired_speedup(blocks)->verdict == Verdict::within_noise);
}

TEST_CASE("The stopping rule gives the reason for stopping", "[statistics]") {
  const StoppingRule rule{.target_half_width = 0.03, .min_blocks = 5, .max_blocks = 12};
  CHECK(rule.judge(4, 0.001) == StopReason::not_stopped);
  CHECK(rule.judge(5, 0.03) == StopReason::converged);
  CHECK(rule.judge(5, 0.031) == StopReason::not_stopped);
  CHECK(rule.judge(12, 0.031) == StopReason::rounds);
  CHECK(rule.judge(12, 0.029) == StopReason::converged);
  CHECK(rule.judge(12, std::numeric_limits<double>::infinity()) == StopReason::rounds);
  CHECK(rule.satisfied(6, 0.02));
  CHECK_FALSE(rule.satisfied(12, 0.04));
  CHECK(to_string(StopReason::converged) == "converged");
  CHECK(to_string(StopReason::rounds) == "rounds");
  CHECK(to_string(StopReason::budget) == "budget");
  CHECK(to_string(StopReason::not_stopped) == "not_stopped");
  CHECK(relative_half_width(Speedup{2.0, 1.9, 2.1, Verdict::faster}) == Approx(0.05));
  CHECK(relative_half_width(summarise(std::vector<std::vector<double>>(6, {7.0, 7.0})).value()) < 1e-15);
}
