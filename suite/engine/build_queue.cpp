#include "suite/engine/build_queue.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dwarfsweep {

void BuildQueue::add(const std::vector<PointRequest>& points, std::size_t early) {
  Group group;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string key = points[i].key();
    if (points_.contains(key)) continue;
    constexpr std::size_t after_all_early = std::size_t{1} << 32U;
    points_[key] = {groups_.size(), order_.size() + (i < early ? 0 : after_all_early), std::nullopt};
    order_.push_back(key);
    group.keys.push_back(key);
    group.points.push_back(points[i]);
  }
  if (group.points.empty()) return;
  groups_.push_back(std::move(group));
  std::ranges::stable_sort(order_, [&](const std::string& a, const std::string& b) {
    return points_.at(a).rank < points_.at(b).rank;
  });
}

void BuildQueue::prefer(const std::vector<std::string>& keys) {
  preferred_.clear();
  for (const std::string& key : keys) {
    if (points_.contains(key)) preferred_.push_back(key);
  }
}

std::optional<BuildQueue::Job> BuildQueue::next() {
  if (const auto number = group_to_list()) {
    Group& group = groups_[*number];
    group.stage = Stage::under_way;
    return Job{group.points, {}, *number, false};
  }
  if (const auto number = program_to_build()) {
    Program& program = programs_[*number];
    program.stage = Stage::under_way;
    return Job{{}, program.text, *number, !program.first_crash.empty()};
  }
  return std::nullopt;
}

std::optional<std::size_t> BuildQueue::group_to_list() const {
  for (const std::string& key : preferred_) {
    const std::size_t group = points_.at(key).group;
    if (groups_[group].stage == Stage::waiting) return group;
  }
  const auto under_way = static_cast<std::size_t>(
      std::ranges::count_if(groups_, [](const Group& group) { return group.stage == Stage::under_way; }));
  if (under_way >= groups_ahead_) return std::nullopt;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (groups_[group].stage == Stage::waiting) return group;
  }
  return std::nullopt;
}

std::optional<std::size_t> BuildQueue::program_to_build() const {
  for (const std::vector<std::string>* keys : {&preferred_, &order_}) {
    for (const std::string& key : *keys) {
      const auto& programs = points_.at(key).programs;
      if (!programs) continue;
      for (const std::size_t number : *programs) {
        if (programs_[number].stage == Stage::waiting) return number;
      }
    }
  }
  return std::nullopt;
}

void BuildQueue::leave_to_worker(const std::string& key) {
  const auto found = points_.find(key);
  if (found == points_.end() || !found->second.programs) return;
  for (const std::size_t number : *found->second.programs) {
    if (programs_[number].stage == Stage::waiting) programs_[number].stage = Stage::left_to_worker;
  }
}

void BuildQueue::listed(const Job& job, const ProgramList& list) {
  Group& group = groups_[job.number];
  group.stage = Stage::done;
  group.points.clear();
  for (std::size_t i = 0; i < group.keys.size() && i < list.points.size(); ++i) {
    if (!list.points[i]) continue;
    std::vector<std::size_t> numbers;
    for (const std::size_t place : *list.points[i]) numbers.push_back(number_of(list.programs.at(place)));
    points_.at(group.keys[i]).programs = std::move(numbers);
  }
}

std::size_t BuildQueue::number_of(const ProgramText& text) {
  std::vector<std::size_t>& same_id = by_id_[program_id(text)];
  for (const std::size_t number : same_id) {
    if (programs_[number].text == text) return number;
  }
  same_id.push_back(programs_.size());
  programs_.push_back({text, Stage::waiting, {}, ""});
  return same_id.back();
}

void BuildQueue::cannot_list(const Job& job) {
  groups_[job.number].stage = Stage::done;
  groups_[job.number].points.clear();
}

void BuildQueue::built(const Job& job) {
  Program& program = programs_[job.number];
  program.stage = Stage::done;
  if (!program.first_crash.empty())
    program.outcome.note = "crashed one builder; a retry succeeded: " + program.first_crash;
}

void BuildQueue::crashed(const Job& job, const BuildOutcome& outcome, bool first_in_process) {
  if (first_in_process) return failed(job, outcome);
  programs_[job.number].first_crash = outcome.reason;
  programs_[job.number].stage = Stage::waiting;
}

void BuildQueue::failed(const Job& job, const BuildOutcome& outcome) {
  programs_[job.number].stage = Stage::done;
  programs_[job.number].outcome = outcome;
}

void BuildQueue::cannot_build(const Job& job) {
  programs_[job.number].stage = Stage::left_to_worker;
}

void BuildQueue::give_back(const Job& job) {
  Stage& stage = job.to_list.empty() ? programs_[job.number].stage : groups_[job.number].stage;
  stage = Stage::waiting;
}

BuildQueue::State BuildQueue::state_of(const std::string& key) const {
  const auto found = points_.find(key);
  if (found == points_.end()) return State::unknown;
  const Point& point = found->second;
  if (!point.programs) return groups_[point.group].stage == Stage::done ? State::unknown : State::unlisted;
  const auto has = [&](Stage stage) {
    return std::any_of(point.programs->begin(), point.programs->end(),
                       [&](std::size_t number) { return programs_[number].stage == stage; });
  };
  if (outcome_of(key).status != Status::ok) return State::failed;
  if (has(Stage::left_to_worker)) return State::unknown;
  if (has(Stage::waiting)) return State::waiting;
  return has(Stage::under_way) ? State::under_way : State::ready;
}

BuildOutcome BuildQueue::outcome_of(const std::string& key) const {
  BuildOutcome of_point;
  const auto found = points_.find(key);
  if (found == points_.end() || !found->second.programs) return of_point;
  for (const std::size_t number : *found->second.programs) {
    const BuildOutcome& outcome = programs_[number].outcome;
    if (outcome.status != Status::ok) return outcome;
    if (of_point.note.empty()) of_point.note = outcome.note;
  }
  return of_point;
}

}  // namespace dwarfsweep
