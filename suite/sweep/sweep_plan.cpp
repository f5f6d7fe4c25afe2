#include "suite/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/space/error.hpp"
#include "suite/plan/plan.hpp"
#include "suite/record/host_info.hpp"
#include "suite/sweep/plan_known_points.hpp"
#include "suite/worker/process.hpp"

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
  const Problem problem = worker.ask(LoadProblem{request}, options.point_timeout);
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

// The dwarfs in plain C++. The papers have four threads, whatever the number of CPUs here.
SweepGroup host_group(const Options& options, const PlanRequest& plan, const Dwarf& dwarf, const Data& data) {
  SweepGroup group{host_device(), &dwarf, {}};
  std::vector<std::pair<const char*, int>> versions = {
      {"serial", 1}, {"openmp", static_cast<int>(group.device.capabilities.compute_units)}};
  if (plan.kind == PlanKind::paper) versions.emplace_back("openmp_4", 4);
  for (const auto& [variant, threads] : versions) {
    group.points.push_back(make_point(options, group.device, dwarf, data, {{"variant", variant}}));
    group.points.back().request.host_threads = threads;
  }
  return group;
}

// Of the plan `paper` all that have published settings, also those that other plans run only when asked for.
std::vector<const Dwarf*> planned_dwarfs(const Options& options, const PlanRequest& plan) {
  if (plan.kind != PlanKind::paper || !options.dwarfs.empty()) return dwarfs_named(options.dwarfs);
  std::vector<const Dwarf*> dwarfs;
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    if (!dwarf->paper_settings().empty()) dwarfs.push_back(dwarf);
  }
  return dwarfs;
}

SweepGroup device_group(const Options& options, const DeviceInfo& device, const Dwarf& dwarf,
                        const Data& data, PlanRequest plan, const PlanKnownPoints& known) {
  SweepGroup group{device, &dwarf, {}};
  if (known.is_asked()) {
    group.known = known.of(device, dwarf, data.problem);
    group.selects = plan.kind != PlanKind::ci;
    plan.best = settings_of(*group.known);
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
  const PlanKind kind = parse_plan(options.plan).kind;
  if (options.sizes.empty())
    return kind != PlanKind::paper && kind != PlanKind::transfer && kind != PlanKind::ci;
  const bool named = std::find(options.sizes.begin(), options.sizes.end(), "auto") != options.sizes.end();
  if (named && options.sizes.size() > 1)
    throw UsageError(
        "--size auto stands alone: each device gets one size; or name the sizes for all devices");
  if (named && kind == PlanKind::transfer)
    throw UsageError("--plan transfer is about one problem for all devices; --size auto gives each its own");
  return named;
}

std::vector<SweepGroup> plan_sweep(const Options& options, const Inventory& inventory,
                                   const SizeChoices& sizes, const KnownPoints& known_before) {
  PlanRequest plan = parse_plan(options.plan);
  plan.seed = options.seed;
  plan.settings = options.settings;
  plan.axes = options.axes;
  plan.check_for_stop = [] {
    if (interrupted()) throw Interrupted();
  };
  const std::vector<const Dwarf*> dwarfs = planned_dwarfs(options, plan);
  if (dwarfs.size() > 1 && (!options.inputs.empty() || !options.problem.entries().empty())) {
    throw UsageError("--problem and --input are for one dwarf; choose it with --dwarf");
  }
  const std::vector<DeviceInfo> devices = chosen_devices(options, inventory);
  std::vector<DataOfDwarf> data;
  for (const Dwarf* dwarf : dwarfs) data.emplace_back(*dwarf, options, plan, sizes);

  const PlanKnownPoints known(options, plan, known_before);
  std::vector<SweepGroup> groups;
  if (options.cpu_reference) {
    for (std::size_t i = 0; i < dwarfs.size(); ++i) {
      for (const Data& each : data[i].on_any(devices))
        groups.push_back(host_group(options, plan, *dwarfs[i], each));
    }
  }
  for (const DeviceInfo& device : devices) {
    for (std::size_t i = 0; i < dwarfs.size(); ++i) {
      for (const Data& each : data[i].on(device))
        groups.push_back(device_group(options, device, *dwarfs[i], each, plan, known));
    }
  }
  return groups;
}

}  // namespace dwarfsweep
