// Section 7: do settings travel between devices?
#include <algorithm>
#include <functional>
#include <numeric>

#include "suite/report/portability.hpp"
#include "suite/report/sections.hpp"

namespace dwarfsweep {
namespace {

std::string interval_text_of(const std::optional<Interval>& interval) {
  return interval ? " [" + share_text(interval->low) + ", " + share_text(interval->high) + "]" : "";
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double least_of(const std::vector<double>& values) {
  return std::ranges::min(values);
}

// PP, mean and least, each with its interval; a dot each where it was not asked on all devices.
std::vector<Html> summary_cells(PortabilityIntervals& intervals, const PortableSetting& setting) {
  if (!setting.asked_everywhere()) {
    const bool asked = std::ranges::find(setting.cells, nullptr) == setting.cells.end();
    return {markup("· not {} on all", asked ? "run" : "asked"), "·", "·"};
  }
  std::vector<double> values;
  for (const auto& each : setting.efficiencies) values.push_back(*each);
  const std::vector<PortabilityIntervals::Summary> summaries = {
      [](const std::vector<double>& each) { return performance_portability(each); }, mean_of, least_of};
  std::vector<Html> cells;
  for (const auto& summary : summaries) {
    cells.push_back(
        markup("{}{}", share_text(summary(values)), interval_text_of(intervals.of_all(setting, summary))));
  }
  return cells;
}

Html efficiency_cell(PortabilityIntervals& intervals, const PortableSetting& setting, std::size_t device) {
  const MeasurementRow* const row = setting.cells[device];
  std::string text = efficiency_text(setting, device);
  if (is_timed(row)) {
    text += interval_text_of(intervals.of_efficiency(setting, device));
    if (row->peak_fraction) text += " (" + per_cent_text(*row->peak_fraction) + " of peak)";
  }
  return text;
}

void add_lines(const ReportData& data, const PortableDwarf& dwarf, const std::vector<std::size_t>& columns,
               HtmlTable& table) {
  PortabilityIntervals intervals(data, dwarf);
  for (const ShownSetting& shown : shown_settings(data, dwarf)) {
    const PortableSetting& setting = *shown.setting;
    std::vector<Html> cells = {dwarf.dwarf, shown.role, setting.label};
    for (Html& cell : summary_cells(intervals, setting)) cells.push_back(std::move(cell));
    const auto of_peak = setting.portability_of_peak();
    cells.push_back(of_peak ? per_cent_text(*of_peak) : "·");
    for (const std::size_t column : columns) {
      const auto device = dwarf.device_of(column);
      cells.push_back(device ? efficiency_cell(intervals, setting, *device) : "· dwarf not measured");
    }
    table.rows.push_back(std::move(cells));
  }
}

Html efficiency_table(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  const std::vector<std::size_t> columns = columns_of(dwarfs);
  HtmlTable table{.caption = markup(
                      "Efficiencies with their 95 % intervals. PP: Pennycook's performance portability, the "
                      "harmonic mean; of peak: the same against the devices' measured peaks. Base: the best "
                      "single setting for all devices; peak: each device's best, here also on the others."),
                  .header = {"dwarf", "setting is", "setting", "PP", "mean", "least", "PP of peak"},
                  .numbers = 3};
  for (const std::size_t column : columns)
    table.header.push_back(markup("on {}", data.model.columns[column].letter));
  for (const PortableDwarf& dwarf : dwarfs) add_lines(data, dwarf, columns, table);
  return to_html(table);
}

// "C 84 %, D 100 %".
std::string efficiencies_text(const ReportData& data, const PortableDwarf& dwarf,
                              const PortableSetting& setting) {
  std::string text;
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", device_letter(data, dwarf, device),
                        100 * setting.efficiencies[device].value_or(0));
  }
  return text;
}

// "blocked on C, D; dataflow on E".
std::string choice_text(const ReportData& data, const PortableDwarf& dwarf, const Choice& choice,
                        const std::function<std::string(const PortableSetting&)>& name_of) {
  std::string text;
  for (const std::string& name : choice.names) {
    std::string devices;
    for (std::size_t device = 0; device < choice.settings.size(); ++device) {
      if (name_of(*choice.settings[device]) != name) continue;
      devices += (devices.empty() ? "" : ", ") + device_letter(data, dwarf, device);
    }
    if (!devices.empty()) text += (text.empty() ? "" : "; ") + name + " on " + devices;
  }
  return text;
}

std::string variant_of(const PortableSetting& setting) {
  return Config::parse(setting.config).at("variant").to_string();
}

std::string label_of(const PortableSetting& setting) {
  return setting.label;
}

bool one_setting_does(const PortableDwarf& dwarf) {
  const PortableSetting* const single = dwarf.best_single();
  for (std::size_t device = 0; single != nullptr && device < dwarf.columns.size(); ++device) {
    if (*single->efficiencies[device] < good_enough * dwarf.share_of_known(device)) return false;
  }
  return single != nullptr;
}

// What is needed where one setting is not enough.
std::string needs_text(const ReportData& data, const PortableDwarf& dwarf) {
  static const std::vector<std::string> counts = {"no", "one", "two", "three"};
  const Choice algorithms = algorithms_needed(dwarf);
  const Choice settings = settings_needed(dwarf);
  std::string text;
  switch (algorithms.names.size()) {
    case 0:
      return "not even three algorithms do";
    case 1:
      text = fmt::format("one algorithm does, {}", algorithms.names.front());
      break;
    default:
      text = fmt::format("{} algorithms are needed: {}", counts[algorithms.names.size()],
                         choice_text(data, dwarf, algorithms, variant_of));
  }
  return text + (settings.names.empty() ? "; in more than three settings"
                                        : fmt::format("; in {} settings: {}", counts[settings.names.size()],
                                                      choice_text(data, dwarf, settings, label_of)));
}

Html sentence_of(const ReportData& data, const PortableDwarf& dwarf) {
  const PortableSetting* const single = dwarf.best_single();
  const std::string problems =
      dwarf.same_problem ? dwarf.tables.front()->size : "each device on its own problem";
  Html libraries;
  for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
    if (dwarf.library[device])
      libraries += markup(". The best known on {} is {}: there {:.0f} % is the most of ours",
                          device_letter(data, dwarf, device), dwarf.library[device]->peer,
                          100 * dwarf.share_of_known(device));
  }
  if (single == nullptr) {
    return markup("<b>{}</b> ({}): · not decidable: no setting was measured on every device", dwarf.dwarf,
                  problems);
  }
  const std::string shares = efficiencies_text(data, dwarf, *single);
  if (one_setting_does(dwarf))
    return markup("<b>{}</b> ({}): ✓ one setting does for all, {}: {} of the best known{}", dwarf.dwarf,
                  problems, single->label, shares, libraries);
  const auto asked = std::ranges::count_if(
      dwarf.settings, [](const PortableSetting& setting) { return setting.portability().value_or(0) > 0; });
  return markup(
      "<b>{}</b> ({}): ✕ none of {} settings does for all; the best, {}, reaches {} of the best known; {}{}",
      dwarf.dwarf, problems, asked, single->label, shares, needs_text(data, dwarf), libraries);
}

