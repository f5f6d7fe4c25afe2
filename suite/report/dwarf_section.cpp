// Section 5: dwarf by dwarf.
#include <algorithm>

#include "suite/output/table_cells.hpp"
#include "suite/report/figure.hpp"
#include "suite/report/kernel_share.hpp"
#include "suite/report/sample_figure.hpp"
#include "suite/report/sections.hpp"
#include "suite/report/settings_table.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

Html command_block(const MeasuredTable& measured) {
  Html lines;
  if (measured.baseline != nullptr && measured.baseline != measured.best.row)
    lines += markup("# baseline\n{}\n", point_command(*measured.baseline));
  lines += markup("# best\n{}", point_command(*measured.best.row));
  return markup(
      "<p>These commands measure the points again (others: choose a point, or put its values in their "
      "place):</p>\n<pre tabindex=\"0\">{}</pre>\n",
      lines);
}

Html size_table(const ReportData& data, const std::string& dwarf) {
  HtmlTable table{.caption = markup("{}: time by problem", dwarf),
                  .header = {markup("problem"), markup("device"), markup("baseline"), markup("best"),
                             markup("speedup"), markup("best setting")},
                  .numbers = 2};
  std::vector<const SettingTable*> problems;
  for (const MeasuredTable& measured : measured_tables(data)) {
    if (measured.table->dwarf != dwarf) continue;
    if (std::find(problems.begin(), problems.end(), measured.table) == problems.end())
      problems.push_back(measured.table);
    const MeasurementRow& best = *measured.best.row;
    table.rows.push_back({markup("{}: {}", measured.table->size, measured.table->problem),
                          markup("{}", data.model.columns[measured.column].letter),
                          markup("{}", measured.baseline ? time_text(*measured.baseline->median_ns) : ""),
                          markup("{}", time_text(*best.median_ns)),
                          markup("{}", measured.best.setting->baseline ? "" : speedup_text(best)),
                          markup("{}", measured.best.setting->label)});
  }
  if (problems.size() < 2) {
    return markup(
        "<p class=\"note\">Only one problem was measured; others: <code>dwarfsweep sweep --dwarf {} "
        "--size tiny,small,medium,large</code></p>\n",
        shell_word(dwarf));
  }
  return to_html(table);
}

Html problem_part(const ReportData& data, const SettingTable& table,
                  const std::vector<MeasuredTable>& measured_list) {
  Html content = markup("<h4>{}</h4>\n", problem_text(table));
  Html defaults;
  for (const std::string& each : table.default_configs) defaults += markup("<li>{}</li>", each);
  content +=
      markup("<details><summary>What the settings differ from</summary><ul>{}</ul></details>\n", defaults);
  for (std::size_t column = 0; column < data.model.columns.size(); ++column) {
    content += settings_table(data, table, column);
    for (const MeasuredTable& measured : measured_list) {
      if (measured.table != &table || measured.column != column) continue;
      content += kernel_share_figure(data, measured);
      content += sample_figure(data, measured);
      content += command_block(measured);
    }
  }
  return content;
}

}  // namespace

Html dwarf_sections(const ReportData& data) {
  Html content;
  std::string dwarf;
  const std::vector<MeasuredTable> measured = measured_tables(data);
  for (const SettingTable& table : data.model.tables) {
    if (table.kernel != "total" || table.settings.empty()) continue;
    if (table.dwarf != dwarf) {
      if (!dwarf.empty()) content += size_table(data, dwarf) + markup("</article>\n");
      dwarf = table.dwarf;
      content += markup("<article id=\"d-{}\" data-dwarf=\"{}\"><h3>{}</h3>\n", dwarf, dwarf, dwarf);
    }
    content += problem_part(data, table, measured);
  }
  if (!dwarf.empty()) content += size_table(data, dwarf) + markup("</article>\n");
  return html_section("dwarfs", "5 Dwarf by dwarf", content);
}

}  // namespace dwarfsweep
