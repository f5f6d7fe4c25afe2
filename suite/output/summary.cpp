#include "suite/output/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/space/error.hpp"
#include "suite/output/setting_tables.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/reason.hpp"

namespace dwarfsweep {

// --- sweeps ---

namespace {

constexpr std::size_t max_failure_lines = 6;
constexpr std::size_t max_reason_length = 160;
constexpr std::ptrdiff_t max_lines = 40;  // of a terminal that nobody scrolls

std::string short_device_line(const DeviceColumn& column) {
  const MeasurementRow& row = *column.any;
  return fmt::format("{}: {} ({}), driver {}{}", column.letter, row.device, row.platform, row.driver,
                     row.timer == "host" ? "; timed by the host's clock" : "");
}

// The table without its explanations, which tables.md has.
Document best_settings(const TableModel& model) {
  Document document;
  for (Block& block : best_settings_table(model)) {
    if (block.kind == Block::Kind::table) document.push_back(std::move(block));
  }
  if (document.empty()) return {paragraph("No point was measured.")};
  document.push_back(paragraph(
      "Interval of 95 %; + faster than the baseline, - slower, ~ within noise; * not re-measured."));
  return document;
}

// "387 points: 192 ok, 52 not applicable, 143 not run."
std::string count_statuses(const std::vector<const MeasurementRow*>& totals) {
  std::map<std::string, std::size_t> counts;
  for (const MeasurementRow* row : totals) ++counts[status_words(row->status)];
  std::vector<std::string> parts;
  if (counts.contains("ok")) parts.push_back(fmt::format("{} ok", counts["ok"]));
  for (const auto& [words, count] : counts) {
    if (words != "ok") parts.push_back(fmt::format("{} {}", count, words));
  }
  return fmt::format("{} points: {}.", totals.size(), fmt::join(parts, ", "));
}

bool some_lacked_time(const std::vector<const MeasurementRow*>& totals) {
  return std::ranges::any_of(totals, [](const MeasurementRow* row) {
    return row->status == to_string(Status::not_run) && row->stop_reason == out_of_budget;
  });
}

std::vector<std::string> how_to_go_on(const std::string& folder, bool lacked_time) {
  std::vector<std::string> lines = {
      fmt::format("run folder: {}", folder),
      fmt::format("tables of all settings, as in tables.md: ./run table {0}, or dwarfsweep table {0}",
                  folder)};
  if (lacked_time)
    lines.push_back(fmt::format("points that the budget left out: ./run sweep --resume {}", folder));
  std::error_code error;
  if (std::filesystem::exists(folder + "/report.html", error))
    lines.push_back(fmt::format("the report, for a browser: {}/report.html", folder));
  return lines;
}

// Failures of one dwarf with the same status and reason are listed once, with the first setting.
std::vector<std::string> failure_lines(const std::vector<const MeasurementRow*>& totals) {
  std::vector<std::pair<const MeasurementRow*, std::size_t>> failures;  // the first, and how many
  for (const MeasurementRow* row : totals) {
    if (!is_failure(row->status)) continue;
    const auto same = std::ranges::find_if(failures, [&](const auto& known) {
      const MeasurementRow& first = *known.first;
      return first.device_id == row->device_id && first.dwarf == row->dwarf &&
             first.variant == row->variant && first.status == row->status;
    });
    if (same == failures.end()) {
      failures.emplace_back(row, 1);
    } else {
      ++same->second;
    }
  }
  std::vector<std::string> lines;
  for (const auto& [row, count] : failures) {
    if (lines.size() == max_failure_lines) {
      lines.push_back(fmt::format("... and {} more of other variants", failures.size() - max_failure_lines));
      break;
    }
    std::string reason = short_reason(row->reason);
    if (reason.size() > max_reason_length)
      reason = reason.substr(0, reason.rfind(' ', max_reason_length)) + " ...";
    lines.push_back(fmt::format("{} {} ({}) {}{}: {}", row->dwarf, row->variant, row->device,
                                status_words(row->status),
                                count > 1 ? fmt::format(", {} points; the first", count) : "", reason));
  }
  return lines;
}

std::vector<const MeasurementRow*> total_rows(const std::vector<MeasurementRow>& rows) {
  std::vector<const MeasurementRow*> totals;
  for (const MeasurementRow& row : rows) {
    if (row.kernel == "total") totals.push_back(&row);
  }
  return totals;
}

// The text in at most max_lines lines: of the rows that do not fit it states only the number.
std::string cut_to_fit(Document document) {
  const auto table = std::ranges::find(document, Block::Kind::table, &Block::kind);
  std::string text = to_plain_text(document);
  if (table == document.end()) return text;
  std::size_t cut = 0;
  while (std::ranges::count(text, '\n') > max_lines && table->rows.size() > 1) {
    table->rows.pop_back();
    std::vector<Cell>& last = table->rows.back();
    for (Cell& cell : last) cell = {{""}, ""};
    last.front().whole = fmt::format("and {} more", ++cut + 1);
    text = to_plain_text(document);
  }
  return text;
}

}  // namespace

Document status_summary(const std::vector<MeasurementRow>& rows) {
  const std::vector<const MeasurementRow*> totals = total_rows(rows);
  Document document = {paragraph(count_statuses(totals))};
  if (const auto failures = failure_lines(totals); !failures.empty()) document.push_back(items(failures));
  return document;
}

std::string make_summary(const std::vector<MeasurementRow>& rows, const std::string& folder) {
  const TableModel model = arrange(rows);
  Document document;
  std::vector<std::string> devices;
  for (const DeviceColumn& column : model.columns) devices.push_back(short_device_line(column));
  if (!devices.empty()) document.push_back(items(devices));
  for (Block& block : best_settings(model)) document.push_back(std::move(block));
  for (Block& block : status_summary(rows)) document.push_back(std::move(block));
  document.push_back(items(how_to_go_on(folder, some_lacked_time(total_rows(rows)))));
  return cut_to_fit(std::move(document));
}

// --- searches ---

namespace {

constexpr std::size_t max_tied_shown = 8;

std::string costs_of(const std::vector<EvaluationRecord>& evaluations) {
  EvaluationCost sum;
  std::size_t failed = 0;
  for (const EvaluationRecord& each : evaluations) {
    sum += each.cost;
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

// If not all points were measured, the probability from the measured ones is a lower bound.
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
  return text +
         fmt::format("run folder: {}; trace.csv has the best time over evaluations and seconds\n", folder);
}

// --- trace.csv ---

namespace {

constexpr const char* header =
    "run_id,device,device_id,dwarf,size,problem,evaluation,seconds,proposer,outcome,config,time_ns,best_ns,"
    "search_s,build_s,verify_s,measure_s,energy_j,best_energy_j,on_front\n";

std::string cell(const std::optional<double>& value) {
  return value ? number_text(*value) : "";
}

// Whether no evaluation is better in one of time and energy, and not worse in the other; empty where the
// energy is not known.
std::string on_front(const EvaluationRecord& one, const std::vector<EvaluationRecord>& evaluations) {
  if (!one.joules) return "";
  const bool beaten = std::ranges::any_of(evaluations, [&](const EvaluationRecord& each) {
    return each.joules && *each.joules <= *one.joules && *each.time_ns <= *one.time_ns &&
           (*each.joules < *one.joules || *each.time_ns < *one.time_ns);
  });
  return beaten ? "false" : "true";
}

std::string lines_of(const RunLog& log, const std::vector<EvaluationRecord>& evaluations) {
  std::string text;
  std::optional<double> best;
  std::optional<double> best_joules;
  for (const EvaluationRecord& each : evaluations) {
    if (each.time_ns) best = best ? std::min(*best, *each.time_ns) : *each.time_ns;
    if (each.joules) best_joules = best_joules ? std::min(*best_joules, *each.joules) : *each.joules;
    const auto device = log.devices.find(each.key.device_id);
    const std::string name = device == log.devices.end() ? "" : device->second.info.name;
    for (const std::string& part :
         {log.run.run_id, name, each.key.device_id, each.key.dwarf, each.key.size, each.key.problem})
      text += csv_cell(part) + ",";
    text +=
        fmt::format("{},{},{},{},{},{},{},", each.number, number_text(each.seconds), csv_cell(each.proposer),
                    each.outcome, csv_cell(each.key.config), cell(each.time_ns), cell(best));
    const EvaluationCost& cost = each.cost;
    text += fmt::format("{},{},{},{},{},{},{}\n", number_text(cost.search_s), number_text(cost.build_s),
                        number_text(cost.verify_s), number_text(cost.measure_s), cell(each.joules),
                        cell(best_joules), on_front(each, evaluations));
  }
  return text;
}

}  // namespace

std::string search_trace(const RunLog& log) {
  std::string text;
  for (const auto& [group, evaluations] : log.evaluations) text += lines_of(log, evaluations);
  return text.empty() ? "" : header + text;
}

}  // namespace dwarfsweep
