#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "harness/space/error.hpp"
#include "harness/space/value.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/reason.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {

std::vector<MeasuredTable> measured_tables(const ReportData& data) {
  std::vector<MeasuredTable> found;
  for_each_total(data, [&](const SettingTable& table, std::size_t column) {
    MeasuredTable measured{&table, column, best_setting(table, column), nullptr};
    for (const Setting& setting : table.settings) {
      if (setting.baseline && is_timed(setting.cells[column])) measured.baseline = setting.cells[column];
    }
    if (measured.best.row != nullptr) found.push_back(measured);
  });
  return found;
}

std::string device_letters(const ReportData& data) {
  std::string text;
  for (std::size_t i = 0; i < data.names.size() && data.names.size() > 1; ++i)
    text += fmt::format("{}{}: {}", i == 0 ? ". " : ", ", data.model.columns[i].letter, data.names[i]);
  return text;
}

std::string problem_text(const SettingTable& table) {
  return fmt::format("{} ({}, {})", table.dwarf, table.size, table.problem);
}

std::string size_text(const ReportData& data, const SettingTable& table) {
  std::istringstream values(table.problem);
  std::string differing;
  for (std::string value; std::getline(values, value, ';');) {
    const bool differs = std::ranges::any_of(data.model.tables, [&](const SettingTable& other) {
      const bool is_like = other.dwarf == table.dwarf && other.size == table.size;
      return is_like && (";" + other.problem + ";").find(";" + value + ";") == std::string::npos;
    });
    if (differs) differing += (differing.empty() ? ": " : ", ") + value;
  }
  return table.size + differing;
}

std::string gain_text(const Speedup& gain) {
  return ratio_text(gain.ratio, gain.high - gain.low) + "x " + interval_text(gain.low, gain.high);
}

std::string speedup_text(const MeasurementRow& row) {
  if (!row.speedup) return "";
  return gain_text({*row.speedup, row.speedup_low.value_or(0), row.speedup_high.value_or(INFINITY), {}});
}

double speedup_or_one(const MeasurementRow& row) {
  return row.baseline ? 1 : row.speedup.value_or(0);
}

const char* verdict_mark_of(Verdict verdict) {
  return verdict == Verdict::faster ? "▲" : verdict == Verdict::slower ? "▼" : "≈";
}

std::string point_mark(const MeasurementRow& row) {
  if (row.status == to_string(Status::rejected)) return "–";
  if (row.status == to_string(Status::unsupported)) return "⊘";
  if (row.status == to_string(Status::not_run)) return "·";
  if (row.status != "ok") return "✕";
  if (row.baseline) return "●";
  return row.verdict == "faster" ? "▲" : row.verdict == "slower" ? "▼" : row.verdict.empty() ? "" : "≈";
}

std::string outcome_text(const MeasurementRow& row) {
  return row.status == "ok" ? "no samples" : point_mark(row) + " " + status_words(row.status);
}

std::string per_cent_text(double share) {
  const double amount = 100 * share;
  return fmt::format("{:.{}f} %", amount, amount >= 10 ? 0 : amount >= 1 ? 1 : 2);
}

Html peak_text(const MeasurementRow& row) {
  if (!row.peak_fraction) return {};
  const Html share = markup("{} {}", per_cent_text(*row.peak_fraction), row.bound);
  if (*row.peak_fraction <= 1) return share;
  const bool counted = row.bound == "compute";
  return share + markup(" <small>{}</small>", counted ? "(does fewer operations than are counted)"
                                                      : "(data stay in a faster cache)");
}

bool is_too_small(const MeasurementRow& row) {
  return row.bound == "launch";
}

std::string point_command(const MeasurementRow& row) {
  const std::string problem = ValueMap::parse(row.problem).to_string(",");
  const std::string input = row.size == "file" ? " --input FILE" : "";
  return fmt::format("dwarfsweep run --dwarf {} --device {}{}{} --set {}", shell_quoted(row.dwarf),
                     shell_quoted(row.device), input,
                     input.empty() ? " --problem " + shell_quoted(problem) : "",
                     shell_quoted(Config::parse(config_text(row)).to_string(",")));
}

Html point_name(const ReportData& data, const MeasurementRow& row, const Html& name) {
  return markup("<a class=\"pt\" href=\"#r{}\">{}</a>", index_of(data, row), name);
}

}  // namespace dwarfsweep
