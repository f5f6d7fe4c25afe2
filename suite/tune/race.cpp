#include "suite/tune/race.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/statistics/statistics.hpp"
#include "suite/engine/block_loop.hpp"

namespace dwarfsweep {

// --- ratios of times taken one right after the other ---

namespace {

// The median of |x - y| of two Gaussian values with standard deviation 1.
constexpr double median_difference = 0.954;

}  // namespace

double log_ratio(const RunTimes& other, const RunTimes& own) {
  const bool spans = other.span_ns > 0 && own.span_ns > 0;
  return spans ? std::log(other.span_ns / own.span_ns) : std::log(other.wall_ns / own.wall_ns);
}

double log_ratio(Objective objective, const RunTimes& other, const RunTimes& own) {
  if (objective == Objective::time) return log_ratio(other, own);
  const double energy = std::log(other.joules / own.joules);
  return objective == Objective::energy ? energy : (energy + log_ratio(other, own)) / 2;
}

std::vector<double> log_ratios(Objective objective, const PairBlock& block) {
  std::vector<double> ratios;
  for (const PairTimes& pair : block) ratios.push_back(log_ratio(objective, pair.reference, pair.own));
  return ratios;
}

RunTimes median_times(const PairBlock& block, RunTimes PairTimes::*side) {
  const auto median_of = [&](double RunTimes::*kind) {
    std::vector<double> values;
    for (const PairTimes& pair : block) values.push_back(pair.*side.*kind);
    return *std::ranges::min_element(values) <= 0 ? 0 : median(values);
  };
  return {median_of(&RunTimes::span_ns), median_of(&RunTimes::wall_ns), median_of(&RunTimes::joules)};
}

void PairNoise::add(const std::vector<double>& ratios) {
  constexpr double step = 1.1;
  constexpr double min_deviation = 1e-4;
  for (std::size_t i = 1; i < ratios.size(); ++i) {
    const bool above = std::abs(ratios[i] - ratios[i - 1]) > median_difference * deviation_;
    deviation_ = std::max(min_deviation, above ? deviation_ * step : deviation_ / step);
  }
}

double tick_of(Objective objective, const std::vector<PairBlock>& blocks) {
  if (objective == Objective::energy) return 0;
  double tick = 0;
  for (const PairBlock& block : blocks) {
    for (const PairTimes& pair : block) tick = std::max(tick, pair.reference.tick + pair.own.tick);
  }
  return objective == Objective::both ? tick / 2 : tick;
}

LogInterval ratio_of(Objective objective, const std::vector<PairBlock>& blocks, double noise) {
  constexpr double standard_errors = 2.5;
  constexpr double of_a_median = 1.2533;  // times that of a mean, of many Gaussian values
  std::vector<double> all;
  std::vector<double> differences;
  for (const PairBlock& block : blocks) {
    const std::vector<double> ratios = log_ratios(objective, block);
    all.insert(all.end(), ratios.begin(), ratios.end());
    for (std::size_t i = 1; i < ratios.size(); ++i)
      differences.push_back(std::abs(ratios[i] - ratios[i - 1]));
  }
  constexpr std::size_t enough = 5;
  const double own = differences.size() < enough ? 0 : median(differences) / median_difference;
  const double pairs = static_cast<double>(all.size());
  const double widening = all.size() < 3 ? 1 : of_a_median;
  const double error = standard_errors * widening * std::max(noise, own) / std::sqrt(pairs);
  return {median(all), std::max(error, tick_of(objective, blocks))};
}

// --- the scale of a search ---

namespace {

constexpr std::array<std::pair<RaceOutcome, const char*>, 5> names = {{{RaceOutcome::faster, "faster"},
                                                                       {RaceOutcome::tied, "tied"},
                                                                       {RaceOutcome::dropped, "dropped"},
                                                                       {RaceOutcome::screened, "screened"},
                                                                       {RaceOutcome::failed, "failed"}}};

bool is_faster(const Standing& left, const Standing& right) {
  return left.log_cost < right.log_cost;
}

}  // namespace

const char* to_string(RaceOutcome outcome) {
  return std::ranges::find(names, outcome, &std::pair<RaceOutcome, const char*>::first)->second;
}

std::optional<RaceOutcome> outcome_from_string(const std::string& name) {
  for (const auto& [outcome, text] : names) {
    if (name == text) return outcome;
  }
  return std::nullopt;
}

void Standings::add(const Standing& standing, RaceOutcome outcome) {
  if (outcome == RaceOutcome::faster) {
    for (Standing& each : all_) each.contends = each.contends && each.point != standing.opponent;
  }
  all_.push_back(standing);
  all_.back().contends = outcome == RaceOutcome::faster || outcome == RaceOutcome::tied;
  if (outcome == RaceOutcome::faster || !incumbent_) incumbent_ = standing.point;
}

const Standing* Standings::find(std::size_t point) const {
  const auto found = std::ranges::find(all_, point, &Standing::point);
  return found == all_.end() ? nullptr : &*found;
}

const Standing* Standings::incumbent() const {
  return incumbent_ ? find(*incumbent_) : nullptr;
}

void Standings::remove(std::size_t point) {
  std::erase_if(all_, [&](const Standing& each) { return each.point == point; });
  if (incumbent_ != point) return;
  incumbent_.reset();
  const std::vector<Standing> left = contenders();
  const Standing* const next = left.empty() ? fastest() : &left.front();
  if (next) incumbent_ = next->point;
}

const Standing* Standings::fastest() const {
  const auto found = std::ranges::min_element(all_, is_faster);
  return found == all_.end() ? nullptr : &*found;
}

std::vector<Standing> Standings::contenders() const {
  std::vector<Standing> found;
  for (const Standing& each : all_) {
    if (each.contends) found.push_back(each);
  }
  std::ranges::stable_sort(found, is_faster);
  if (found.empty()) return found;
  const Standing best = found.front();
  std::erase_if(found, [&](const Standing& each) {
    return each.point != best.point && each.log_cost - best.log_cost > error_between(each.point, best.point);
  });
  return found;
}

std::vector<std::pair<std::size_t, double>> Standings::line_of(std::size_t point) const {
  std::vector<std::pair<std::size_t, double>> line = {{point, 0.0}};
  for (const Standing* at = find(point); at != nullptr && at->opponent; at = find(*at->opponent))
    line.emplace_back(*at->opponent, line.back().second + at->error * at->error);
  return line;
}

double Standings::error_between(std::size_t left, std::size_t right) const {
  const auto of_right = line_of(right);
  const auto of_left = line_of(left);
  for (const auto& [point, square] : of_left) {
    for (const auto& [other, other_square] : of_right) {
      if (point == other) return std::sqrt(square + other_square);
    }
  }
  return std::sqrt(of_left.back().second + of_right.back().second);
}

// --- races ---

namespace {

// The first point of a scale.
Standing standing_of(Objective objective, std::size_t point, const RunTimes& sample) {
  Standing standing{point};
  standing.log_time = std::log(sample.span_ns > 0 ? sample.span_ns : sample.wall_ns);
  standing.log_cost = standing.log_time;
  if (objective == Objective::time) return standing;
  standing.log_joules = std::log(sample.joules);
  standing.log_cost =
      objective == Objective::energy ? *standing.log_joules : (standing.log_time + *standing.log_joules) / 2;
  return standing;
}

class Race {
 public:
  Race(Candidates& candidates, std::size_t point, const RaceRules& rules, RaceState& state)
      : candidates_(candidates), point_(point), rules_(rules), state_(state) {}

