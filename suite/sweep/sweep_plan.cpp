#include "suite/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/error.hpp"
#include "suite/plan/nearest_best.hpp"
#include "suite/plan/own_best.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/plan_problems.hpp"
#include "suite/record/host_info.hpp"
#include "suite/sweep/worker_process.hpp"

namespace dwarfsweep {
namespace {

struct Data {
  Problem problem;  // complete
  ValueMap asked;   // what a request must carry: with files, the keys that the user set
  std::vector<std::string> files;
};

// The sizes of input files are known only when they are read: by a worker, for a file may be larger than what
// the parent should hold.
Data data_of_files(const Dwarf& dwarf, const Options& options) {
  if (dwarf.info().input_formats.empty())
    throw UsageError(fmt::format("{} takes no --input", dwarf.info().name));
  PointRequest request;
  request.dwarf = dwarf.info().name;
  request.problem = {"file", options.problem};
  request.files = options.inputs;
  WorkerProcess worker("");
  const auto problem = worker.ask({{"do", "load"}, {"point", request}}, options.point_timeout).get<Problem>();
  return {problem, options.problem, options.inputs};
}

std::vector<Data> data_of_sizes(const Dwarf& dwarf, const Options& options, const PlanRequest& plan,
                                const std::vector<std::string>& sizes) {
  std::vector<Data> all;
  for (const Problem& problem : plan_problems(dwarf, plan, sizes, options.problem)) {
    all.push_back({problem, problem.values, {}});
  }
  return all;
}

// The problems of a dwarf: the same on all devices, unless each device has a size of its own.
class DataOfDwarf {
 public:
  DataOfDwarf(const Dwarf& dwarf, const Options& options, const PlanRequest& plan, const SizeChoices& sizes)
      : dwarf_(dwarf), options_(options), plan_(plan), sizes_(sizes), auto_(takes_auto_size(options)) {
    if (!options.inputs.empty()) {
      common_ = {data_of_files(dwarf, options)};
    } else {
      common_ =
          data_of_sizes(dwarf, options, plan, auto_ ? std::vector<std::string>{"small"} : options.sizes);
    }
  }

  [[nodiscard]] std::vector<Data> on(const DeviceInfo& device) const {
    const auto chosen = sizes_.find(size_key(device.id, dwarf_.info().name));
    return auto_ && chosen != sizes_.end() ? data_of_sizes(dwarf_, options_, plan_, {chosen->second.size})
                                           : common_;
  }

  // Each once.
  [[nodiscard]] std::vector<Data> on_any(const std::vector<DeviceInfo>& devices) const {
    std::vector<Data> all;
    for (const DeviceInfo& device : devices) {
      for (Data& data : on(device)) {
        const bool known = std::any_of(all.begin(), all.end(), [&](const Data& other) {
          return other.problem.size == data.problem.size && other.problem.values == data.problem.values;
        });
        if (!known) all.push_back(std::move(data));
      }
    }
    return all;
  }

 private:
  const Dwarf& dwarf_;
  const Options& options_;
  const PlanRequest& plan_;
  const SizeChoices& sizes_;
  bool auto_;
  std::vector<Data> common_;
};

SweepPoint make_point(const Options& options, const DeviceInfo& device, const Dwarf& dwarf, const Data& data,
                      Config config) {
  SweepPoint point;
  point.request.dwarf = dwarf.info().name;
  point.request.problem = {data.problem.size, data.asked};
  point.request.files = data.files;
  point.request.seed = options.seed;
  point.key = {device.id, dwarf.info().name, data.problem.size, data.problem.values.to_string(),
               config.to_string()};
  point.request.config = std::move(config);
  return point;
}

SweepGroup host_group(const Options& options, const Dwarf& dwarf, const Data& data) {
  SweepGroup group{host_device(), &dwarf, {}};
  for (const auto& [variant, threads] :
       {std::pair{"serial", 1},
        std::pair{"openmp", static_cast<int>(group.device.capabilities.compute_units)}}) {
    group.points.push_back(make_point(options, group.device, dwarf, data, {{"variant", variant}}));
    group.points.back().request.host_threads = threads;
  }
  return group;
}

// The best points known, for the plan `best`: as the run's log says, so that it goes on with the same points;
// else by what is known now.
class BestOfAll {
 public:
  BestOfAll(const PlanRequest& plan, const KnownPoints& before)
      : plan_(plan), before_(before), own_(is_asked() ? read_own_best() : std::vector<BestPoint>()) {}

  [[nodiscard]] bool is_asked() const { return plan_.kind == PlanKind::best; }
  [[nodiscard]] KnownPointRecord of(const DeviceInfo& device, const Dwarf& dwarf,
                                    const Problem& problem) const {
    KnownPointRecord record;
    record.device_id = device.id;
    record.dwarf = dwarf.info().name;
    record.size = problem.size;
    record.problem = problem.values.to_string();
    if (const auto found =
            before_.find(known_point_key(record.device_id, record.dwarf, record.size, record.problem));
        found != before_.end())
      return found->second;
    const KnownPoint chosen = choose_known_point(own_, best_points(), device, dwarf, problem, plan_.settings);
    record.settings = chosen.settings;
    record.origin = chosen.origin;
    const KnownPoint other = choose_known_point({}, best_points(), device, dwarf, problem, plan_.settings);
    if (!other.settings.entries().empty() && other.settings != chosen.settings) {
      record.other_settings = other.settings;
      record.other_origin = other.origin;
    }
    return record;
  }

