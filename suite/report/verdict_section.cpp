// The answer on one screen, and whether its numbers can be trusted.
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/statistics/statistics.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/record/json.hpp"
#include "suite/record/reason.hpp"
#include "suite/report/payoff.hpp"
#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

// --- can the numbers of a device be trusted? ---

// Half the width of an interval over its value, in the median over the points.
constexpr double narrow_enough = 0.03;  // the precision to which a sweep measures by default
constexpr double too_wide = 0.1;
constexpr double self_test_limit = 0.01;
constexpr double linearity_limit = 0.1;  // as for `devices --selftest`

struct Finding {
  enum class Kind { fine, doubt, bad, unknown };
  Kind kind;
  std::string text;
};

const char* mark_of(Finding::Kind kind) {
  return kind == Finding::Kind::fine ? "✓" : kind == Finding::Kind::unknown ? "?" : "!";
}

std::vector<const MeasurementRow*> totals_of(const ReportData& data, std::size_t column) {
  std::vector<const MeasurementRow*> rows;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel == "total" && column_of(data, row) == column) rows.push_back(&row);
  }
  return rows;
}

std::string per_cent(double share) {
  return std::isfinite(share) ? fmt::format("{:.2g} %", 100 * share) : "an unknown width";
}

bool is_run_of(const ReportData& data, const ReportRun& run, std::size_t column) {
  return std::ranges::any_of(data.device_columns, [&](const auto& known) {
    return known.second == column && run.run_ids.contains(known.first.substr(0, known.first.find('|')));
  });
}

void add_timer(const ReportData& data, std::size_t column, std::vector<Finding>& findings) {
  using Kind = Finding::Kind;
  const bool host = data.model.columns[column].any->timer == "host";
  findings.push_back(
      {host ? Kind::doubt : Kind::fine, host ? "timed by the host's clock, because the device's "
                                               "timer failed its test"
                                             : "the device's timer passed its test"});
  const auto tested = [&](const char* name) { return device_number(data, column, "selftest", name); };
  const double off = std::max(std::abs(tested("self_comparison") - 1), tested("half_width"));
  if (std::isnan(off)) {
    findings.push_back({Kind::unknown, "this run has no self-test of the harness"});
    return;
  }
  findings.push_back({off <= self_test_limit ? Kind::fine : Kind::doubt,
                      fmt::format("self-test: two measurements of one kernel agree within {}, at most {} is "
                                  "expected",
                                  per_cent(off), per_cent(self_test_limit))});
  const double linearity = tested("linearity");
  if (std::isnan(linearity)) return;
  findings.push_back(
      {std::abs(linearity - 1) <= linearity_limit ? Kind::fine : Kind::doubt,
       fmt::format("self-test: ten times the work takes {:.2f} times as long, {:.0f} to {:.0f} "
                   "is expected",
                   10 * linearity, 10 * (1 - linearity_limit), 10 * (1 + linearity_limit))});
}

void add_widths(const std::vector<const MeasurementRow*>& rows, std::vector<Finding>& findings) {
  std::vector<double> widths;
  for (const MeasurementRow* row : rows) {
    if (row->baseline || !row->speedup) continue;
    widths.push_back((row->speedup_high.value_or(INFINITY) - row->speedup_low.value_or(0)) /
                     (2 * *row->speedup));
  }
  if (widths.empty()) return;
  std::ranges::sort(widths);
  const double middle = widths[widths.size() / 2];
  const auto narrow = std::ranges::count_if(widths, [](double width) { return width <= narrow_enough; });
  findings.push_back({middle <= narrow_enough ? Finding::Kind::fine
                      : middle <= too_wide    ? Finding::Kind::doubt
                                              : Finding::Kind::bad,
                      fmt::format("speedups are known to ±{} in the median; {} of {} to ±3 % or better",
                                  per_cent(middle), narrow, widths.size())});
}

