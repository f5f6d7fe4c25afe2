#include "suite/compare/compare_sides.hpp"

#include <utility>

namespace dwarfsweep {

ComparedSide::ComparedSide(const RunData& own, const RunData& other,
                           std::map<std::string, std::string> device_ids)
    : run(own), names(own, other), devices(devices_of(own)), ids(std::move(device_ids)) {
  for (const MeasurementRow& row : run.measurements) {
    if (row.kernel != "total") continue;
    if (const std::string known = name(row); !known.empty()) rows[known] = &row;
  }
  blocks = blocks_of(run.samples, [&](const SampleRow& sample) { return name(sample); });
  std::map<std::string, std::vector<const std::vector<double>*>> series;
  for (const auto& [point, own_blocks] : blocks) {
    const auto row = rows.find(point);
    if (row != rows.end()) series[ids.at(row->second->device_id)].push_back(&own_blocks.logs);
  }
  for (const auto& [id, points] : series) inflations[id] = variance_inflation(points);
}

std::string ComparedSide::name(const RowIdentity& row) const {
  const auto id = ids.find(row.device_id);
  return id == ids.end() ? "" : names.name(row, id->second);
}

std::set<std::string> best_names(const ComparedSide& side) {
  std::map<std::string, int> others;  // points of a group beside its baseline
  const auto group_of = [](const MeasurementRow& row) {
    return row.device_id + "|" + row.dwarf + "|" + row.problem;
  };
  for (const auto& [name, row] : side.rows) {
    if (!row->baseline && row->status == "ok") ++others[group_of(*row)];
  }
  std::set<std::string> best;
  for (const auto& [name, row] : side.rows) {
    // A single point beside the baseline was not chosen by its samples.
    if (row->baseline || row->stop_reason == confirmed || others[group_of(*row)] == 1) best.insert(name);
  }
  return best;
}

}  // namespace dwarfsweep