// What would fill the cells of the transfer matrix that nobody asked for.
Html missing_commands(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  Html lines;
  for (const PortableDwarf& dwarf : dwarfs) {
    for (const ShownSetting& shown : shown_settings(data, dwarf)) {
      for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
        if (shown.setting->cells[device] != nullptr) continue;
        MeasurementRow there = *dwarf.best[device].row;
        const auto asked = std::ranges::find_if(shown.setting->cells,
                                                [](const MeasurementRow* row) { return row != nullptr; });
        if (asked == shown.setting->cells.end()) continue;
        MeasurementRow point = **asked;
        point.device = there.device;
        point.size = there.size;
        point.problem = there.problem;
        lines += markup("{}\n", point_command(point));
      }
    }
  }
  if (lines.empty()) return markup("<p>No cell of the transfer matrix is “not asked”.</p>\n");
  std::string runs;
  for (const ReportRun& run : data.runs) runs += " " + shell_quoted(run.name);
  return markup(
      "<details><summary>Commands for the cells that were not asked for</summary><p>All of them, on each "
      "device: <code>dwarfsweep sweep --plan transfer --size medium{}</code>. One by one:</p><pre "
      "tabindex=\"0\">{}</pre></details>\n",
      runs, lines);
}

Html devices_line(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  Html line;
  for (const std::size_t column : columns_of(dwarfs)) {
    const MeasurementRow& row = *data.model.columns[column].any;
    line += markup("{}<b>{}</b> {} ({}, {})", line.empty() ? "" : ", ", data.model.columns[column].letter,
                   row.device, row.platform, row.host);
  }
  return markup("<p>{}.</p>\n", line);
}

}  // namespace

