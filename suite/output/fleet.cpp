#include "suite/output/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/statistics/statistics.hpp"
#include "suite/output/problem_tables.hpp"
#include "suite/record/row_csv.hpp"

namespace dwarfsweep {
namespace {

constexpr float nothing = std::numeric_limits<float>::quiet_NaN();
constexpr double low_quantile = 0.1;
constexpr double high_quantile = 0.9;

// The index of the key, and whether it is new: then the next one.
std::pair<std::size_t, bool> index_of(std::map<std::string, std::size_t>& index, std::string key) {
  const auto [place, is_new] = index.emplace(std::move(key), index.size());
  return {place->second, is_new};
}

std::vector<double> sorted(const std::vector<Fleet::Value>& values, float Fleet::Value::*member) {
  std::vector<double> numbers;
  for (const Fleet::Value& value : values) {
    if (!std::isnan(value.*member)) numbers.push_back(value.*member);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::string failure_text(const Fleet::Entry& entry) {
  std::string text;
  for (const auto& [status, count] : entry.failures)
    text +=
        fmt::format("{}{} on {} of {} nodes", text.empty() ? "" : ", ", status, count, entry.values.size());
  return text;
}

// Of the values of several nodes.
void set_quantiles(MeasurementRow& row, const Fleet::Entry& entry) {
  const std::vector<double> ns = sorted(entry.values, &Fleet::Value::ns);
  row.median_ns = quantile_of_sorted(ns, 0.5);
  row.ci_low_ns = quantile_of_sorted(ns, low_quantile);
  row.ci_high_ns = quantile_of_sorted(ns, high_quantile);
  const std::vector<double> speedups = sorted(entry.values, &Fleet::Value::speedup);
  row.speedup = row.speedup_low = row.speedup_high = std::nullopt;
  row.verdict.clear();
  if (speedups.empty()) return;
  row.speedup = quantile_of_sorted(speedups, 0.5);
  row.speedup_low = quantile_of_sorted(speedups, low_quantile);
  row.speedup_high = quantile_of_sorted(speedups, high_quantile);
  row.verdict = *row.speedup_low > 1 ? "faster" : *row.speedup_high < 1 ? "slower" : "within_noise";
}

MeasurementRow row_of(const Fleet::Entry& entry, const Fleet::Kind& kind) {
  MeasurementRow row = entry.first;
  row.run_id = fmt::format("fleet{}", merged_suffix);
  row.device_id = fmt::format("{}|{}|{}", kind.platform, kind.device, kind.driver);
  row.host = fmt::format("{} nodes", kind.nodes);
  if (entry.values.size() == 1) return row;
  const auto ok = static_cast<std::size_t>(std::count_if(
      entry.values.begin(), entry.values.end(), [](const auto& value) { return !std::isnan(value.ns); }));
  row.reason = failure_text(entry);
  if (2 * ok <= entry.values.size()) {
    const auto most = std::max_element(entry.failures.begin(), entry.failures.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    row.status = most->first;
    row.median_ns = row.speedup = std::nullopt;
    return row;
  }
  row.status = "ok";
  set_quantiles(row, entry);
  // What differs from node to node.
  row.peak_fraction = row.wall_ns = row.energy_j = row.clock_mhz = std::nullopt;
  const auto confirmations = static_cast<std::size_t>(std::count_if(
      entry.values.begin(), entry.values.end(), [](const auto& value) { return value.confirmed; }));
  row.stop_reason = 2 * confirmations >= ok ? confirmed : "";
  return row;
}

}  // namespace

void Fleet::add(const MeasurementRow& row) {
  if (row.kernel != "total" || is_cpu_reference(row)) return;
  const auto [kind, new_kind] = index_of(kind_index_, row.device + "|" + row.platform + "|" + row.driver);
  if (new_kind) kinds_.push_back({row.device, row.device_type, row.platform, row.driver, 0});
  const auto [node, new_node] = index_of(node_index_, fmt::format("{}|{}|{}", kind, row.host, row.device_id));
  if (new_node) {
    nodes_.push_back({row.host, row.device_id, kind});
    ++kinds_[kind].nodes;
  }
  const auto [place, new_entry] = index_of(
      entry_index_, fmt::format("{}|{}|{}|{}|{}", kind, row.dwarf, row.size, row.problem, config_text(row)));
  if (new_entry) entries_.push_back({row, kind, {}, {}});
  Entry& entry = entries_[place];
  const bool ok = row.status == "ok" && row.median_ns;
  if (!ok) ++entry.failures[row.status == "ok" ? "no samples" : row.status];
  entry.values.push_back({static_cast<std::uint32_t>(node), ok ? static_cast<float>(*row.median_ns) : nothing,
                          ok && row.speedup ? static_cast<float>(*row.speedup) : nothing,
                          row.verdict == "faster", row.stop_reason == dwarfsweep::confirmed});
}

std::vector<MeasurementRow> Fleet::rows() const {
  std::vector<MeasurementRow> rows;
  for (const Entry& entry : entries_) rows.push_back(row_of(entry, kinds_[entry.kind]));
  return rows;
}

std::optional<Fleet> read_fleet(const std::vector<std::filesystem::path>& runs) {
  Fleet fleet;
  bool merged = false;
  for (const std::filesystem::path& run : runs) {
    const std::filesystem::path file = std::filesystem::is_directory(run) ? run / "measurements.csv" : run;
    if (!std::filesystem::exists(file)) continue;  // what is wrong with it is told where it is read
    for_each_measurement(file, [&](const MeasurementRow& row) {
      merged |= row.device_id.ends_with("@" + row.host);
      fleet.add(row);
      return merged;
    });
  }
  if (!merged || !fleet.has_kinds()) return std::nullopt;
  return fleet;
}

}  // namespace dwarfsweep