void add_self_comparisons(const std::vector<const MeasurementRow*>& rows, std::vector<Finding>& findings) {
  std::size_t baselines = 0, off = 0, throttled = 0, reported = 0, wrong = 0;
  for (const MeasurementRow* row : rows) {
    if (row->baseline && !row->verdict.empty()) ++baselines;
    if (row->baseline && !row->verdict.empty() && row->verdict != "within_noise") ++off;
    if (!row->throttled.empty()) ++reported;
    if (row->throttled == "true") ++throttled;
    if (row->status == to_string(Status::wrong_result)) ++wrong;
  }
  using Kind = Finding::Kind;
  // One in twenty is off by chance.
  const Kind kind = off == 0 ? Kind::fine : 10 * off <= baselines || off == 1 ? Kind::doubt : Kind::bad;
  if (baselines > 0)
    findings.push_back({kind, fmt::format("baselines measured against themselves: {} of {} within noise",
                                          baselines - off, baselines)});
  if (reported == 0)
    findings.push_back({Kind::unknown, "the device does not report whether it was throttled"});
  else
    findings.push_back({throttled == 0 ? Kind::fine : Kind::doubt,
                        fmt::format("throttled during {} of {} points", throttled, reported)});
  if (wrong > 0)
    findings.push_back({Kind::doubt, fmt::format("{} points gave a wrong result; they have no time", wrong)});
}

// Such as that other programs kept the host's CPUs busy. Those of several runs that differ in numbers alone
// are one finding.
void add_warnings(const ReportData& data, std::size_t column, std::vector<Finding>& findings) {
  std::map<std::string, std::vector<std::string>> by_wording;
  for (const ReportRun& run : data.runs) {
    const auto warnings = run.description->find("warnings");
    if (!is_run_of(data, run, column) || warnings == run.description->end() || !warnings->is_array())
      continue;
    for (const Json& each : *warnings) {
      if (!each.is_string()) continue;
      std::string wording = each.get<std::string>();
      std::erase_if(wording, [](char letter) { return (letter >= '0' && letter <= '9') || letter == '.'; });
      by_wording[wording].push_back(each.get<std::string>());
    }
  }
  for (const auto& [wording, texts] : by_wording) {
    findings.push_back({Finding::Kind::doubt,
                        texts.size() == 1
                            ? texts.front()
                            : fmt::format("in {} runs, such as the first: {}", texts.size(), texts.front())});
  }
}

std::vector<Finding> findings_of(const ReportData& data, std::size_t column) {
  std::vector<Finding> findings;
  const std::vector<const MeasurementRow*> rows = totals_of(data, column);
  add_widths(rows, findings);
  add_self_comparisons(rows, findings);
  add_timer(data, column, findings);
  add_warnings(data, column, findings);
  return findings;
}

// "good: speedups are known to ±0.4 %": the grade, with what speaks against the device or, if nothing does,
// for it.
Html grade_of(const std::vector<Finding>& findings) {
  using Kind = Finding::Kind;
  const auto has = [&](Kind kind) {
    return std::ranges::find(findings, kind, &Finding::kind) != findings.end();
  };
  std::vector<std::string> reasons;
  for (const Finding& each : findings) {
    const bool against = each.kind == Kind::doubt || each.kind == Kind::bad;
    if (against || (!has(Kind::doubt) && !has(Kind::bad) && each.kind == Kind::fine))
      reasons.push_back(each.text);
  }
  return markup("<b>{}</b>: {}",
                has(Kind::bad)     ? "poor"
                : has(Kind::doubt) ? "fair"
                                   : "good",
                fmt::format("{}", fmt::join(reasons, "; ")));
}

// Baselines by round, each relative to its own median: what all points of a round share.
std::map<std::int64_t, double> drift_by_round(const ReportData& data, std::size_t column) {
  std::map<std::int64_t, std::vector<double>> shares;
  for (const MeasurementRow* row : totals_of(data, column)) {
    std::map<std::int64_t, std::vector<double>> of_point;
    std::vector<double> all;
    for (const ReportBlock& block : round_blocks(data, *row)) {
      for (const SamplePair& pair : block.pairs) {
        of_point[block.round].push_back(pair.baseline_ns);
        all.push_back(pair.baseline_ns);
      }
    }
    if (of_point.size() < 2) continue;
    const double middle = median(all);
    for (const auto& [round, times] : of_point) shares[round].push_back(median(times) / middle);
  }
  std::map<std::int64_t, double> drift;
  for (const auto& [round, values] : shares) drift[round] = median(values);
  return drift;
}

Html drift_figure(const ReportData& data, std::size_t column) {
  const std::map<std::int64_t, double> drift = drift_by_round(data, column);
  if (drift.size() < 2) return {};
  std::vector<double> values = {0.99, 1.01};
  for (const auto& [round, share] : drift) values.push_back(share);
  Figure figure{
      .title = fmt::format("{}: time of the baselines in each round, relative to their median. Pairs "
                           "cancel this drift",
                           data.names[column]),
      .description = "a dot for each round",
      .height = 130};
  const LogScale scale(values, 118, 14);
  figure.content = y_axis(scale, 46, 700, "");
  const double step = 650 / static_cast<double>(drift.size());
  HtmlTable table{.header = {"round", "baselines over their median"}};
  double x = 50 + step / 2;
  for (const auto& [round, share] : drift) {
    figure.content += marker(column, x, scale.at(share));
    table.rows.push_back({markup("{}", round + 1), markup("{:.4f}", share)});
    x += step;
  }
  return to_html(figure) + html_details("numbers", to_html(table));
}