Html portability_summary(const ReportData& data) {
  std::vector<std::string> setting, algorithm, more, open;
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  const std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);
  for (const PortableDwarf& dwarf : dwarfs) {
    if (dwarf.best_single() == nullptr || !dwarf.same_problem) {
      open.push_back(dwarf.dwarf);
    } else if (one_setting_does(dwarf)) {
      setting.push_back(dwarf.dwarf);
    } else {
      (algorithms_needed(dwarf).names.size() == 1 ? algorithm : more).push_back(dwarf.dwarf);
    }
  }
  if (dwarfs.empty()) return {};
  const Html heading = markup("<h3>Would one setting do for all devices?</h3>\n");
  if (open.size() == dwarfs.size())
    return heading + markup(
                         "<p>Not decidable: no dwarf was measured on all devices on one problem. <a "
                         "href=\"#portability\">What is known, and the command that would</a>.</p>\n");
  Html text = heading + markup(
                            "<p>Within 10 % of each device's best: one setting does for <b>{} of {}</b> "
                            "dwarfs{}{}; one algorithm with settings of its own on each device for {}{}{}; "
                            "two or more algorithms are needed for {}{}{}",
                            setting.size(), dwarfs.size(), setting.empty() ? "" : ": ", joined(setting),
                            algorithm.size(), algorithm.empty() ? "" : ": ", joined(algorithm), more.size(),
                            more.empty() ? "" : ": ", joined(more));
  if (!open.empty()) text += markup("; not measured on all on one problem: {}", joined(open));
  return text + markup(" (<a href=\"#portability\">which, and how far the others fall</a>).</p>\n");
}

Html portability_section(const ReportData& data) {
  const std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);
  if (dwarfs.empty())
    return html_section("portability", "7 Portability",
                        markup("<p>These runs have one device. A report of several, <code>dwarfsweep report "
                               "RUN RUN</code>, shows which settings travel.</p>\n"));
  std::vector<Html> sentences;
  for (const PortableDwarf& dwarf : dwarfs) sentences.push_back(sentence_of(data, dwarf));
  return html_section(
      "portability", "7 Portability",
      devices_line(data, dwarfs) +
          markup("<p>Would one setting do for all devices? An efficiency is the shortest time known on a "
                 "device over the setting's time there, by the paired speedups over the baseline; a library "
                 "counts that was measured on the device for the same problem (its time is from another "
                 "run). Intervals are by resampling the measurement blocks (of a run without samples: by the "
                 "intervals of its rows). “Not asked” is not “cannot run”, whose efficiency is 0. A setting "
                 "does where it reaches at least {} of the best everywhere.</p>\n",
                 share_text(good_enough)) +
          html_list(sentences) + transfer_matrix(data, dwarfs) + cascade_figure(data, dwarfs) +
          efficiency_table(data, dwarfs) + missing_commands(data, dwarfs));
}

}  // namespace dwarfsweep
