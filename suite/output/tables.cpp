#include "suite/output/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <iterator>
#include <ostream>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/output/document.hpp"
#include "suite/output/fleet.hpp"
#include "suite/output/setting_tables.hpp"
#include "suite/output/summary.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

std::string to_csv(const TableModel& model) {
  std::string text =
      "dwarf,size,problem,kernel,setting,host,device,driver,run_id,device_id,status,median_ns,ci_low_ns,ci_"
      "high_ns,speedup,speedup_low,speedup_high,verdict,reason\n";
  const auto number = [](const Number& value) { return value ? number_text(*value) : std::string(); };
  for (const SettingTable& table : model.tables) {
    for (const Setting& setting : table.settings) {
      for (const MeasurementRow* row : setting.cells) {
        if (row == nullptr) continue;
        const std::vector<std::string> cells = {table.dwarf,
                                                table.size,
                                                table.problem,
                                                table.kernel,
                                                setting.label,
                                                row->host,
                                                row->device,
                                                row->driver,
                                                row->run_id,
                                                row->device_id,
                                                row->status,
                                                number(row->median_ns),
                                                number(row->ci_low_ns),
                                                number(row->ci_high_ns),
                                                number(row->speedup),
                                                number(row->speedup_low),
                                                number(row->speedup_high),
                                                row->verdict,
                                                row->reason};
        for (const std::string& cell : cells) text += csv_cell(cell) + ",";
        text.back() = '\n';
      }
    }
  }
  return text;
}

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, TableFormat>, 4> formats = {
    {{"text", TableFormat::text},
     {"markdown", TableFormat::markdown},
     {"csv", TableFormat::csv},
     {"latex", TableFormat::latex}}};

constexpr const char* legend =
    "Cells: median time of a whole execution, from its first command to its last, then the speedup over the "
    "baseline (paired samples) with its 95 % interval; above 1 "
    "is faster. + faster, - slower, ~ within noise: the interval contains 1. [?]: a single measurement block "
    "gives no interval. A dot: not part of the plan. A speedup is paired with samples of the baseline taken "
    "right before or after, so it may differ from the ratio of two median times, which may have been "
    "measured minutes apart.";

std::string device_line(const DeviceColumn& column) {
  const MeasurementRow& row = *column.any;
  return fmt::format("{}: {} ({}; {}; driver {}), host {}, run {}{}{}", column.letter, row.device,
                     row.device_type, row.platform, row.driver, row.host, row.run_id,
                     row.timer == "host" ? "; timed by the host's clock" : "",
                     row.schema_version == 1 ? "; times are sums of kernel times (schema version 1)" : "");
}

Document device_list(const TableModel& model) {
  std::vector<std::string> devices;
  for (const DeviceColumn& column : model.columns) devices.push_back(device_line(column));
  return {heading("Summary"), devices.empty() ? paragraph("No device was measured.") : items(devices)};
}

constexpr const char* fleet_legend =
    "Cells: median over the nodes of the time of a whole execution and of its speedup over the baseline, "
    "with the "
    "10 % and 90 % quantiles over the nodes. + all but a tenth of the nodes are faster than their baselines, "
    "- slower, "
    "~ neither. What only one node has measured stands with the 95 % interval of its own. A dot: not part of "
    "the plan.";

Document kind_list(const TableModel& model, const Fleet& fleet) {
  std::vector<std::string> kinds;
  for (const DeviceColumn& column : model.columns) {
    const MeasurementRow& row = *column.any;
    kinds.push_back(fmt::format("{}: {} ({}; {}; driver {}), {}", column.letter, row.device, row.device_type,
                                row.platform, row.driver, row.host));
  }
  const std::vector<std::string> deviations = find_deviations(fleet);
  return {heading("Kinds of devices"), items(kinds), heading("Nodes that deviate from their kind"),
          deviations.empty() ? paragraph("None; a kind needs eight nodes to be judged.") : items(deviations),
          heading("Summary")};
}

// The answer first, then the ten best settings of each problem, then all of them. `fleet`: that the rows are
// of; null: they are of single devices.
Document make_document(const std::vector<MeasurementRow>& rows, const Fleet* fleet,
                       const TableOptions& options) {
  const TableModel model = arrange(rows);
  Document document = fleet == nullptr ? device_list(model) : kind_list(model, *fleet);
  const auto append = [&](const Document& part) {
    document.insert(document.end(), part.begin(), part.end());
  };
  append(status_summary(rows));
  append(best_settings_table(model));
  append(top_settings_tables(model));
  append({heading("All settings"), paragraph(fleet == nullptr ? legend : fleet_legend)});
  append(cpu_reference_table(model));
  append(setting_tables(model));
  if (options.appendix) append(options.appendix(model));
  return document;
}

std::string make_tables(const std::vector<MeasurementRow>& rows, const Fleet* fleet,
                        const TableOptions& options) {
  switch (options.format) {
    case TableFormat::text:
      return to_plain_text(make_document(rows, fleet, options));
    case TableFormat::markdown:
      return to_markdown(make_document(rows, fleet, options));
    case TableFormat::latex:
      return to_latex(make_document(rows, fleet, options));
    case TableFormat::csv:
      return to_csv(arrange(rows));
  }
  return "";
}

}  // namespace

TableFormat parse_table_format(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& [text, format] : formats) {
    if (text == name) return format;
    names.push_back(text);
  }
  throw UsageError(
      fmt::format("unknown format '{}'; there are {}, best, space, claims, t4, kernel-tuner, "
                  "google-benchmark, github-action-benchmark, lnt, fom and p3",
                  name, fmt::join(names, ", ")));
}

std::string make_tables(const std::vector<MeasurementRow>& rows, const TableOptions& options) {
  if (const auto fleet = fleet_of(rows)) return make_tables(fleet->rows(), &*fleet, options);
  return make_tables(rows, nullptr, options);
}

std::string make_tables_of_runs(const std::vector<fs::path>& runs, const TableOptions& options) {
  if (const auto fleet = read_fleet(runs)) return make_tables(fleet->rows(), &*fleet, options);
  std::vector<MeasurementRow> rows;
  for (const fs::path& run : runs) {
    std::vector<MeasurementRow> more = read_run_measurements(run);
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return make_tables(rows, nullptr, options);
}

void print_tables(std::ostream& out, const std::vector<fs::path>& runs, const TableOptions& options) {
  out << make_tables_of_runs(runs, options);
}

}  // namespace dwarfsweep