// --- the answer ---

Html best_of_device(const ReportData& data, const std::vector<MeasuredTable>& tables, std::size_t column) {
  std::vector<double> speedups;
  const MeasuredTable* most = nullptr;
  std::size_t problems = 0, too_small = 0;
  for (const MeasuredTable& measured : tables) {
    if (measured.column != column) continue;
    ++problems;
    if (is_too_small(*measured.best.row)) ++too_small;
    const double speedup = measured.best.setting->baseline ? 1 : measured.best.row->speedup.value_or(0);
    if (speedup <= 0) continue;
    if (most == nullptr || speedup > std::ranges::max(speedups)) most = &measured;
    speedups.push_back(speedup);
  }
  const std::string& name = data.names[column];
  if (most == nullptr) return markup("<b>{}</b>: no setting could be compared with a baseline.", name);
  Html text =
      speedups.size() > 1
          ? markup(
                "<b>{}</b>: the best settings are {}x to {}x as fast as the baselines ({}x in the geometric "
                "mean of {} problems); {} gains most.",
                name, ratio_text(std::ranges::min(speedups)), ratio_text(std::ranges::max(speedups)),
                ratio_text(geometric_mean(speedups)), speedups.size(), most->table->dwarf)
      : most->best.setting->baseline
          ? markup("<b>{}</b>: no setting of {} is faster than its baseline.", name, most->table->dwarf)
          : markup("<b>{}</b>: the best setting of {} is {}x as fast as its baseline.", name,
                   most->table->dwarf, ratio_text(speedups.front()));
  if (too_small > 0 && problems == 1) {
    text += markup(
        " The problem is too small to judge the device (marked “launch”): launching kernels takes longer "
        "than "
        "its work would at the device's peak. A larger --size helps.");
  } else if (too_small > 0) {
    text += markup(
        " {} of {} problems are too small to judge the device (marked “launch”): launching kernels takes "
        "longer than "
        "their work would at the device's peak. A larger --size helps.",
        too_small, problems);
  }
  return text;
}

// The cells of a device in the table of best settings: four if it is the only one.
std::vector<Html> best_cells(const ReportData& data, const MeasuredTable& measured, bool only) {
  const MeasurementRow& row = *measured.best.row;
  const bool lucky = !measured.best.setting->baseline && row.stop_reason != confirmed;
  const Html gain = markup("{} {}{}", measured.best.setting->baseline ? "" : speedup_text(row),
                           point_mark(row), lucky ? markup(" <small>not re-measured</small>") : Html());
  const Html setting = point_name(data, row, measured.best.setting->label);
  const Html time = time_text(*row.median_ns);
  if (only) return {gain, setting, time, peak_text(row)};
  return {gain + markup("<br><small>{}<br>{} · {}</small>", setting, time, peak_text(row))};
}

Html best_table(const ReportData& data, const std::vector<MeasuredTable>& tables) {
  const bool only = data.model.columns.size() == 1;
  HtmlTable table{
      .caption =
          markup("The best setting of each dwarf over its baseline, with a 95 % interval. ▲ is faster by "
                 "more than noise; ● is the baseline itself: no setting is faster. Of peak: the time that "
                 "the work alone would take at the device's measured peak, over the time."),
      .header = {"dwarf", "size"},
      .numbers = only ? 2U : 99U};
  if (only) {
    table.header.insert(table.header.end(), {"speedup", "setting", "time", "of peak, limit"});
  } else {
    for (const std::string& name : data.names) table.header.push_back(name);
  }
  const SettingTable* last = nullptr;
  for (const MeasuredTable& measured : tables) {
    const SettingTable& settings = *measured.table;
    if (&settings != last) {
      table.rows.push_back(
          {markup("<a href=\"#d-{}\">{}</a>", settings.dwarf, settings.dwarf),
           markup("<span title=\"{}\">{}</span>", settings.problem, size_text(data, settings))});
      table.rows.back().resize(table.header.size());
    }
    last = &settings;
    const std::vector<Html> cells = best_cells(data, measured, only);
    std::ranges::copy(
        cells, table.rows.back().begin() + 2 + (only ? 0 : static_cast<std::ptrdiff_t>(measured.column)));
  }
  return to_html(table);
}

