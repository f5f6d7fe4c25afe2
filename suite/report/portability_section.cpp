// Does one setting suit all devices?
#include <fmt/ranges.h>

#include <algorithm>
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

Html efficiency_table(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  HtmlTable table{
      .caption =
          "Efficiencies with their 95 % intervals. PP is Pennycook's performance portability, the "
          "harmonic mean of the efficiencies. “PP of peak” is the same against the devices' "
          "measured peaks.",
      .header = {"dwarf", "setting", "PP", "mean", "least", "PP of peak"},
      .numbers = 2};
  for (const std::string& name : data.names) table.header.push_back(markup("on {}", name));
  for (const PortableDwarf& dwarf : dwarfs) {
    PortabilityIntervals intervals(data, dwarf);
    for (const ShownSetting& shown : shown_settings(dwarf)) {
      const PortableSetting& setting = *shown.setting;
      std::vector<Html> cells = {markup("{} ({})", dwarf.table->dwarf, dwarf.table->size),
                                 setting.baseline
                                     ? Html(shown.role(data))
                                     : markup("{}<br><small>{}</small>", shown.role(data), setting.label)};
      for (Html& cell : summary_cells(intervals, setting)) cells.push_back(std::move(cell));
      const auto of_peak = setting.portability_of_peak();
      cells.push_back(of_peak ? per_cent_text(*of_peak) : "·");
      for (std::size_t column = 0; column < data.names.size(); ++column) {
        const auto device = dwarf.device_of(column);
        cells.push_back(device ? efficiency_cell(intervals, setting, *device) : "· not measured");
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return to_html(table);
}

bool one_setting_is_enough(const PortableDwarf& dwarf) {
  const PortableSetting* const single = dwarf.best_single();
  for (std::size_t device = 0; single != nullptr && device < dwarf.columns.size(); ++device) {
    if (*single->efficiencies[device] < good_enough * dwarf.share_of_known(device)) return false;
  }
  return single != nullptr;
}

// "two algorithms: blocked on H200; dataflow on EPYC 2 cores, PoCL 3.1".
Html algorithms_text(const ReportData& data, const PortableDwarf& dwarf) {
  const Choice choice = algorithms_needed(dwarf);
  if (choice.variants.empty()) return "not even three algorithms";
  if (choice.variants.size() == 1)
    return markup("one algorithm, {}, with a setting for each device", choice.variants.front());
  Html text = markup("{} algorithms", choice.variants.size() == 2 ? "two" : "three");
  for (const std::string& variant : choice.variants) {
    std::vector<std::string> devices;
    for (std::size_t device = 0; device < choice.settings.size(); ++device) {
      if (choice.settings[device]->variant() == variant) devices.push_back(data.names[dwarf.columns[device]]);
    }
    text += markup("<br>{} on {}", variant, fmt::format("{}", fmt::join(devices, "; ")));
  }
  return text;
}

Html answer_table(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  HtmlTable table{
      .caption = markup("What is enough for at least {} of the best on every device? If a library is faster "
                        "than every setting, the share that the best setting reaches of it is named.",
                        share_text(good_enough)),
      .header = {"dwarf", "one setting", "what is enough", "libraries"},
      .numbers = 99};
  for (const PortableDwarf& dwarf : dwarfs) {
    const PortableSetting* const single = dwarf.best_single();
    const bool enough = one_setting_is_enough(dwarf);
    Html libraries;
    for (std::size_t device = 0; device < dwarf.columns.size(); ++device) {
      if (dwarf.library[device])
        libraries +=
            markup("{}{} on {}: {:.0f} %", libraries.empty() ? "" : "; ", dwarf.library[device]->peer,
                   data.names[dwarf.columns[device]], 100 * dwarf.share_of_known(device));
    }
    table.rows.push_back({markup("{} ({})", dwarf.table->dwarf, dwarf.table->size),
                          single == nullptr ? Html("? none was measured on every device")
                                            : markup("{} {}", enough ? "✓" : "no; best is", single->label),
                          enough ? Html("one setting") : algorithms_text(data, dwarf), libraries});
  }
  return to_html(table);
}

// The names of runs, as arguments of a command.
std::string run_arguments(const ReportData& data) {
  std::string runs;
  for (const ReportRun& run : data.runs) runs += " " + shell_quoted(run.name);
  return runs;
}

bool has_unasked(const std::vector<PortableDwarf>& dwarfs) {
  return std::ranges::any_of(dwarfs, [](const PortableDwarf& dwarf) {
    return std::ranges::any_of(shown_settings(dwarf), [](const ShownSetting& shown) {
      return std::ranges::find(shown.setting->cells, nullptr) != shown.setting->cells.end();
    });
  });
}

}  // namespace

Html portability_summary(const ReportData& data) {
  if (data.names.size() < 2)
    return markup(
        "<p>Not known: this report has one device. <code>dwarfsweep report RUN RUN</code> compares "
        "several.</p>\n");
  const std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);
  const Html ask = markup("<code>dwarfsweep sweep --plan transfer --size medium{}</code> on each device",
                          run_arguments(data));
  if (dwarfs.empty())
    return markup(
        "<p>Not known: no dwarf was measured at the same size on two devices. {} measures the same points "
        "everywhere.</p>\n",
        ask);
  std::vector<std::string> setting, algorithm, more, open;
  for (const PortableDwarf& dwarf : dwarfs) {
    (dwarf.best_single() == nullptr                  ? open
     : one_setting_is_enough(dwarf)                  ? setting
     : algorithms_needed(dwarf).variants.size() == 1 ? algorithm
                                                     : more)
        .push_back(dwarf.table->dwarf);
  }
  std::vector<Html> lines;
  const auto add = [&](const std::vector<std::string>& names, const char* what) {
    if (!names.empty())
      lines.push_back(markup("<b>{} of {}</b> dwarfs {}: {}", names.size(), dwarfs.size(), what,
                             fmt::format("{}", fmt::join(names, ", "))));
  };
  add(setting, "need one setting");
  add(algorithm, "need one algorithm, with a setting for each device");
  add(more, "need two or more algorithms");
  add(open, "have no setting that was measured on every device");
  return markup("<p>To be within 10 % of each device's best (<a href=\"#portability\">details</a>):</p>\n") +
         html_list(lines);
}

Html portability_section(const ReportData& data) {
  const std::vector<PortableDwarf> dwarfs = portable_dwarfs(data);
  if (dwarfs.empty()) return {};
  Html content = markup(
                     "<p>An efficiency is the shortest time known on a device over the setting's time there, "
                     "by the paired "
                     "speedups over the baseline. A library counts if it was measured on the device for the "
                     "same problem. "
                     "Intervals come from resampling the measurement blocks. A setting that does not run on "
                     "a device has "
                     "efficiency 0; one that was not asked there has none.</p>\n") +
                 answer_table(data, dwarfs) + transfer_matrix(data, dwarfs) + cascade_figure(data, dwarfs) +
                 efficiency_table(data, dwarfs);
  if (has_unasked(dwarfs))
    content += markup(
        "<p>“Not asked” is filled by <code>dwarfsweep sweep --plan transfer --size medium{}</code> on each "
        "device.</p>\n",
        run_arguments(data));
  return content;
}

}  // namespace dwarfsweep
