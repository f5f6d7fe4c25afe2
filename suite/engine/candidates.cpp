#include "suite/engine/candidates.hpp"

#include <algorithm>

namespace dwarfsweep {

bool holds_up(std::span<const Candidate> candidates, std::size_t index) {
  const std::optional<Speedup>& own = candidates[index].again;
  if (!own || own->low <= 1) return false;
  for (std::size_t other = 0; other < candidates.size(); ++other) {
    const Candidate& each = candidates[other];
    if (other != index && own->low <= (each.again ? each.again->ratio : each.estimate)) return false;
  }
  return true;
}

std::optional<std::size_t> next_to_remeasure(std::span<const Candidate> candidates) {
  std::optional<std::size_t> next;
  std::size_t remeasured = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (holds_up(candidates, i)) return std::nullopt;
    if (candidates[i].again) {
      ++remeasured;
    } else if (!next || candidates[i].estimate > candidates[*next].estimate) {
      next = i;
    }
  }
  return remeasured < max_candidates ? next : std::nullopt;
}

}  // namespace dwarfsweep
