#include "suite/plan/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/plan/best.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/standard_error.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// A verified point of an earlier run.
struct Candidate {
  const EarlierRun* run = nullptr;
  const MeasurementRow* row = nullptr;
  Config config;          // complete
  double efficiency = 0;  // the best time of the same run, device and problem, over the point's
  bool is_best = false;   // of those
};

std::string place_of(const Candidate& each) {
  return fmt::format("{} on {} with {}", each.run->name, each.row->device, each.row->problem);
}

Capabilities capabilities_in(const EarlierRun& run, const MeasurementRow& row) {
  const auto found = std::ranges::find(run.devices, row.device_id, &DeviceInfo::id);
  return found == run.devices.end() ? Capabilities{} : found->capabilities;
}

// The points of one run, device and problem. Axes that the run did not have yet are as they are by default on
// its device, so that the setting is the same everywhere. A point of another version of the space is none.
void add_candidates(const Dwarf& dwarf, const EarlierRun& run, const std::vector<const MeasurementRow*>& rows,
                    std::vector<Candidate>& all) {
  std::vector<MeasurementRow> copies;
  for (const MeasurementRow* row : rows) copies.push_back(*row);
  const std::vector<BestPoint> best = find_best(copies);
  for (const MeasurementRow* row : rows) {
    try {
      const Space& space = dwarf.space();
      const std::string settings = config_text(*row);
      all.push_back(
          {&run, row, space.set(space.baseline(), Config::parse(settings), capabilities_in(run, *row)),
           std::min(1.0, *best.front().median_ns / whole_run_ns(*row)), settings == best.front().config});
    } catch (const UsageError& error) {
      if (config_text(*row) == best.front().config)
        print_stderr("dwarfsweep: warning: the best point of {} in {} does not exist in this version: {}\n",
                     dwarf.info().name, run.name, error.what());
    }
  }
}

// From the best to the worst; those that were the best of their run first.
std::vector<Candidate> candidates_of(const Dwarf& dwarf, const std::vector<EarlierRun>& runs) {
  std::vector<Candidate> all;
  for (const EarlierRun& run : runs) {
    std::map<std::pair<std::string, std::string>, std::vector<const MeasurementRow*>> groups;
    for (const MeasurementRow& row : run.rows) {
      if (row.kernel != "total" || row.status != "ok" || !row.median_ns || row.device_type == "host" ||
          row.dwarf != dwarf.info().name || !gives_whole_result(row.dwarf, row.variant))
        continue;
      groups[{row.device_id, row.problem}].push_back(&row);
    }
    for (const auto& [key, rows] : groups) add_candidates(dwarf, run, rows, all);
  }
  std::ranges::stable_sort(all, [](const Candidate& left, const Candidate& right) {
    return std::tuple(!left.is_best, -left.efficiency) < std::tuple(!right.is_best, -right.efficiency);
  });
  return all;
}

class Collector {
 public:
  explicit Collector(const Config& baseline) : baseline_(baseline) {}

  void add(const Config& config, const std::string& origin) {
    const auto known = std::ranges::find(taken_, config, &KnownSettings::settings);
    if (known == taken_.end()) {
      taken_.push_back({config, origin});
    } else if (known->origin.find(origin) == std::string::npos) {
      known->origin += "; " + origin;
    }
  }
  void add_if_room(const Config& config, const std::string& origin) {
    const bool is_known =
        std::ranges::any_of(taken_, [&](const KnownSettings& each) { return each.settings == config; });
    if (!is_known && count() < transfer_points) taken_.push_back({config, origin});
  }
  [[nodiscard]] std::vector<KnownSettings> take() { return std::move(taken_); }

 private:
  // With the baseline, which is a point of every plan.
  [[nodiscard]] std::size_t count() const {
    const bool has_baseline =
        std::ranges::any_of(taken_, [&](const KnownSettings& each) { return each.settings == baseline_; });
    return taken_.size() + (has_baseline ? 0 : 1);
  }

  Config baseline_;
  std::vector<KnownSettings> taken_;
};

std::vector<std::string> whole_variants(const Dwarf& dwarf) {
  std::vector<std::string> variants;
  for (const Value& value : dwarf.space().find("variant").values) {
    if (gives_whole_result(dwarf.info().name, value.to_string())) variants.push_back(value.to_string());
  }
  return variants;
}

// The variant's default configuration on each device of the runs, with the device's name.
std::vector<std::pair<Config, std::string>> defaults_of(const Dwarf& dwarf, const std::string& variant,
                                                        const std::vector<EarlierRun>& runs) {
  std::vector<std::pair<Config, std::string>> all;
  for (const EarlierRun& run : runs) {
    for (const DeviceInfo& device : run.devices) {
      all.emplace_back(dwarf.space().default_config(variant, device.capabilities),
                       fmt::format("default of {} on {}", variant, device.name));
    }
  }
  if (all.empty()) all.emplace_back(dwarf.space().default_config(variant), "default of " + variant);
  return all;
}

}  // namespace

EarlierRun read_earlier_run(const fs::path& run) {
  const fs::path clean = fs::absolute(run).lexically_normal();
  EarlierRun earlier{(clean.has_filename() ? clean : clean.parent_path()).filename().string(),
                     read_run_measurements(run),
                     {}};
  if (fs::exists(run / "run.json")) earlier.devices = read_device_file(run / "run.json").devices;
  return earlier;
}

std::vector<KnownSettings> transfer_settings(const Dwarf& dwarf, const std::vector<EarlierRun>& runs) {
  const std::vector<Candidate> candidates = candidates_of(dwarf, runs);
  const std::vector<std::string> variants = whole_variants(dwarf);
  Collector points(dwarf.space().baseline());
  for (const Candidate& each : candidates) {
    if (each.is_best) points.add(each.config, "best of " + place_of(each));
  }
  std::set<std::pair<std::string, std::string>> by_type;  // variant and type of device
  std::set<std::string> measured;
  for (const Candidate& each : candidates) {
    if (measured.insert(each.row->variant).second) {
      points.add(each.config, fmt::format("best {}: {}", each.row->variant, place_of(each)));
      by_type.insert({each.row->variant, each.row->device_type});
    }
  }
  for (const std::string& variant : variants) {
    if (measured.contains(variant)) continue;
    for (const auto& [config, origin] : defaults_of(dwarf, variant, runs)) points.add(config, origin);
  }
  for (const Candidate& each : candidates) {
    if (by_type.insert({each.row->variant, each.row->device_type}).second)
      points.add_if_room(each.config, fmt::format("best {} of a {}: {}", each.row->variant,
                                                  each.row->device_type, place_of(each)));
  }
  for (const std::string& variant : variants) {
    for (const auto& [config, origin] : defaults_of(dwarf, variant, runs)) points.add_if_room(config, origin);
  }
  for (const Candidate& each : candidates)
    points.add_if_room(each.config,
                       fmt::format("{:.0f} % of the best of {}", 100 * each.efficiency, place_of(each)));
  return points.take();
}

}  // namespace dwarfsweep
