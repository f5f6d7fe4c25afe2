#include <fmt/format.h>

#include <algorithm>

#include "suite/record/csv.hpp"
#include "suite/search/replay.hpp"

namespace dwarfsweep {

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
