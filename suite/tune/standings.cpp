#include "suite/tune/standings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace dwarfsweep {
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
  return std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.first == outcome; })
      ->second;
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
  const auto found =
      std::find_if(all_.begin(), all_.end(), [&](const Standing& each) { return each.point == point; });
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
  const auto found = std::min_element(all_.begin(), all_.end(), is_faster);
  return found == all_.end() ? nullptr : &*found;
}

std::vector<Standing> Standings::contenders() const {
  std::vector<Standing> found;
  for (const Standing& each : all_) {
    if (each.contends) found.push_back(each);
  }
  std::stable_sort(found.begin(), found.end(), is_faster);
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

}  // namespace dwarfsweep
