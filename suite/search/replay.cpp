#include "suite/search/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/record/csv.hpp"
#include "suite/search/random_search.hpp"
#include "suite/search/strategy.hpp"

namespace dwarfsweep {
namespace {

// The best time after each evaluation. A search that has ended keeps what it has.
std::vector<double> best_after_each(const RecordedSpace& space, const std::string& strategy,
                                    std::size_t evaluations, std::uint64_t seed) {
  SearchTask task{space, {}, evaluations, seed};
  const std::unique_ptr<Strategy> search = make_strategy(strategy, std::move(task));
  const double slowest = space.sorted_times().back();
  std::vector<double> best;
  best.reserve(evaluations);
  while (best.size() < evaluations) {
    const std::optional<Proposal> proposal = search->next();
    if (!proposal) break;
    search->tell({proposal->point, space.time(proposal->point), proposal->proposer});
    best.push_back(std::min(slowest, search->archive().best_time()));
  }
  best.resize(evaluations, best.empty() ? slowest : best.back());
  return best;
}

// Each repeat has a seed of its own, so that it does not matter which thread runs it.
std::vector<std::vector<double>> run_repeats(const RecordedSpace& space, const std::string& strategy,
                                             std::size_t evaluations, const ReplayRequest& request) {
  std::vector<std::vector<double>> curves(request.repeats);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < curves.size(); i = next++)
      curves[i] = best_after_each(space, strategy, evaluations, seed_of_part(request.seed, i));
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::min<std::size_t>(request.threads, request.repeats); ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return curves;
}

ReplayResult result_of_random(const RecordedSpace& space, ReplayResult result) {
  const RandomSearch random(space.sorted_times(), space.points().size());
  const double best = space.sorted_times().front();
  result.median_over_best = random.median_best(result.evaluations) / best;
  result.within_2_percent = random.probability_within(near_best * best, result.evaluations);
  result.score = 0;  // by its definition
  return result;
}

ReplayResult result_of(const RecordedSpace& space, const ReplayRequest& request, ReplayResult result) {
  const auto curves = run_repeats(space, result.strategy, result.evaluations, request);
  const double best = space.sorted_times().front();
  std::vector<double> last;
  std::vector<double> mean(result.evaluations, 0);
  for (const std::vector<double>& curve : curves) {
    last.push_back(curve.back() / best);
    for (std::size_t t = 0; t < curve.size(); ++t) mean[t] += curve[t] / static_cast<double>(curves.size());
  }
  std::ranges::sort(last);
  const std::size_t middle = last.size() / 2;
  result.median_over_best = last.size() % 2 == 1 ? last[middle] : (last[middle - 1] + last[middle]) / 2;
  const auto within = std::ranges::upper_bound(last, near_best) - last.begin();
  result.within_2_percent = static_cast<double>(within) / static_cast<double>(last.size());
  result.score = replay_score(space, mean);
  return result;
}

// Before the threads begin: an exception in one of them would end the program.
void require_searchable(const RecordedSpace& space, const std::string& strategy) {
  try {
    (void)make_strategy(strategy, {space});
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", space.name(), error.what()));
  }
}

}  // namespace

double replay_score(const RecordedSpace& space, const std::vector<double>& mean_best) {
  const std::vector<double>& times = space.sorted_times();
  const RandomSearch random(times, space.points().size());
  const double optimum = times.front();
  const double median = quantile_of_sorted(times, 0.5);
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

std::vector<ReplayResult> replay(const std::vector<RecordedSpace>& spaces, const ReplayRequest& request) {
  for (const RecordedSpace& space : spaces) {
    for (const std::string& strategy : request.strategies) require_searchable(space, strategy);
  }
  std::vector<ReplayResult> results;
  for (const RecordedSpace& space : spaces) {
    for (const std::string& strategy : request.strategies) {
      for (const std::size_t evaluations : request.evaluations) {
        ReplayResult asked{space.name(), strategy, request.repeats, evaluations};
        results.push_back(strategy == "random" ? result_of_random(space, std::move(asked))
                                               : result_of(space, request, std::move(asked)));
      }
    }
  }
  return results;
}

std::string to_csv(const std::vector<ReplayResult>& results) {
  std::string text = "space,strategy,repeats,evaluations,median_over_best,within_2_percent,score\n";
  for (const ReplayResult& each : results) {
    text +=
        fmt::format("{},{},{},{},{:.6g},{:.6g},{:.6g}\n", csv_cell(each.space), each.strategy, each.repeats,
                    each.evaluations, each.median_over_best, each.within_2_percent, each.score);
  }
  return text;
}

std::string to_text(const std::vector<ReplayResult>& results) {
  std::size_t width = 5;
  for (const ReplayResult& each : results) width = std::max(width, each.space.size());
  std::string text = fmt::format("{:<{}}  {:<10}  {:>11}  {:>11}  {:>10}  {:>6}\n", "space", width,
                                 "strategy", "evaluations", "median/best", "within 2 %", "score");
  for (const ReplayResult& each : results) {
    text += fmt::format("{:<{}}  {:<10}  {:>11}  {:>11.3f}  {:>8.0f} %  {:>6.2f}\n", each.space, width,
                        each.strategy, each.evaluations, each.median_over_best, 100 * each.within_2_percent,
                        each.score);
  }
  return text;
}

}  // namespace dwarfsweep
