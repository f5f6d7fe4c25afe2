#include "suite/output/search_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_tied_shown = 8;

std::string costs_of(const std::vector<EvaluationRecord>& evaluations) {
  EvaluationCost sum;
  std::size_t failed = 0;
  for (const EvaluationRecord& each : evaluations) {
    sum.search_s += each.cost.search_s;
    sum.build_s += each.cost.build_s;
    sum.verify_s += each.cost.verify_s;
    sum.measure_s += each.cost.measure_s;
    failed += each.time_ns ? 0 : 1;
  }
  return fmt::format(
      "  building {:.1f} s, verifying {:.1f} s, measuring {:.1f} s, searching {:.1f} s; {} points failed\n",
      sum.build_s, sum.verify_s, sum.measure_s, sum.search_s, failed);
}

std::string tied_text(const AnswerRecord& answer) {
  if (answer.tied.empty()) return "  no other point is as good\n";
  std::string text = fmt::format("  {} other points that nothing separates from it:\n", answer.tied.size());
  if (answer.tied.size() == 1) text = "  one other point that nothing separates from it:\n";
  for (std::size_t i = 0; i < std::min(max_tied_shown, answer.tied.size()); ++i) {
    const TiedPoint& each = answer.tied[i];
    text += fmt::format("    {:.3f}x of its speed [{:.3f}, {:.3f}]{}  {}\n", each.ratio, each.low, each.high,
                        each.fresh ? "" : " in the search", each.config);
  }
  if (answer.tied.size() > max_tied_shown)
    text += fmt::format("    and {} more: log.jsonl has all\n", answer.tied.size() - max_tied_shown);
  return text;
}

std::string front_text(const AnswerRecord& answer) {
  if (answer.front.empty()) return "";
  std::string text = "  Pareto front of time and energy, each over the best product of the two:\n";
  for (const FrontPoint& each : answer.front) {
    text += fmt::format(
        "    {}, {:.4g} J: {:.3f}x as fast [{:.3f}, {:.3f}], {:.3f}x less energy [{:.3f}, {:.3f}]  {}\n",
        time_text(each.time_ns), each.joules, each.time_ratio, each.time_low, each.time_high,
        each.energy_ratio, each.energy_low, each.energy_high, each.config);
  }
  return text;
}

// Of more points than were measured, those tell the least that the probability can be.
std::string carving_row_text(const CarvingRow& row) {
  std::string probability = fmt::format("at least as good with probability {:.4f}", row.probability);
  if (row.drawn < row.points && row.probability < 1)
    probability = fmt::format("none of the {} measured is as good", row.drawn);
  else if (row.drawn < row.points)
    probability += fmt::format(" (by the {} measured)", row.drawn);
  return fmt::format("  random search with {:<17} {:>6} points, {}\n", row.with, row.points, probability);
}

std::string carving_text(const CarvingRecord& carving) {
  std::string text =
      fmt::format("  carving by {} kept {} of {} counted points, and measured {} of them: ",
                  carving.by_efficiency_alone ? "efficiency alone" : "efficiency and utilisation",
                  carving.kept, carving.counted, carving.measured);
  if (carving.best.empty()) {
    text += "none ran\n";
  } else {
    text += fmt::format("the best has efficiency {:.3g}", carving.efficiency);
    if (!carving.by_efficiency_alone) text += fmt::format(", utilisation {:.3g}", carving.utilisation);
    if (carving.random_value > 0)
      text += fmt::format(", and {:.3f}x the speed of the best of {} random points",
                          carving.random_value / carving.best_value, carving.random);
    text += fmt::format("\n    {}\n", carving.best);
  }
  for (const CarvingRow& row : carving.rows) text += carving_row_text(row);
  if (carving.rows.empty()) text += "  no random point was measured to compare with\n";
  return text + fmt::format("  carving took {:.1f} s\n", carving.seconds);
}

std::string answer_text(const RunLog& log, const std::string& group, const SearchRecord& search) {
  const auto device = log.devices.find(search.baseline.device_id);
  std::string text =
      fmt::format("{} ({} {}) on {}\n", search.baseline.dwarf, search.baseline.size, search.baseline.problem,
                  device == log.devices.end() ? search.baseline.device_id : device->second.info.name);
  const auto found = log.answers.find(group);
  if (found == log.answers.end()) return text + "  no point ran to the end\n";
  const AnswerRecord& answer = found->second;
  text += fmt::format("  best of {} evaluations in {:.0f} s: {}\n", answer.evaluations, answer.seconds,
                      answer.best.config);
  text += "  " + time_text(answer.time_ns);
  if (answer.joules) text += fmt::format(" and {:.4g} J", *answer.joules);
  if (answer.speedup)
    text += fmt::format(", {:.2f}x the baseline [{:.2f}, {:.2f}]", *answer.speedup, answer.speedup_low,
                        answer.speedup_high);
  if (answer.saving)
    text += fmt::format(", its energy over {:.2f} [{:.2f}, {:.2f}]", *answer.saving, answer.saving_low,
                        answer.saving_high);
  text += "\n" + front_text(answer) + tied_text(answer);
  return answer.carving ? text + carving_text(*answer.carving) : text;
}

}  // namespace

std::string search_summary(const RunLog& log, const std::string& folder) {
  std::string text;
  for (const auto& [group, search] : log.searches) {
    text += answer_text(log, group, search);
    if (const auto evaluations = log.evaluations.find(group); evaluations != log.evaluations.end())
      text += costs_of(evaluations->second);
  }
  return text + fmt::format("everything is in {}; trace.csv has the best time over evaluations and seconds\n",
                            folder);
}

}  // namespace dwarfsweep
