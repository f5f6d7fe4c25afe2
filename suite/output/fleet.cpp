#include "suite/output/fleet.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "harness/statistics/statistics.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/packed_file.hpp"
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
  std::ranges::sort(numbers);
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
  const auto ok = static_cast<std::size_t>(
      std::ranges::count_if(entry.values, [](const auto& value) { return !std::isnan(value.ns); }));
  row.reason = failure_text(entry);
  if (2 * ok <= entry.values.size()) {
    const auto most =
        std::ranges::max_element(entry.failures, {}, &std::pair<const std::string, std::size_t>::second);
    row.status = most->first;
    row.median_ns = row.speedup = std::nullopt;
    return row;
  }
  row.status = "ok";
  set_quantiles(row, entry);
  // What differs from node to node.
  row.peak_fraction = row.wall_ns = row.energy_j = row.clock_mhz = std::nullopt;
  const auto confirmations = static_cast<std::size_t>(
      std::ranges::count_if(entry.values, [](const auto& value) { return value.confirmed; }));
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

std::optional<Fleet> fleet_of(const std::vector<MeasurementRow>& rows) {
  if (rows.empty() || !rows.front().device_id.ends_with("@" + rows.front().host)) return std::nullopt;
  Fleet fleet;
  for (const MeasurementRow& row : rows) fleet.add(row);
  return fleet.has_kinds() ? std::optional(std::move(fleet)) : std::nullopt;
}

std::optional<Fleet> read_fleet(const std::vector<std::filesystem::path>& runs) {
  Fleet fleet;
  bool merged = false;
  for (const std::filesystem::path& run : runs) {
    const auto file =
        std::filesystem::is_directory(run) ? find_in_run(run, "measurements.csv") : std::optional(run);
    if (!file || !std::filesystem::exists(*file)) continue;  // its reader reports what is wrong with it
    for_each_measurement(*file, [&](const MeasurementRow& row) {
      merged |= row.device_id.ends_with("@" + row.host);
      fleet.add(row);
      return merged;
    });
  }
  if (!merged || !fleet.has_kinds()) return std::nullopt;
  return fleet;
}

// --- nodes that are not as the others of their kind ---

namespace {

constexpr std::size_t min_nodes = 8;  // fewer have no usual time
constexpr double chance = 0.05;
const double least = std::log(1.03);

struct Deviation {
  std::map<std::string, double> ratios;  // by dwarf, over the time of the kind
  std::map<std::string, std::size_t> failures;

  [[nodiscard]] double largest() const {
    double most = failures.empty() ? 0 : 1e3;
    for (const auto& [dwarf, ratio] : ratios) most = std::max(most, std::abs(std::log(ratio)));
    return most;
  }
};

using NodeAndDwarf = std::pair<std::uint32_t, std::string>;
using Deviations = std::map<std::uint32_t, Deviation>;

// ln(time / median time of the kind) of every point, by node and dwarf; and what fails on few nodes.
std::map<NodeAndDwarf, std::vector<double>> relative_times(const Fleet& fleet, std::size_t kind,
                                                           Deviations& found) {
  std::map<NodeAndDwarf, std::vector<double>> times;
  for (const Fleet::Entry& entry : fleet.entries()) {
    if (entry.kind != kind || entry.values.size() < min_nodes) continue;
    std::vector<double> ns;
    for (const Fleet::Value& value : entry.values) {
      if (!std::isnan(value.ns)) ns.push_back(value.ns);
    }
    if (2 * ns.size() <= entry.values.size()) continue;
    const double usual = median(ns);
    for (const Fleet::Value& value : entry.values) {
      if (std::isnan(value.ns)) {
        ++found[value.node].failures[entry.first.dwarf];
      } else {
        times[{value.node, entry.first.dwarf}].push_back(std::log(value.ns / usual));
      }
    }
  }
  return times;
}

void judge(const std::vector<std::pair<std::uint32_t, double>>& nodes, const std::string& dwarf,
           std::size_t judgements, Deviations& found) {
  std::vector<double> values;
  for (const auto& [node, value] : nodes) values.push_back(value);
  const double centre = median(values);
  for (double& value : values) value = std::abs(value - centre);
  const double sigma = 1.4826 * median(values);
  const double limit =
      std::max(least, sigma * std::sqrt(2 * std::log(static_cast<double>(judgements) / chance)));
  for (const auto& [node, value] : nodes) {
    if (std::abs(value - centre) > limit) found[node].ratios[dwarf] = std::exp(value - centre);
  }
}

std::string sentence(const Fleet::Node& node, const Deviation& deviation, std::size_t dwarfs) {
  std::string text =
      node.device_id.ends_with("@" + node.host) ? node.host : node.host + " (" + node.device_id + ")";
  text += ": ";
  if (!deviation.ratios.empty()) {
    double low = INFINITY;
    double high = 0;
    std::vector<std::string> names;
    for (const auto& [dwarf, ratio] : deviation.ratios) {
      low = std::min(low, ratio);
      high = std::max(high, ratio);
      names.push_back(dwarf);
    }
    const std::string where =
        names.size() == dwarfs ? "every dwarf" : fmt::format("{}", fmt::join(names, ", "));
    const std::string range =
        high / low < 1.01 ? fmt::format("{:.2f}", high) : fmt::format("{:.2f} to {:.2f}", low, high);
    text += fmt::format("{} times the time of its kind in {}", range, where);
  }
  if (!deviation.failures.empty()) {
    std::vector<std::string> names;
    std::size_t points = 0;
    for (const auto& [dwarf, count] : deviation.failures) {
      names.push_back(dwarf);
      points += count;
    }
    text += fmt::format("{}{} points of {} are not ok that most of its kind run",
                        deviation.ratios.empty() ? "" : "; ", points, fmt::join(names, ", "));
  }
  return text;
}

}  // namespace

std::vector<std::string> find_deviations(const Fleet& fleet) {
  std::vector<std::pair<double, std::string>> all;
  for (std::size_t kind = 0; kind < fleet.kinds().size(); ++kind) {
    Deviations found;
    const auto times = relative_times(fleet, kind, found);
    std::map<std::string, std::vector<std::pair<std::uint32_t, double>>> by_dwarf;
    for (const auto& [place, values] : times)
      by_dwarf[place.second].emplace_back(place.first, median(values));
    for (const auto& [dwarf, nodes] : by_dwarf) judge(nodes, dwarf, times.size(), found);
    for (const auto& [node, deviation] : found)
      all.emplace_back(-deviation.largest(), sentence(fleet.nodes()[node], deviation, by_dwarf.size()));
  }
  std::ranges::sort(all);
  std::vector<std::string> sentences;
  for (auto& [order, text] : all) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace dwarfsweep
