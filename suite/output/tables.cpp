#include "suite/output/tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

#include "dwarfs/registry.hpp"
#include "harness/error.hpp"
#include "harness/statistics.hpp"
#include "suite/output/document.hpp"
#include "suite/output/host_table.hpp"
#include "suite/output/published.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, TableFormat>, 4> formats = {
    {{"text", TableFormat::text},
     {"markdown", TableFormat::markdown},
     {"csv", TableFormat::csv},
     {"latex", TableFormat::latex}}};

constexpr const char* legend =
    "Cells: median time, then the speedup over the baseline (paired samples) with its 95 % interval; above 1 "
    "is faster. + faster, - slower, ~ within noise: the interval holds 1. [?]: a single visit allows no "
    "interval. A point: not asked for. A speedup compares with samples of the baseline taken beside it, so "
    "it need not be the ratio of two times, which may come from different minutes.";

std::string problem_title(const SettingTable& table) {
  return fmt::format("{}, {} ({})", table.dwarf, table.size, table.problem);
}

// --- the best setting of every dwarf, problem and device ---

struct Best {
  const Setting* setting = nullptr;
  const MeasurementRow* row = nullptr;
};

// Of the settings that give the whole result: what was measured again as the winner (of several, as a resumed
// run may have, the fastest); else the largest speedup that is more than noise; else the baseline. Where
// nothing is paired, the shortest time.
Best find_best(const SettingTable& table, std::size_t column) {
  Best winner;
  Best best;
  Best baseline;
  for (const Setting& setting : table.settings) {
    const MeasurementRow* const row = setting.cells[column];
    if (row == nullptr || row->status != "ok" || !row->median_ns) continue;
    if (!gives_whole_result(row->dwarf, row->variant)) continue;
    const auto exceeds = [row](const Best& other) {
      return other.row == nullptr || row->speedup.value_or(0) > other.row->speedup.value_or(0);
    };
    if (row->stop_reason == confirmed && row->verdict == "faster" && exceeds(winner))
      winner = {&setting, row};
    if (setting.baseline) {
      baseline = {&setting, row};
    } else if (baseline.row != nullptr) {
      if (row->verdict == "faster" && exceeds(best)) best = {&setting, row};
    } else if (best.row == nullptr || *row->median_ns < *best.row->median_ns) {
      best = {&setting, row};
    }
  }
  if (winner.row != nullptr) return winner;
  return best.row != nullptr ? best : baseline;
}

std::string over_host(const MeasurementRow* host, const MeasurementRow& row) {
  return host == nullptr ? "" : ratio_text(*host->median_ns / *row.median_ns) + "x";
}

// Over one thread and over all: "12.1x / 6.30x".
std::string over_threads(const SettingTable& table, std::size_t column, const MeasurementRow& row) {
  const std::string one = over_host(table.host.one_thread[column], row);
  const std::string all = over_host(table.host.all_threads[column], row);
  return one.empty() && all.empty() ? "" : (one.empty() ? "." : one) + " / " + (all.empty() ? "." : all);
}

// "93% memory": how much of the time the measured peak of what bounds it explains.
std::string of_the_peak(const MeasurementRow& row) {
  return row.peak_fraction ? fmt::format("{:.0f}% {}", 100 * *row.peak_fraction, row.bound) : "";
}

// The size's name, and where it stands for several problems of the dwarf what sets this one apart: "paper:
// n=8192".
std::string size_text(const TableModel& model, const SettingTable& table) {
  const ValueMap own = ValueMap::parse(table.problem);
  std::vector<std::string> apart;
  for (const auto& [key, value] : own.entries()) {
    const bool varies = std::any_of(model.tables.begin(), model.tables.end(), [&](const SettingTable& other) {
      if (other.dwarf != table.dwarf || other.size != table.size) return false;
      const ValueMap problem = ValueMap::parse(other.problem);
      const Value* const found = problem.find(key);
      return found == nullptr || *found != value;
    });
    if (varies) apart.push_back(key + "=" + value.to_string());
  }
  return apart.empty() ? table.size : fmt::format("{}: {}", table.size, fmt::join(apart, ";"));
}

std::vector<Cell> best_row(const TableModel& model, const SettingTable& table, std::size_t column,
                           const Best& best) {
  const MeasurementRow& row = *best.row;
  Cell speedup{{"", "", ""}, ""};
  if (!best.setting->baseline && row.speedup) {
    const double low = row.speedup_low.value_or(0);
    const double high = row.speedup_high.value_or(INFINITY);
    speedup.parts = {ratio_text(*row.speedup, high - low) + "x", interval_text(low, high),
                     verdict_mark(row.verdict) + (row.stop_reason == confirmed ? "" : "*")};
  }
  return {{{table.dwarf}, ""},
          {{size_text(model, table)}, ""},
          {{model.columns[column].letter}, ""},
          {{best.setting->label}, ""},
          {{time_text(*row.median_ns)}, ""},
          speedup,
          {{of_the_peak(row)}, ""},
          {{over_threads(table, column, row)}, ""}};
}