  RaceResult run() {
    const std::optional<RunTimes> sample = candidates_.enter(point_);
    if (!sample) return {};
    RaceResult result = against_incumbents(*sample);
    if (result.standing && !candidates_.leave(point_)) result = {};
    if (!result.standing) return {};
    state_.standings.add(*result.standing, result.outcome);
    if (result.outcome == RaceOutcome::faster) state_.incumbent_times = own_times_;
    return result;
  }

 private:
  // An incumbent that fails, which is found out only now, is followed by another.
  RaceResult against_incumbents(const RunTimes& sample) {
    while (const Standing* const incumbent = state_.standings.incumbent()) {
      const Standing opponent = *incumbent;
      const double behind = log_ratio(sample, state_.incumbent_times);
      if (behind > std::log(rules_.hopeless)) return {RaceOutcome::screened, by_sample(opponent, behind)};
      if (rules_.objective == Objective::time && behind < -std::log(rules_.obvious)) {
        own_times_ = sample;
        blocks_ = {{{state_.incumbent_times, sample}}};
        return {RaceOutcome::faster, by_pairs(opponent)};
      }
      const std::optional<RaceOutcome> outcome = against(opponent.point);
      if (outcome) {
        if (*outcome == RaceOutcome::failed) return {};
        if (blocks_.empty())  // its time limit has no room for a pair
          return {RaceOutcome::dropped, by_sample(opponent, behind)};
        return {*outcome, by_pairs(opponent)};
      }
      state_.standings.remove(opponent.point);
      if (const Standing* const next = state_.standings.incumbent()) {
        // What it takes now is not known; its place on the scale is.
        const double factor = std::exp(next->log_time - opponent.log_time);
        state_.incumbent_times.span_ns *= factor;
        state_.incumbent_times.wall_ns *= factor;
      }
    }
    return first(sample);
  }

