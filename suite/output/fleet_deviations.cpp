#include "suite/output/fleet_deviations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
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
  std::sort(all.begin(), all.end());
  std::vector<std::string> sentences;
  for (auto& [order, text] : all) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace dwarfsweep
