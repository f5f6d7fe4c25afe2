#include <algorithm>

#include "suite/search/random_expectation.hpp"
#include "suite/search/replay.hpp"

namespace dwarfsweep {
namespace {

double median_of(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

}  // namespace

double replay_score(const RecordedSpace& space, const std::vector<double>& mean_best) {
  const std::vector<double>& times = space.sorted_times();
  const RandomSearch random(times, space.points().size());
  const double optimum = times.front();
  const double median = median_of(times);
  const double near_optimum = median - 0.95 * (median - optimum);
  double sum = 0;
  std::size_t count = 0;
  double last = 0;
  for (std::size_t t = 1; t <= mean_best.size(); ++t) {
    const double expected = random.expected_best(t);
    if (!(expected > optimum)) break;
    last = (expected - mean_best[t - 1]) / (expected - optimum);
    if (expected > median) continue;
    sum += last;
    ++count;
    if (expected <= near_optimum) break;
  }
  // With fewer evaluations than random search takes to the median, the last one counts.
  return count > 0 ? sum / static_cast<double>(count) : last;
}

}  // namespace dwarfsweep
