#include "suite/compare/sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/space/value.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
namespace {

std::string variant_axis(const RowIdentity& row, const std::string& axis) {
  return fmt::format("{}|{}|{}", row.dwarf, row.variant, axis);
}

// Dwarfs ("srad") and their own axes ("srad|sync") that the run knows.
std::set<std::string> known_axes(const RunData& run) {
  std::set<std::string> known;
  for (const MeasurementRow& row : run.measurements) {
    const ValueMap settings = ValueMap::parse(row.options);
    for (const auto& [axis, value] : settings.entries()) known.insert(row.dwarf + "|" + axis);
    known.insert(row.dwarf);
  }
  return known;
}

// Fewer products than this estimate a correlation no better than to 0.1.
constexpr double min_products = 100;

struct SampledBlock {
  std::vector<double> logs;
  std::int64_t round = 0;
  bool fresh = false;      // a re-measurement of a best candidate...
  bool challenge = false;  // ...against another point in place of the baseline
};

struct LastPart {
  std::string run_id;
  std::map<std::int64_t, SampledBlock> blocks;
};

void add(LastPart& part, const SampleRow& sample) {
  if (part.run_id != sample.run_id) part = {sample.run_id, {}};
  SampledBlock& block = part.blocks[sample.block];
  block.round = sample.round;
  block.fresh = sample.confirmation;
  if (sample.role == "incumbent") block.challenge = true;
  if (sample.role != "variant" || !sample.fault.empty() || !sample.ns || *sample.ns <= 0) return;
  block.logs.push_back(std::log(*sample.ns));
}

PointBlocks unbiased(const LastPart& part) {
  const bool chosen = std::ranges::any_of(
      part.blocks, [](const auto& entry) { return entry.second.fresh && !entry.second.challenge; });
  PointBlocks point;
  for (const auto& [number, block] : part.blocks) {
    if (block.logs.empty() || (chosen && (!block.fresh || block.challenge))) continue;
    point.logs.push_back(median(block.logs));
    point.rounds.push_back(block.round);
  }
  return point;
}

// -1, 0 or 1: below, at or above the median.
std::vector<int> signs_of(const std::vector<double>& logs) {
  const double middle = median(logs);
  std::vector<int> signs;
  for (const double value : logs) signs.push_back(value < middle ? -1 : value > middle ? 1 : 0);
  return signs;
}

struct Products {
  double sum = 0;    // of signs that many blocks apart
  double bias = 0;   // what independent blocks would give, signs about their own median summing to 0
  double count = 0;  // of products without a 0
};

}  // namespace

PointNames::PointNames(const RunData& run, const RunData& other) {
  const std::set<std::string> known = known_axes(other);
  std::map<std::string, std::map<std::string, int>> counts;
  for (const MeasurementRow& row : run.measurements) {
    if (!known.contains(row.dwarf)) continue;
    const ValueMap settings = ValueMap::parse(row.options);
    for (const auto& [axis, value] : settings.entries()) {
      if (known.contains(row.dwarf + "|" + axis)) continue;
      ++counts[variant_axis(row, axis)][value.to_string()];
      unknown_axes_.insert(fmt::format("{} of {}", axis, row.dwarf));
    }
  }
  for (const auto& [axis, values] : counts) {
    const auto most = std::ranges::max_element(values, {}, &std::pair<const std::string, int>::second);
    usual_values_[axis] = most->first;
  }
}

std::string PointNames::name(RowIdentity row, const std::string& device_id) const {
  ValueMap options;
  const ValueMap settings = ValueMap::parse(row.options);
  for (const auto& [axis, value] : settings.entries()) {
    const auto usual = usual_values_.find(variant_axis(row, axis));
    if (usual == usual_values_.end() || usual->second != value.to_string())
      options = options.with(axis, value);
  }
  row.options = options.to_string();
  return fmt::format("{}|{}|{}|{}", device_id, row.dwarf, row.problem, config_text(row));
}

std::map<std::string, ComparedDevice> devices_of(const RunData& run) {
  std::map<std::string, ComparedDevice> devices;
  for (const MeasurementRow& row : run.measurements)
    devices[row.device_id] = {row.device, row.driver, row.host};
  return devices;
}

std::map<std::string, std::string> match_devices(const std::map<std::string, ComparedDevice>& before,
                                                 const std::map<std::string, ComparedDevice>& after) {
  std::map<std::string, std::string> matches;
  for (const auto& [id, device] : after) {
    if (before.contains(id)) {
      matches[id] = id;
      continue;
    }
    std::vector<std::string> same_name;
    for (const auto& [old_id, old_device] : before) {
      if (old_device.name == device.name && !after.contains(old_id)) same_name.push_back(old_id);
    }
    if (same_name.size() == 1) matches[id] = same_name.front();
    if (before.size() == 1 && after.size() == 1) matches[id] = before.begin()->first;
  }
  return matches;
}

std::map<std::string, PointBlocks> blocks_of(const std::vector<SampleRow>& samples, const NameOf& name_of) {
  std::map<std::string, LastPart> parts;
  for (const SampleRow& sample : samples) {
    if (sample.kernel != "total" || sample.role == "baseline") continue;
    const std::string name = name_of(sample);
    if (!name.empty()) add(parts[name], sample);
  }
  std::map<std::string, PointBlocks> points;
  for (const auto& [name, part] : parts) {
    PointBlocks blocks = unbiased(part);
    if (!blocks.logs.empty()) points.emplace(name, std::move(blocks));
  }
  return points;
}

double variance_inflation(const std::vector<const std::vector<double>*>& points) {
  std::vector<Products> by_lag;
  for (const std::vector<double>* logs : points) {
    const std::size_t count = logs->size();
    if (count < 4) continue;
    const std::vector<int> signs = signs_of(*logs);
    const auto set = static_cast<double>(std::ranges::count_if(signs, [](int s) { return s != 0; }));
    if (set < 2) continue;
    by_lag.resize(std::max(by_lag.size(), count / 4));
    for (std::size_t lag = 1; lag <= count / 4; ++lag) {
      Products& products = by_lag[lag - 1];
      for (std::size_t i = 0; i + lag < count; ++i) {
        const int product = signs[i] * signs[i + lag];
        if (product == 0) continue;
        products.sum += product;
        products.bias -= 1 / (set - 1);
        products.count += 1;
      }
    }
  }
  double inflation = 1;
  for (const Products& products : by_lag) {
    if (products.count < min_products) break;
    const double correlation = (products.sum - products.bias) / products.count;
    if (correlation <= 0) break;
    inflation += 2 * correlation;
  }
  return inflation;
}

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
  std::map<std::string, int> others;  // points of a group other than its baseline
  const auto group_of = [](const MeasurementRow& row) {
    return row.device_id + "|" + row.dwarf + "|" + row.problem;
  };
  for (const auto& [name, row] : side.rows) {
    if (!row->baseline && row->status == "ok") ++others[group_of(*row)];
  }
  std::set<std::string> best;
  for (const auto& [name, row] : side.rows) {
    // If there is a single point in addition to the baseline, it was not chosen by its samples.
    if (row->baseline || row->stop_reason == confirmed || others[group_of(*row)] == 1) best.insert(name);
  }
  return best;
}

}  // namespace dwarfsweep