Html count_outcomes(const ReportData& data) {
  std::map<std::string, std::size_t> counts;
  std::size_t points = 0, failed = 0;
  for (const MeasurementRow& row : data.rows) {
    if (row.kernel != "total") continue;
    ++points;
    ++counts[status_words(row.status)];
    if (is_failure(row.status)) ++failed;
  }
  std::vector<std::string> parts;
  for (const auto& [words, count] : counts) parts.push_back(fmt::format("{} {}", count, words));
  const std::string list = fmt::format("{} points: {}", points, fmt::join(parts, ", "));
  const auto not_run = counts.find(status_words(std::string(to_string(Status::not_run))));
  const Html more =
      not_run != counts.end() && 2 * not_run->second > points
          ? markup(
                "<p>The budget ended before most points were run: “sweep --resume RUN --budget 10m” "
                "measures them.</p>\n")
          : Html();
  if (counts.size() == 1 && counts.contains("ok"))
    return markup("<p>Nothing failed. {} points.</p>\n", points);
  return (failed == 0 ? markup("<p>Nothing failed. {} (<a href=\"#left-out\">why</a>).</p>\n", list)
                      : markup("<p>✕ <b>{} points failed</b> (<a href=\"#left-out\">why</a>). {}.</p>\n",
                               failed, list)) +
         more;
}

Html device_table(const ReportData& data) {
  HtmlTable table{.caption = "Devices and runs",
                  .header = {"device", "full name", "type", "driver", "host", "date", "runs"},
                  .numbers = 99};
  for (std::size_t i = 0; i < data.model.columns.size(); ++i) {
    const MeasurementRow& row = *data.model.columns[i].any;
    std::vector<std::string> runs;
    for (const ReportRun& run : data.runs) {
      if (is_run_of(data, run, i)) runs.push_back(run.name);
    }
    table.rows.push_back({data.model.columns.size() == 1
                              ? Html(data.names[i])
                              : markup("<b>{}</b> {}", data.model.columns[i].letter, data.names[i]),
                          row.device, row.device_type, row.platform + " " + row.driver, row.host,
                          row.timestamp.substr(0, 10), fmt::format("{}", fmt::join(runs, ", "))});
  }
  return to_html(table);
}

}  // namespace

std::string report_title(const ReportData& data) {
  std::vector<std::string> dwarfs;
  for (const SettingTable& table : data.model.tables) {
    if (dwarfs.empty() || dwarfs.back() != table.dwarf) dwarfs.push_back(table.dwarf);
  }
  if (data.names.empty()) return "no device was measured";
  const std::string what = dwarfs.size() == 1 ? dwarfs.front() : fmt::format("{} dwarfs", dwarfs.size());
  constexpr std::size_t most_names = 3;
  return data.names.size() > most_names ? fmt::format("{} on {} devices", what, data.names.size())
                                        : fmt::format("{} on {}", what, fmt::join(data.names, "; "));
}

Html verdict_section(const ReportData& data) {
  if (data.model.columns.empty()) return markup("<p>No device was measured.</p>\n");
  const std::vector<MeasuredTable> tables = measured_tables(data);
  std::vector<Html> best, trust;
  for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
    best.push_back(best_of_device(data, tables, column));
    trust.push_back(markup("<b>{}</b>: {}", data.names[column], grade_of(findings_of(data, column))));
  }
  Html content = markup("<h3>What is fastest?</h3>\n") + html_list(best) +
                 markup("<h3>Does one setting suit all devices?</h3>\n") + portability_summary(data) +
                 markup("<h3>Can the numbers be trusted?</h3>\n") + html_list(trust) + count_outcomes(data);
  if (!tables.empty()) content += best_table(data, tables);
  return content + device_table(data);
}

Html trust_section(const ReportData& data) {
  Html content = markup(
      "<p>✓ is as it should be, ! raises a doubt, ? is not known. About one in twenty of the "
      "95 % intervals misses the true value.</p>\n");
  for (std::size_t i = 0; i < data.model.columns.size(); ++i) {
    std::vector<Html> lines;
    const std::vector<Finding> findings = findings_of(data, i);
    for (const Finding& each : findings) lines.push_back(markup("{} {}", mark_of(each.kind), each.text));
    content += markup("<h3>{}</h3>\n", data.names[i]) + html_list(lines) + drift_figure(data, i);
  }
  return data.model.columns.empty() ? Html() : content;
}

}  // namespace dwarfsweep