std::string geometric_means(const TableModel& model, const std::vector<std::vector<double>>& speedups) {
  std::string text;
  for (std::size_t column = 0; column < speedups.size(); ++column) {
    if (speedups[column].size() < 2) continue;
    text += fmt::format("{}{} {}x over {} problems", text.empty() ? "" : "; ", model.columns[column].letter,
                        ratio_text(geometric_mean(speedups[column])), speedups[column].size());
  }
  return text;
}

void add_best(Document& document, const TableModel& model) {
  Block table{.kind = Block::Kind::table};
  table.header = {"dwarf",   "size",
                  "device",  "best setting",
                  "time",    "over the baseline",
                  "of peak", "over 1 / all threads"};
  table.leading = 4;
  std::vector<std::vector<double>> speedups(model.columns.size());
  for (const SettingTable& settings : model.tables) {
    if (settings.kernel != "total") continue;
    for (std::size_t column = 0; column < model.columns.size(); ++column) {
      const Best best = find_best(settings, column);
      if (best.row == nullptr) continue;
      table.rows.push_back(best_row(model, settings, column, best));
      if (best.row->speedup) speedups[column].push_back(best.setting->baseline ? 1 : *best.row->speedup);
    }
  }
  if (table.rows.empty()) return;
  // Without the host's own cores in the run there is nothing to hold against them.
  const bool host = std::any_of(table.rows.begin(), table.rows.end(), [](const std::vector<Cell>& row) {
    return !row.back().parts.front().empty();
  });
  if (!host) {
    table.header.pop_back();
    for (std::vector<Cell>& row : table.rows) row.pop_back();
  }
  document.push_back(heading("The best setting of each dwarf"));
  document.push_back(table);
  std::string text =
      "All kernels together, without transfers; \"baseline\" where no setting is faster than noise. The "
      "winner was measured again, and its figures are of those visits alone; * where it was not, and the "
      "figures that it was chosen by flatter it. Of peak: the time that its bytes or its operations, each "
      "counted once, would take at the device's measured peak, over its time.";
  if (host) {
    text +=
        " The last column holds ratios of medians against the dwarf on the host's own cores, one thread and "
        "all threads: unpaired, from the same run.";
  }
  document.push_back(paragraph(text));
  const std::string means = geometric_means(model, speedups);
  if (!means.empty()) {
    document.push_back(
        paragraph("Secondary, a mean over unlike programs: geometric mean of these speedups over the "
                  "baseline: " +
                  means + "."));
  }
}

// --- one table ---

bool has_time(const Setting& setting) {
  return std::any_of(setting.cells.begin(), setting.cells.end(), [](const MeasurementRow* row) {
    return row != nullptr && row->status == "ok" && row->median_ns;
  });
}

std::vector<double> times_of(const SettingTable& table) {
  std::vector<double> times;
  for (const Setting& setting : table.settings) {
    for (const MeasurementRow* row : setting.cells) {
      if (row != nullptr && row->status == "ok" && row->median_ns) times.push_back(*row->median_ns);
    }
  }
  return times;
}

void add_host_row(Block& block, const SettingTable& table, const std::vector<const MeasurementRow*>& host,
                  const char* label, const TimeScale& scale) {
  if (std::all_of(host.begin(), host.end(), [](const auto* row) { return row == nullptr; })) return;
  std::vector<Cell> cells = {{{label}, ""}};
  for (std::size_t column = 0; column < host.size(); ++column) {
    if (host[column] == nullptr) {
      cells.push_back({{}, "."});
      continue;
    }
    std::string text =
        scale.unit().empty() ? time_text(*host[column]->median_ns) : scale.text(*host[column]->median_ns);
    const Best best = find_best(table, column);
    const auto baseline =
        std::find_if(table.settings.begin(), table.settings.end(), [&](const Setting& setting) {
          return setting.baseline && setting.cells[column] != nullptr && setting.cells[column]->median_ns;
        });
    if (baseline != table.settings.end()) {
      text += "; baseline " + over_host(host[column], *baseline->cells[column]);
    }
    if (best.row != nullptr) text += "; best " + over_host(host[column], *best.row);
    cells.push_back({{}, text});
  }
  block.rows.push_back(std::move(cells));
}

// Heads a column; the whole name stands in the list of devices.
std::string short_name(const DeviceColumn& column) {
  constexpr std::size_t longest = 30;
  const std::string name = column.letter + " " + column.any->device;
  return name.size() <= longest ? name : name.substr(0, longest - 3) + "...";
}

