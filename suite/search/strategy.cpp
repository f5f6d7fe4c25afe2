#include "suite/search/strategy.hpp"

#include <algorithm>

#include "suite/search/search_parameters.hpp"

namespace dwarfsweep {

std::vector<PointNumber> Archive::fastest(std::size_t count) const {
  std::vector<const Evaluation*> known;
  for (const Evaluation& evaluation : evaluations_) {
    if (evaluation.time) known.push_back(&evaluation);
  }
  const std::size_t kept = std::min(count, known.size());
  std::partial_sort(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(kept), known.end(),
                    [](const Evaluation* left, const Evaluation* right) {
                      return *left->time != *right->time ? *left->time < *right->time : left < right;
                    });
  std::vector<PointNumber> points;
  for (std::size_t i = 0; i < kept; ++i) points.push_back(known[i]->point);
  return points;
}

std::optional<Proposal> Strategy::next() {
  for (;;) {
    fill_queue();
    if (queue_.empty()) return std::nullopt;
    const Proposal proposal = queue_.front();
    queue_.pop_front();
    if (archive_.has(proposal.point)) continue;
    proposed_.insert(proposal.point);
    return proposal;
  }
}

void Strategy::fill_queue() {
  if (planning_ == Planning::by_results) {
    if (queue_.empty()) plan();
    return;
  }
  // One more than is asked for ahead: the first is proposed at once.
  while (queue_.size() <= search_parameters.planned_ahead && !all_planned_) {
    const std::size_t before = queue_.size();
    plan();
    all_planned_ = queue_.size() == before;
  }
}

void Strategy::tell(const Evaluation& evaluation) {
  archive_.add(evaluation);
  learn(evaluation);
}

std::vector<PointNumber> Strategy::upcoming(std::size_t count) const {
  std::vector<PointNumber> points;
  for (const Proposal& proposal : queue_) {
    if (points.size() == count) break;
    if (!archive_.has(proposal.point)) points.push_back(proposal.point);
  }
  return points;
}

bool Strategy::is_new(PointNumber point) const {
  return !archive_.has(point) &&
         std::ranges::none_of(queue_, [&](const Proposal& proposal) { return proposal.point == point; });
}

bool Strategy::enqueue(PointNumber point, const char* proposer) {
  if (!is_new(point)) return false;
  queue_.push_back({point, proposer});
  return true;
}

bool Strategy::enqueue_drawn(Random& random) {
  const auto point = draw_new(
      space(), [&](PointNumber each) { return is_new(each); }, random);
  return point && enqueue(*point, "random");
}

std::size_t Strategy::evaluations_left() const {
  const std::size_t done = archive_.evaluations().size();
  return task_.evaluations > done ? task_.evaluations - done : 0;
}

}  // namespace dwarfsweep