 private:
  const PlanRequest& plan_;
  const KnownPoints& before_;
  std::vector<BestPoint> own_;
};

void say_origins(SweepGroup& group, const PlanRequest& plan) {
  const KnownPointRecord& known = *group.known;
  const auto say = [&](const ValueMap& settings, const std::string& origin) {
    const std::string config =
        best_config(group.dwarf->space(), settings, plan, group.device.capabilities).to_string();
    const auto point = std::find_if(group.points.begin(), group.points.end(),
                                    [&](const SweepPoint& each) { return each.key.config == config; });
    point->note = "best known point: " + origin;
    return static_cast<std::size_t>(point - group.points.begin());
  };
  if (!known.other_origin.empty()) (void)say(known.other_settings, known.other_origin);
  group.known_point = say(known.settings, known.origin);
}

SweepGroup device_group(const Options& options, const DeviceInfo& device, const Dwarf& dwarf,
                        const Data& data, PlanRequest plan, const BestOfAll& best) {
  SweepGroup group{device, &dwarf, {}};
  if (best.is_asked()) {
    group.known = best.of(device, dwarf, data.problem);
    plan.best = {group.known->settings};
    if (!group.known->other_origin.empty()) plan.best.push_back(group.known->other_settings);
  }
  std::vector<PlannedPoint> all = make_plan(dwarf, data.problem, device.capabilities, plan);
  if (const auto text = shortfall(plan, all))
    fmt::print(stderr, "dwarfsweep: {} on {}, --plan {}: {}\n", dwarf.info().name, device.name, options.plan,
               *text);
  for (PlannedPoint& planned : all) {
    group.points.push_back(make_point(options, device, dwarf, data, std::move(planned.config)));
    group.points.back().baseline = group.points.size() == 1;
    group.points.back().rejected = planned.rejected.value_or("");
  }
  if (group.known) say_origins(group, plan);
  return group;
}

}  // namespace

std::vector<DeviceInfo> chosen_devices(const Options& options, const Inventory& inventory) {
  const std::vector<std::string> selectors =
      options.devices.empty() ? std::vector<std::string>{"all"} : options.devices;
  std::vector<DeviceInfo> devices;
  for (const std::string& selector : selectors) {
    for (const DeviceInfo& device : select_devices(inventory, selector)) {
      const bool known = std::any_of(devices.begin(), devices.end(),
                                     [&](const DeviceInfo& other) { return other.index == device.index; });
      if (!known) devices.push_back(device);
    }
  }
  // Two devices of one model whose driver reports no UUID would share an identity, and their rows would be
  // one.
  std::set<std::string> identities;
  for (DeviceInfo& device : devices) {
    if (!identities.insert(device.id).second) device.id += "#" + device.index;
    identities.insert(device.id);
  }
  return devices;
}

bool takes_auto_size(const Options& options) {
  if (!options.inputs.empty() || !options.problem.entries().empty()) return false;
  if (options.sizes.empty()) return parse_plan(options.plan).kind != PlanKind::paper;
  const bool named = std::find(options.sizes.begin(), options.sizes.end(), "auto") != options.sizes.end();
  if (named && options.sizes.size() > 1)
    throw UsageError(
        "--size auto stands alone: each device gets one size; or name the sizes for all devices");
  return named;
}

std::vector<SweepGroup> plan_sweep(const Options& options, const Inventory& inventory,
                                   const SizeChoices& sizes, const KnownPoints& known) {
  PlanRequest plan = parse_plan(options.plan);
  plan.seed = options.seed;
  plan.settings = options.settings;
  plan.axes = options.axes;
  const std::vector<const Dwarf*> dwarfs = dwarfs_named(options.dwarfs);
  if (dwarfs.size() > 1 && (!options.inputs.empty() || !options.problem.entries().empty())) {
    throw UsageError("--problem and --input are for one dwarf; choose it with --dwarf");
  }
  const std::vector<DeviceInfo> devices = chosen_devices(options, inventory);
  std::vector<DataOfDwarf> data;
  for (const Dwarf* dwarf : dwarfs) data.emplace_back(*dwarf, options, plan, sizes);

  const BestOfAll best(plan, known);
  std::vector<SweepGroup> groups;
  if (options.cpu_reference) {
    for (std::size_t i = 0; i < dwarfs.size(); ++i) {
      for (const Data& each : data[i].on_any(devices))
        groups.push_back(host_group(options, *dwarfs[i], each));
    }
  }
  for (const DeviceInfo& device : devices) {
    for (std::size_t i = 0; i < dwarfs.size(); ++i) {
      for (const Data& each : data[i].on(device))
        groups.push_back(device_group(options, device, *dwarfs[i], each, plan, best));
    }
  }
  return groups;
}

}  // namespace dwarfsweep