void add_table(Document& document, const TableModel& model, const SettingTable& table, Footnotes& notes) {
  const TimeScale scale(times_of(table));
  Block block{.kind = Block::Kind::table};
  block.header = {"setting"};
  for (const DeviceColumn& column : model.columns) block.header.push_back(short_name(column));
  for (const Setting& setting : table.settings) {
    // Points that failed everywhere stand in the table of all kernels.
    if (table.kernel != "total" && !has_time(setting)) continue;
    std::vector<Cell> cells = {{{setting.label}, ""}};
    for (const MeasurementRow* row : setting.cells) {
      cells.push_back(result_cell(row, scale, setting.baseline, notes));
    }
    block.rows.push_back(std::move(cells));
  }
  if (table.kernel == "total") {
    add_host_row(block, table, table.host.one_thread, "host, one thread (unpaired)", scale);
    add_host_row(block, table, table.host.all_threads, "host, all threads (unpaired)", scale);
  }
  document.push_back(
      paragraph(fmt::format("{}{}", table.kernel == "total" ? "All kernels" : "Kernel " + table.kernel,
                            scale.unit().empty() ? ":" : ", in " + scale.unit() + ":")));
  document.push_back(std::move(block));
}

// A dwarf of one kernel has a total that says the same.
bool same_times(const SettingTable& a, const SettingTable& b) {
  if (a.settings.size() != b.settings.size()) return false;
  for (std::size_t i = 0; i < a.settings.size(); ++i) {
    for (std::size_t column = 0; column < a.settings[i].cells.size(); ++column) {
      const MeasurementRow* const left = a.settings[i].cells[column];
      const MeasurementRow* const right = b.settings[i].cells[column];
      if ((left == nullptr) != (right == nullptr)) return false;
      if (left != nullptr && left->median_ns != right->median_ns) return false;
    }
  }
  return true;
}

// The tables from `begin` on that are about the same problem: that of all kernels first.
std::size_t add_problem(Document& document, const TableModel& model, std::size_t begin) {
  const SettingTable& total = model.tables[begin];
  std::size_t end = begin;
  while (end < model.tables.size() && problem_title(model.tables[end]) == problem_title(total)) ++end;
  if (total.settings.empty()) return end;  // measured on the host only
  document.push_back(subheading(problem_title(total)));
  document.push_back(items(total.starts));
  Footnotes notes;
  add_table(document, model, total, notes);
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (!same_times(model.tables[i], total)) add_table(document, model, model.tables[i], notes);
  }
  if (!notes.lines().empty()) document.push_back(items(notes.lines()));
  return end;
}

void add_tables(Document& document, const TableModel& model) {
  std::string dwarf;
  for (std::size_t i = 0; i < model.tables.size();) {
    if (model.tables[i].dwarf != dwarf) document.push_back(heading(model.tables[i].dwarf));
    dwarf = model.tables[i].dwarf;
    i = add_problem(document, model, i);
  }
}

std::string device_line(const DeviceColumn& column) {
  const MeasurementRow& row = *column.any;
  return fmt::format("{}: {} ({}; {}; driver {}), host {}, run {}{}", column.letter, row.device,
                     row.device_type, row.platform, row.driver, row.host, row.run_id,
                     row.timer == "host" ? "; timed by the host's clock" : "");
}

Document make_document(const TableModel& model, const fs::path& published) {
  Document document;
  std::vector<std::string> devices;
  for (const DeviceColumn& column : model.columns) devices.push_back(device_line(column));
  document.push_back(heading("Devices"));
  document.push_back(devices.empty() ? paragraph("No device was measured.") : items(devices));
  document.push_back(paragraph(legend));
  add_best(document, model);
  const Document against_host = host_table(model);
  document.insert(document.end(), against_host.begin(), against_host.end());
  add_tables(document, model);
  if (!published.empty()) {
    const Document theirs = published_tables(model, published);
    document.insert(document.end(), theirs.begin(), theirs.end());
  }
  return document;
}

// --- csv ---

std::string make_csv(const TableModel& model) {
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

}  // namespace

TableFormat parse_table_format(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& [text, format] : formats) {
    if (text == name) return format;
    names.push_back(text);
  }
  throw UsageError(fmt::format("unknown format '{}'; there are {}, t4, google-benchmark and best", name,
                               fmt::join(names, ", ")));
}

std::string make_tables(const std::vector<MeasurementRow>& rows, const TableOptions& options) {
  const TableModel model = arrange(rows);
  switch (options.format) {
    case TableFormat::text:
      return to_plain_text(make_document(model, options.published));
    case TableFormat::markdown:
      return to_markdown(make_document(model, options.published));
    case TableFormat::latex:
      return to_latex(make_document(model, options.published));
    case TableFormat::csv:
      return make_csv(model);
  }
  return "";
}

void print_tables(std::ostream& out, const std::vector<fs::path>& runs, const TableOptions& options) {
  std::vector<MeasurementRow> rows;
  for (const fs::path& run : runs) {
    std::vector<MeasurementRow> more = read_run_measurements(run);
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  out << make_tables(rows, options);
}

}  // namespace dwarfsweep