  RaceResult first(RunTimes sample) {
    if (rules_.objective != Objective::time) {
      const std::optional<double> joules = candidates_.joules(point_);
      if (!joules) return {};
      sample.joules = *joules;
    }
    own_times_ = sample;
    return {RaceOutcome::faster, standing_of(rules_.objective, point_, sample)};
  }

  // Assumes that it takes the opponent's power.
  Standing by_sample(const Standing& opponent, double behind) const {
    Standing standing{point_, opponent.log_cost + behind, 0, opponent.point};
    standing.log_time = opponent.log_time + behind;
    return standing;
  }

  Standing by_pairs(const Standing& opponent) const {
    const double noise = state_.noise.deviation();
    const LogInterval ratio = ratio_of(rules_.objective, blocks_, noise);
    Standing standing{point_, opponent.log_cost - ratio.centre, ratio.error, opponent.point};
    standing.log_time = opponent.log_time - ratio_of(Objective::time, blocks_, noise).centre;
    if (opponent.log_joules)
      standing.log_joules = *opponent.log_joules - ratio_of(Objective::energy, blocks_, noise).centre;
    return standing;
  }

  // A sequential comparison; nothing if the reference failed.
  std::optional<RaceOutcome> against(std::size_t reference) {
    blocks_.clear();
    const auto told_apart = [&](int) { return outcome_of_blocks().has_value(); };
    measure_blocks_of_one(
        first_of({after_rounds(static_cast<int>(rules_.pairs.size())), told_apart}),
        [&](int block) { return measure(reference, rules_.pairs[static_cast<std::size_t>(block)]); });
    if (!candidates_.runs(reference)) return std::nullopt;
    if (!candidates_.runs(point_)) return RaceOutcome::failed;
    const RaceOutcome outcome = outcome_of_blocks().value_or(RaceOutcome::tied);
    return outcome == RaceOutcome::faster ? remeasured(reference) : outcome;
  }

  // What the blocks so far say; nothing if more are needed.
  std::optional<RaceOutcome> outcome_of_blocks() const {
    if (blocks_.empty()) return std::nullopt;
    const LogInterval ratio = ratio_of(rules_.objective, blocks_, state_.noise.deviation());
    if (ratio.high() < 0) return RaceOutcome::dropped;
    if (blocks_.size() < rules_.min_blocks) return std::nullopt;
    if (ratio.low() > 0) return RaceOutcome::faster;
    return ratio.error < rules_.target ? std::optional(RaceOutcome::tied) : std::nullopt;
  }

  // The pairs by which it was found to be faster flatter it, and over many incumbents that would add up: what
  // counts is a new block.
  std::optional<RaceOutcome> remeasured(std::size_t reference) {
    const PairBlock block = candidates_.measure({point_, reference, rules_.remeasured_pairs});
    if (!candidates_.runs(reference)) return std::nullopt;
    if (!candidates_.runs(point_)) return RaceOutcome::failed;
    if (block.empty()) return RaceOutcome::faster;  // no time left
    blocks_.clear();
    take(block);
    return ratio_of(rules_.objective, blocks_, state_.noise.deviation()).centre > 0 ? RaceOutcome::faster
                                                                                    : RaceOutcome::tied;
  }

  // False if there was no block: one of the two fails, or no time is left.
  bool measure(std::size_t reference, int pairs) {
    const PairBlock block = candidates_.measure({point_, reference, pairs});
    if (block.empty() || !candidates_.runs(reference) || !candidates_.runs(point_)) return false;
    take(block);
    return true;
  }

  void take(const PairBlock& block) {
    own_times_ = median_times(block, &PairTimes::own);
    state_.incumbent_times = median_times(block, &PairTimes::reference);
    state_.noise.add(log_ratios(rules_.objective, block));
    blocks_.push_back(block);
  }

  Candidates& candidates_;
  std::size_t point_;
  const RaceRules& rules_;
  RaceState& state_;
  std::vector<PairBlock> blocks_;
  RunTimes own_times_;  // the latest
};

}  // namespace

RaceRules race_rules(Objective objective, double target) {
  RaceRules rules;
  rules.target = target;
  rules.objective = objective;
  if (objective == Objective::time) return rules;
  rules.pairs = {1, 1, 2, 2};
  rules.remeasured_pairs = 2;
  return rules;
}

RaceResult race(Candidates& candidates, std::size_t point, const RaceRules& rules, RaceState& state) {
  return Race(candidates, point, rules, state).run();
}

}  // namespace dwarfsweep
