#include "suite/sharing/atlas_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "dwarfs/registry.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/report/report.hpp"

namespace dwarfsweep {
namespace {

// "EPYC 2 cores, PoCL 3.1"
std::string short_name(const BestPoint& best) {
  MeasurementRow row;
  row.device = best.device;
  row.platform = best.platform;
  row.device_type = best.device_type;
  row.driver = best.driver;
  return short_device_name(row, static_cast<int>(best.compute_units.value_or(0)));
}

// By the time on the fastest device.
const AtlasPoint* longest(const PointGroups& problems, std::size_t devices) {
  const AtlasPoint* found = nullptr;
  for (const auto& [problem, points] : problems) {
    const Points fastest = fastest_of_devices(points);
    if (fastest.size() >= devices && (found == nullptr || fastest.front()->ns() > found->ns()))
      found = fastest.front();
  }
  return found;
}

// The one that most devices have.
std::string common_problem(const Points& points) {
  const PointGroups problems = grouped(points, problem_of);
  std::size_t most = 0;
  for (const auto& [problem, group] : problems) most = std::max(most, fastest_of_devices(group).size());
  return problem_of(*longest(problems, most));
}

const AtlasPoint* cell_of(const Points& of_device, const std::string& dwarf, const std::string& problem) {
  Points points;
  for (const AtlasPoint* const point : of_device) {
    if (point->best.dwarf == dwarf) points.push_back(point);
  }
  const PointGroups problems = grouped(points, problem_of);
  const auto common = problems.find(problem);
  return common != problems.end() ? by_time(common->second).front() : longest(problems, 0);
}

}  // namespace

PointGroups grouped(const Points& points, const std::function<std::string(const AtlasPoint&)>& key) {
  PointGroups groups;
  for (const AtlasPoint* const point : points) groups[key(*point)].push_back(point);
  return groups;
}

Points by_time(Points points) {
  std::ranges::stable_sort(points, {}, &AtlasPoint::ns);
  return points;
}

Points fastest_of_devices(const Points& points) {
  Points fastest;
  std::set<std::string> seen;
  for (const AtlasPoint* const point : by_time(points)) {
    if (seen.insert(device_of(*point)).second) fastest.push_back(point);
  }
  return fastest;
}

std::string device_of(const AtlasPoint& point) {
  return device_name(point.best.device, point.best.platform);
}

std::string problem_of(const AtlasPoint& point) {
  return fmt::format("{}, {} ({})", point.best.dwarf, point.best.size,
                     ValueMap::parse(point.best.problem).to_string(", "));
}

std::string variant_of(const AtlasPoint& point) {
  return point.best.config.substr(0, point.best.config.find(';'));
}

std::string setting_of(const AtlasPoint& point) {
  Config baseline;
  for (const Dwarf* const dwarf : built_in_dwarfs()) {
    if (dwarf->info().name == point.best.dwarf) baseline = dwarf->space().baseline();
  }
  std::string text = variant_of(point);
  const Config config = Config::parse(point.best.config);
  for (const auto& [axis, value] : config.entries()) {
    const Value* const usual = baseline.find(axis);
    if (axis == "variant" || (usual != nullptr && *usual == value)) continue;
    text += fmt::format(", {}={}", axis, value.to_string());
  }
  return text;
}

AtlasModel::AtlasModel(std::vector<BundleSummary> read) : sources(std::move(read)) {
  for (std::size_t source = 0; source < sources.size(); ++source) {
    for (SummaryPoint& point : std::exchange(sources[source].points, {}))
      points.push_back({std::move(point), source, sources[source].own_run});
  }
  for (const AtlasPoint& point : points) all.push_back(&point);
  by_device = grouped(all, device_of);
  by_dwarf = grouped(all, [](const AtlasPoint& point) { return point.best.dwarf; });
  has_own_run = std::ranges::any_of(points, &AtlasPoint::own_run);
  std::map<std::string, std::size_t> uses;
  for (const auto& [name, group] : by_device) ++uses[short_name(group.front()->best)];
  for (const auto& [name, group] : by_device) {
    const std::string shorter = short_name(group.front()->best);
    labels[name] = uses[shorter] == 1 ? shorter : name;
  }
}

std::vector<PayOff> pay_offs_of(const AtlasModel& model, const std::string& device) {
  std::map<std::pair<std::string, std::string>, PayOff> largest;  // by dwarf and axis
  for (const BundleSummary& source : model.sources) {
    for (const PayOff& each : source.pay_offs) {
      if (each.device != device) continue;
      PayOff& known = largest[{each.dwarf, each.change.substr(0, each.change.find('='))}];
      const std::size_t helped = known.helped + each.helped, contexts = known.contexts + each.contexts;
      if (each.gain > known.gain) known = each;
      known.helped = helped;
      known.contexts = contexts;
    }
  }
  std::vector<PayOff> sorted;
  for (const auto& [axis, each] : largest) {
    if (each.gain > 1) sorted.push_back(each);
  }
  std::ranges::stable_sort(sorted, std::greater(), &PayOff::gain);
  return sorted;
}

AtlasMatrix matrix_of(const AtlasModel& model) {
  AtlasMatrix matrix;
  for (const auto& [dwarf, points] : model.by_dwarf) {
    matrix.dwarfs.push_back(dwarf);
    matrix.problems.push_back(common_problem(points));
  }
  for (const auto& [device, points] : model.by_device) {
    AtlasMatrix::Row& row = matrix.rows.emplace_back();
    row.device = device;
    std::vector<double> shares;
    for (std::size_t i = 0; i < matrix.dwarfs.size(); ++i) {
      const AtlasPoint* const cell = cell_of(points, matrix.dwarfs[i], matrix.problems[i]);
      row.cells.push_back(cell);
      if (cell != nullptr && cell->peak_fraction) shares.push_back(*cell->peak_fraction);
    }
    if (!shares.empty()) row.share = median(shares);
  }
  std::ranges::stable_sort(matrix.rows, std::greater(),
                           [](const AtlasMatrix::Row& row) { return row.share.value_or(-1); });
  return matrix;
}

}  // namespace dwarfsweep
