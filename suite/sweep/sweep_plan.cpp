#include "suite/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/error.hpp"
#include "suite/plan/best.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/plan_problems.hpp"
#include "suite/record/host_info.hpp"
#include "suite/sweep/worker_process.hpp"

namespace dwarfsweep {
namespace {

std::vector<const Dwarf*> chosen_dwarfs(const std::vector<std::string>& names) {
  if (names.empty() || names == std::vector<std::string>{"all"}) return all_dwarfs();
  std::vector<const Dwarf*> dwarfs;
  for (const std::string& name : names) {
    const Dwarf* dwarf = &find_dwarf(name);
    if (std::find(dwarfs.begin(), dwarfs.end(), dwarf) == dwarfs.end()) dwarfs.push_back(dwarf);
  }
  return dwarfs;
}

struct Data {
  Problem problem;  // complete
  ValueMap asked;   // what a request must carry: with files, the keys that the user set
  std::vector<std::string> files;
};

// The sizes of input files are known only when they are read: by a worker, for a file may be larger than what
// the parent should hold.
std::vector<Data> data_of(const Dwarf& dwarf, const Options& options, const PlanRequest& plan) {
  std::vector<Data> all;
  if (options.inputs.empty()) {
    for (const Problem& problem : plan_problems(dwarf, plan, options.sizes, options.problem)) {
      all.push_back({problem, problem.values, {}});
    }
    return all;
  }
  if (dwarf.info().input_formats.empty())
    throw UsageError(fmt::format("{} takes no --input", dwarf.info().name));
  PointRequest request;
  request.dwarf = dwarf.info().name;
  request.problem = {"file", options.problem};
  request.files = options.inputs;
  WorkerProcess worker("");
  const auto problem = worker.ask({{"do", "load"}, {"point", request}}, options.point_timeout).get<Problem>();
  return {{problem, options.problem, options.inputs}};
}

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

SweepGroup device_group(const Options& options, const DeviceInfo& device, const Dwarf& dwarf,
                        const Data& data, PlanRequest plan) {
  SweepGroup group{device, &dwarf, {}};
  if (const BestPoint* best = nearest_best(best_points(), device, dwarf.info().name, data.problem)) {
    plan.best = Config::parse(best->config);
  }
  for (PlannedPoint& planned : make_plan(dwarf, data.problem, device.capabilities, plan)) {
    group.points.push_back(make_point(options, device, dwarf, data, std::move(planned.config)));
    group.points.back().baseline = group.points.size() == 1;
    group.points.back().rejected = planned.rejected.value_or("");
  }
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

std::vector<SweepGroup> plan_sweep(const Options& options, const Inventory& inventory) {
  PlanRequest plan = parse_plan(options.plan);
  plan.seed = options.seed;
  plan.settings = options.settings;
  plan.axes = options.axes;
  const std::vector<const Dwarf*> dwarfs = chosen_dwarfs(options.dwarfs);
  if (dwarfs.size() > 1 && (!options.inputs.empty() || !options.problem.entries().empty())) {
    throw UsageError("--problem and --input are for one dwarf; choose it with --dwarf");
  }
  const std::vector<DeviceInfo> devices = chosen_devices(options, inventory);
  std::vector<std::vector<Data>> data;
  for (const Dwarf* dwarf : dwarfs) data.push_back(data_of(*dwarf, options, plan));

  std::vector<SweepGroup> groups;
  if (options.cpu_reference) {
    for (std::size_t i = 0; i < dwarfs.size(); ++i) {
      for (const Data& each : data[i]) groups.push_back(host_group(options, *dwarfs[i], each));
    }
  }
  for (const DeviceInfo& device : devices) {
    for (std::size_t i = 0; i < dwarfs.size(); ++i) {
      for (const Data& each : data[i])
        groups.push_back(device_group(options, device, *dwarfs[i], each, plan));
    }
  }
  return groups;
}

}  // namespace dwarfsweep
