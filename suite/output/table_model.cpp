#include "suite/output/table_model.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "suite/output/problem_tables.hpp"

namespace dwarfsweep {
namespace {

// What the tables of all kernels of a problem are about.
struct TableProblem {
  std::string dwarf, size, problem;
  auto operator<=>(const TableProblem&) const = default;
};
TableProblem problem_of(const MeasurementRow& row) {
  return {row.dwarf, row.size, row.problem};
}

std::string letter_of(std::size_t index) {
  std::string letter(1, static_cast<char>('A' + index % 26));
  return index < 26 ? letter : letter_of(index / 26 - 1) + letter;
}

std::vector<DeviceColumn> find_columns(const std::vector<MeasurementRow>& rows) {
  std::vector<DeviceColumn> columns;
  std::set<std::string> seen;
  for (const MeasurementRow& row : rows) {
    if (is_cpu_reference(row) || !seen.insert(device_key(row)).second) continue;
    columns.push_back({letter_of(columns.size()), &row});
  }
  return columns;
}

}  // namespace

bool is_timed(const MeasurementRow* row) {
  return row != nullptr && row->status == "ok" && row->median_ns;
}

TableModel arrange(const std::vector<MeasurementRow>& rows) {
  TableModel model;
  model.columns = find_columns(rows);
  std::vector<TableProblem> order;
  std::map<TableProblem, std::vector<const MeasurementRow*>> groups;
  for (const MeasurementRow& row : rows) {
    auto& group = groups[problem_of(row)];
    if (group.empty()) order.push_back(problem_of(row));
    group.push_back(&row);
  }
  // Dwarf by dwarf, also where the rows of several runs come one after the other.
  std::vector<std::string> dwarfs;
  for (const auto& key : order) {
    if (std::find(dwarfs.begin(), dwarfs.end(), key.dwarf) == dwarfs.end()) dwarfs.push_back(key.dwarf);
  }
  for (const std::string& dwarf : dwarfs) {
    for (const auto& key : order) {
      if (key.dwarf == dwarf) add_problem_tables(groups.at(key), model.columns, model.tables);
    }
  }
  return model;
}

}  // namespace dwarfsweep
