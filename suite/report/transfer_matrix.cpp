#include <algorithm>

#include "harness/statistics/quantile.hpp"
#include "suite/report/portability_view.hpp"
#include "suite/report/wording.hpp"

namespace dwarfsweep {
namespace {

// What becomes of the best settings of one device on another, over the dwarfs.
struct Transfer {
  std::vector<double> efficiencies;  // of the other's own best; 0 where they cannot run
  std::vector<std::string> travel;   // dwarfs
  std::string worst;
  std::size_t not_asked = 0, not_run = 0, cannot_run = 0;
};

void add_dwarf(const PortableDwarf& dwarf, std::size_t from, std::size_t to, Transfer& transfer) {
  const PortableSetting* const own = dwarf.find(dwarf.best[from].setting->config);
  if (own == nullptr || !own->efficiencies[to]) {
    ++(own == nullptr || own->cells[to] == nullptr ? transfer.not_asked : transfer.not_run);
    return;
  }
  const double efficiency = *own->efficiencies[to] / dwarf.share_of_known(to);
  if (!is_timed(own->cells[to])) ++transfer.cannot_run;
  if (efficiency >= good_enough) transfer.travel.push_back(dwarf.dwarf);
  if (transfer.efficiencies.empty() ||
      efficiency < *std::min_element(transfer.efficiencies.begin(), transfer.efficiencies.end()))
    transfer.worst = dwarf.dwarf;
  transfer.efficiencies.push_back(efficiency);
}

Transfer transfer_between(const std::vector<PortableDwarf>& dwarfs, std::size_t from, std::size_t to) {
  Transfer transfer;
  for (const PortableDwarf& dwarf : dwarfs) {
    const auto source = std::find(dwarf.columns.begin(), dwarf.columns.end(), from);
    const auto target = std::find(dwarf.columns.begin(), dwarf.columns.end(), to);
    if (!dwarf.same_problem || source == dwarf.columns.end() || target == dwarf.columns.end()) continue;
    add_dwarf(dwarf, static_cast<std::size_t>(source - dwarf.columns.begin()),
              static_cast<std::size_t>(target - dwarf.columns.begin()), transfer);
  }
  return transfer;
}

Html transfer_cell(const Transfer& transfer) {
  const std::size_t asked = transfer.efficiencies.size();
  if (asked == 0) return markup("· {}", transfer.not_run > 0 ? "not run" : "not asked");
  std::string travel;
  for (const std::string& dwarf : transfer.travel) travel += (travel.empty() ? "" : ", ") + dwarf;
  std::string text =
      fmt::format("{}; least {} ({}); {} of {} travel{}", share_text(median(transfer.efficiencies)),
                  share_text(*std::min_element(transfer.efficiencies.begin(), transfer.efficiencies.end())),
                  transfer.worst, transfer.travel.size(), asked, travel.empty() ? "" : ": " + travel);
  if (transfer.cannot_run > 0) text += fmt::format("; {} cannot run", transfer.cannot_run);
  if (transfer.not_run > 0) text += fmt::format("; {} not run", transfer.not_run);
  if (transfer.not_asked > 0) text += fmt::format("; {} not asked", transfer.not_asked);
  return markup("{}", text);
}

}  // namespace

Html transfer_matrix(const ReportData& data, const std::vector<PortableDwarf>& dwarfs) {
  std::vector<std::size_t> columns;
  for (const PortableDwarf& dwarf : dwarfs) {
    for (const std::size_t column : dwarf.columns) {
      if (dwarf.same_problem && std::find(columns.begin(), columns.end(), column) == columns.end())
        columns.push_back(column);
    }
  }
  if (columns.size() < 2) return {};
  std::sort(columns.begin(), columns.end());
  HtmlTable table{.caption = markup(
                      "Transfer matrix: each device's best settings on the others, relative to what is best "
                      "there. Median over the dwarfs, the least, and which dwarfs' settings travel (at "
                      "least {} of the best).",
                      share_text(good_enough)),
                  .header = {markup("best of")},
                  .numbers = columns.size() + 1};
  for (const std::size_t to : columns) table.header.push_back(markup("on {}", data.model.columns[to].letter));
  for (const std::size_t from : columns) {
    std::vector<Html> cells = {markup("{}", column_name(data.model.columns[from]))};
    for (const std::size_t to : columns)
      cells.push_back(from == to ? markup("=") : transfer_cell(transfer_between(dwarfs, from, to)));
    table.rows.push_back(std::move(cells));
  }
  return to_html(table);
}

}  // namespace dwarfsweep
