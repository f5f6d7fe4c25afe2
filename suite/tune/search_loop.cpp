#include "suite/tune/search_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/device/host.hpp"
#include "harness/space/error.hpp"
#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {
namespace {

[[noreturn]] void refuse(const EvaluationRecord& record, const std::string& why) {
  throw UsageError(fmt::format("cannot resume the search of {}: evaluation {} in its log {}; begin a new run",
                               record.key.dwarf, record.number, why));
}

// Numbers that no search has written: of a damaged log, or one that was edited.
void require_possible(const EvaluationRecord& record) {
  constexpr double most = 1e18;  // ns, thirty years; more than enough for all others
  const auto require = [&](const char* name, double value, bool may_be_zero) {
    if (value <= most && (value > 0 || (may_be_zero && value == 0))) return;
    refuse(record, fmt::format("has {}={}, which must be {} 0 and at most {}", name, value,
                               may_be_zero ? "at least" : "above", most));
  };
  if (record.time_ns) require("time_ns", *record.time_ns, false);
  if (record.joules) require("joules", *record.joules, true);
  if (record.value) require("value", *record.value, true);
  require("noise", record.noise, false);
  require("error", record.error, true);
  require("incumbent_span_ns", record.incumbent_span_ns, true);
  require("incumbent_wall_ns", record.incumbent_wall_ns, true);
  require("planned", static_cast<double>(record.planned), true);
  require("blocks", static_cast<double>(record.blocks), true);
  require("seconds", record.seconds, true);
}

}  // namespace

void SearchLoop::run(const SearchLimits& limits) {
  constexpr std::size_t baseline = 0;
  if (!has_baseline_) {
    evaluate(baseline, EvaluationRecord(), "baseline");
    has_baseline_ = true;
  }
  while (!is_over(limits)) {
    const std::size_t plan = planned(limits);
    site_.show(evaluations_, plan, state_.standings);
    const std::int64_t begin = now_ns();
    strategy_.set_evaluations(plan);
    const std::optional<Proposal> proposal = strategy_.next();
    if (!proposal) return;
    site_.expect(strategy_.upcoming(search_parameters.planned_ahead));
    EvaluationRecord record;
    record.number = static_cast<std::int64_t>(evaluations_) + 1;
    record.planned = static_cast<std::int64_t>(plan);
    record.cost.search_s = 1e-9 * static_cast<double>(now_ns() - begin);
    evaluate(site_.index_of(proposal->point), record, proposal->proposer);
    ++evaluations_;
  }
  site_.show(evaluations_, planned(limits), state_.standings);
}

void SearchLoop::evaluate(std::size_t point, EvaluationRecord record, const char* proposer) {
  record.proposer = proposer;
  const RaceResult result = race(site_, point, rules_, state_);
  record.outcome = to_string(result.outcome);
  if (result.standing) {
    record.time_ns = std::exp(result.standing->log_time);
    if (result.standing->log_joules) record.joules = std::exp(*result.standing->log_joules);
    if (rules_.objective != Objective::time) record.value = std::exp(result.standing->log_cost);
    record.error = result.standing->error;
    if (result.standing->opponent) record.opponent = site_.config_of(*result.standing->opponent);
  }
  record.noise = state_.noise.deviation();
  record.incumbent_span_ns = state_.incumbent_times.span_ns;
  record.incumbent_wall_ns = state_.incumbent_times.wall_ns;
  tell(point, record.cost_value(), proposer);
  site_.write(point, std::move(record));
}

void SearchLoop::tell(std::size_t point, const std::optional<double>& value, const char* proposer) {
  if (const std::optional<PointNumber> number = site_.number_of(point))
    strategy_.tell({*number, value, proposer});
}

// So that the last evaluation ends as often before the time is up as after it.
bool SearchLoop::is_over(const SearchLimits& limits) const {
  const double half = evaluations_ > 0 ? site_.seconds() / static_cast<double>(2 * evaluations_) : 0;
  return (limits.evaluations > 0 && evaluations_ >= limits.evaluations) ||
         (limits.seconds > 0 && seconds_left(limits) <= half);
}

double SearchLoop::seconds_left(const SearchLimits& limits) const {
  return limits.seconds - site_.final_seconds(state_.standings) - site_.seconds();
}

std::size_t SearchLoop::planned(const SearchLimits& limits) const {
  constexpr std::size_t unknown = 200;
  constexpr std::size_t enough = 5;  // evaluations that show how long one takes
  std::size_t plan = limits.evaluations > 0 ? limits.evaluations : std::max(unknown, 2 * evaluations_);
  if (limits.seconds > 0 && evaluations_ >= enough) {
    const double each = site_.seconds() / static_cast<double>(evaluations_);
    const double more = std::max(0.0, seconds_left(limits)) / std::max(1e-6, each);
    const auto affordable = evaluations_ + static_cast<std::size_t>(std::min(1e9, std::ceil(more)));
    plan = limits.evaluations > 0 ? std::min(plan, affordable) : affordable;
  }
  return plan;
}

void SearchLoop::restore(const std::vector<EvaluationRecord>& records) {
  for (const EvaluationRecord& record : records) restore(record);
  // Those that failed when they were raced against, or in the finals.
  for (const EvaluationRecord& record : records) {
    const std::size_t point = site_.index_of(record.key.config);
    if (record.time_ns && !site_.runs(point)) state_.standings.remove(point);
  }
}

void SearchLoop::restore(const EvaluationRecord& record) {
  require_possible(record);
  const auto number = static_cast<std::int64_t>(evaluations_) + 1;
  if (record.number == 0) {
    has_baseline_ = true;
  } else {
    strategy_.set_evaluations(static_cast<std::size_t>(record.planned));
    const std::optional<Proposal> proposal = strategy_.next();
    if (record.number != number || !proposal ||
        site_.index_of(proposal->point) != site_.index_of(record.key.config)) {
      refuse(record, fmt::format("is {}, where the strategy proposes {}", record.key.config,
                                 proposal ? "another point" : "nothing"));
    }
    ++evaluations_;
  }
  const std::size_t point = site_.index_of(record.key.config);
  site_.restore(point, record);
  if (record.time_ns) restore_standing(point, record);
  state_.noise = PairNoise(record.noise);
  state_.incumbent_times = {record.incumbent_span_ns, record.incumbent_wall_ns};
  tell(point, record.cost_value(), "");
}

void SearchLoop::restore_standing(std::size_t point, const EvaluationRecord& record) {
  Standing standing{point, std::log(*record.cost_value()), record.error};
  standing.log_time = std::log(*record.time_ns);
  if (record.joules) standing.log_joules = std::log(*record.joules);
  if (state_.standings.find(point) != nullptr) refuse(record, "is of a point that was evaluated before");
  if (!record.opponent.empty()) {
    // If points were raced against each other in a circle, their errors would add up without end.
    standing.opponent = site_.index_of(record.opponent);
    if (state_.standings.find(*standing.opponent) == nullptr)
      refuse(record, fmt::format("was raced against {}, which was not evaluated before", record.opponent));
  }
  const std::optional<RaceOutcome> outcome = outcome_from_string(record.outcome);
  if (!outcome) refuse(record, fmt::format("has the unknown outcome '{}'", record.outcome));
  state_.standings.add(standing, *outcome);
}

}  // namespace dwarfsweep
