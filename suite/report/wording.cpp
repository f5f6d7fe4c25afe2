#include "suite/report/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/space/error.hpp"
#include "harness/space/value.hpp"
#include "suite/output/table_cells.hpp"

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

std::string problem_text(const SettingTable& table) {
  return fmt::format("{} ({}, {})", table.dwarf, table.size, table.problem);
}

std::string gain_text(const Speedup& gain) {
  return ratio_text(gain.ratio, gain.high - gain.low) + "x " + interval_text(gain.low, gain.high);
}

std::string speedup_text(const MeasurementRow& row) {
  if (!row.speedup) return "";
  return gain_text({*row.speedup, row.speedup_low.value_or(0), row.speedup_high.value_or(INFINITY), {}});
}

bool is_failed_point(const MeasurementRow& row) {
  constexpr std::array<Status, 4> answers = {Status::ok, Status::rejected, Status::unsupported,
                                             Status::not_run};
  return row.kernel == "total" && std::none_of(answers.begin(), answers.end(), [&](Status status) {
           return row.status == to_string(status);
         });
}

std::string verdict_glyph(const MeasurementRow& row) {
  if (row.status != "ok") return "✕";
  if (row.baseline) return "●";
  if (row.verdict == "faster") return "▲";
  if (row.verdict == "slower") return "▼";
  return row.verdict.empty() ? "" : "≈";
}

std::string bound_text(const MeasurementRow& row) {
  return row.peak_fraction ? per_cent_text(*row.peak_fraction) + " of peak, " + row.bound + "-bound" : "";
}

std::string per_cent_text(double share) {
  const double amount = 100 * share;
  return fmt::format("{:.{}f} %", amount, amount >= 10 ? 0 : amount >= 1 ? 1 : 2);
}

std::string point_command(const MeasurementRow& row) {
  const std::string problem = ValueMap::parse(row.problem).to_string(",");
  const std::string input = row.size == "file" ? " --input FILE" : "";
  return fmt::format("dwarfsweep run --dwarf {} --device {}{}{} --set {}", shell_quoted(row.dwarf),
                     shell_quoted(row.device), input,
                     input.empty() ? " --problem " + shell_quoted(problem) : "",
                     shell_quoted(Config::parse(config_text(row)).to_string(",")));
}

std::string column_name(const DeviceColumn& column) {
  return column.letter + " " + column.any->device;
}

}  // namespace dwarfsweep
