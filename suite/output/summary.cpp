#include "suite/output/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/output/best_settings.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/reason.hpp"

namespace dwarfsweep {
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

bool is_failed(const MeasurementRow& row) {
  constexpr std::array<Status, 4> answers = {Status::ok, Status::rejected, Status::unsupported,
                                             Status::not_run};
  return std::none_of(answers.begin(), answers.end(),
                      [&](Status status) { return row.status == to_string(status); });
}

// "387 points: 143 not_run, 192 ok, 52 rejected."
std::string count_statuses(const std::vector<const MeasurementRow*>& totals) {
  std::map<std::string, std::size_t> counts;
  for (const MeasurementRow* row : totals) ++counts[row->status];
  std::vector<std::string> parts;
  for (const auto& [status, count] : counts) parts.push_back(fmt::format("{} {}", count, status));
  return fmt::format("{} points: {}.", totals.size(), fmt::join(parts, ", "));
}

bool some_lacked_time(const std::vector<const MeasurementRow*>& totals) {
  return std::any_of(totals.begin(), totals.end(), [](const MeasurementRow* row) {
    return row->status == to_string(Status::not_run) && row->stop_reason == out_of_budget;
  });
}

std::vector<std::string> how_to_go_on(const std::string& folder, bool lacked_time) {
  std::vector<std::string> lines = {
      fmt::format("everything: {}", folder),
      fmt::format("tables of all settings, as in tables.md: ./run table {0}, or dwarfsweep table {0}",
                  folder)};
  if (lacked_time) lines.push_back(fmt::format("what the budget left out: ./run sweep --resume {}", folder));
  std::error_code error;
  if (std::filesystem::exists(folder + "/report.html", error))
    lines.push_back(fmt::format("the report, for a browser: {}/report.html", folder));
  return lines;
}

// Those of one dwarf with one status and one reason are told once, with the first setting.
std::vector<std::string> failure_lines(const std::vector<const MeasurementRow*>& totals) {
  std::vector<std::pair<const MeasurementRow*, std::size_t>> failures;  // the first, and how many
  for (const MeasurementRow* row : totals) {
    if (!is_failed(*row)) continue;
    const auto same = std::find_if(failures.begin(), failures.end(), [&](const auto& known) {
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
    lines.push_back(fmt::format("{} {} ({}) {}{}: {}", row->dwarf, row->variant, row->device, row->status,
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

// The text in at most max_lines lines: what is too many of the table's rows is told by their number.
std::string cut_to_fit(Document document) {
  const auto table = std::find_if(document.begin(), document.end(),
                                  [](const Block& block) { return block.kind == Block::Kind::table; });
  std::string text = to_plain_text(document);
  if (table == document.end()) return text;
  std::size_t cut = 0;
  while (std::count(text.begin(), text.end(), '\n') > max_lines && table->rows.size() > 1) {
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

}  // namespace dwarfsweep
