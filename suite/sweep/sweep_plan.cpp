#include "suite/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/plan/atlas_points.hpp"
#include "suite/plan/nearest_best.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/transfer.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {
namespace {

struct Data {
  Problem problem;  // complete
  ValueMap asked;   // what a request must carry: with files, the keys that the user set
  std::vector<std::string> files;
};

// The sizes of input files are known only when they are read. A worker reads them, because a file may be
// larger than the parent should hold.
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
        const bool known = std::ranges::any_of(all, [&](const Data& other) {
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

// The best known points for the plans `best` and `ci`, and those of earlier runs for `transfer`. A resumed
// run takes them from its log, so that it continues with the same points. The best points of this machine
// change over time, so `ci` uses only those that are part of the program.
class PlanKnownPoints {
 public:
  PlanKnownPoints(const Options& options, const PlanRequest& plan, const KnownPoints& before)
      : options_(options), plan_(plan), before_(before) {
    if (plan.kind != PlanKind::best) return;
    own_ = read_own_best();
    for (const std::string& atlas : options.runs) {
      const std::vector<BestPoint> others = read_atlas(atlas);
      own_.insert(own_.end(), others.begin(), others.end());
    }
  }

  [[nodiscard]] bool is_asked() const {
    return plan_.kind == PlanKind::best || plan_.kind == PlanKind::ci || plan_.kind == PlanKind::transfer;
  }
  // Throws UsageError and InputError where an earlier run cannot be read.
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
    if (plan_.kind == PlanKind::transfer) {
      record.transferred = transfer_settings(dwarf, earlier());
    } else {
      find_best_of(record, device, dwarf, problem);
    }
    return record;
  }

 private:
  void find_best_of(KnownPointRecord& record, const DeviceInfo& device, const Dwarf& dwarf,
                    const Problem& problem) const {
    std::vector<KnownPoint> chosen =
        choose_known_candidates(own_, best_points(), device, dwarf, problem, plan_.settings);
    if (plan_.kind == PlanKind::ci) chosen.resize(1);  // the same in every run
    record.settings = chosen.front().settings;
    record.origin = chosen.front().origin;
    for (const KnownPoint& each : std::span(chosen).subspan(1))
      record.candidates.push_back({each.settings, each.origin});
    const KnownPoint other = choose_known_point({}, best_points(), device, dwarf, problem, plan_.settings);
    if (!other.settings.entries().empty() &&
        std::ranges::find(chosen, other.settings, &KnownPoint::settings) == chosen.end()) {
      record.other_settings = other.settings;
      record.other_origin = other.origin;
    }
  }

  [[nodiscard]] const std::vector<EarlierRun>& earlier() const {
    if (!earlier_) {
      earlier_.emplace();
      for (const std::string& run : options_.runs) earlier_->push_back(read_earlier_run(run));
    }
    return *earlier_;
  }

  const Options& options_;
  const PlanRequest& plan_;
  const KnownPoints& before_;
  std::vector<BestPoint> own_;
  // Read when they are needed: a resumed run has its points in its log, and the folders may have moved.
  mutable std::optional<std::vector<EarlierRun>> earlier_;
};

std::vector<ValueMap> settings_of(const KnownPointRecord& known) {
  std::vector<ValueMap> all;
  for (const KnownSettings& each : known.transferred) all.push_back(each.settings);
  if (!all.empty()) return all;
  all.push_back(known.settings);
  for (const KnownSettings& each : known.candidates) all.push_back(each.settings);
  if (!known.other_origin.empty()) all.push_back(known.other_settings);
  return all;
}

void say_origins(SweepGroup& group, const PlanRequest& plan) {
  const KnownPointRecord& known = *group.known;
  const auto say = [&](const ValueMap& settings, const std::string& text) {
    const std::string config =
        best_config(group.dwarf->space(), settings, plan, group.device.capabilities).to_string();
    const auto point =
        std::ranges::find_if(group.points, [&](const SweepPoint& each) { return each.key.config == config; });
    point->note = text;
    return static_cast<std::size_t>(point - group.points.begin());
  };
  for (const KnownSettings& each : known.transferred) (void)say(each.settings, each.origin);
  if (!known.transferred.empty()) return;
  const auto say_candidate = [&](const ValueMap& settings, const std::string& origin) {
    const std::size_t index = say(settings, std::string(known_point_remark) + origin);
    group.points[index].candidate = true;
    return index;
  };
  if (!known.other_origin.empty()) (void)say_candidate(known.other_settings, known.other_origin);
  for (const KnownSettings& each : known.candidates) (void)say_candidate(each.settings, each.origin);
  group.known_point = say_candidate(known.settings, known.origin);
}

SweepPoint make_point(const Options& options, const DeviceInfo& device, const Dwarf& dwarf, const Data& data,
                      PlannedPoint planned, bool baseline, int host_threads = 0) {
  const PointKey key{device.id, dwarf.info().name, data.problem.size, data.problem.values.to_string(),
                     planned.config.to_string()};
  PointRequest request;
  request.dwarf = key.dwarf;
  request.problem = {data.problem.size, data.asked};
  request.files = data.files;
  request.seed = options.seed;
  request.config = std::move(planned.config);
  request.host_threads = host_threads;
  return {.request = request, .key = key, .baseline = baseline, .rejected = std::move(planned.rejected)};
}

// The dwarfs in plain C++. The papers have four threads, whatever the number of CPUs here.
SweepGroup host_group(const Options& options, const PlanRequest& plan, const Dwarf& dwarf, const Data& data) {
  SweepGroup group{host_device(), &dwarf, {}};
  std::vector<std::pair<const char*, int>> versions = {
      {"serial", 1}, {"openmp", static_cast<int>(group.device.capabilities.compute_units)}};
  if (plan.kind == PlanKind::paper) versions.emplace_back("openmp_4", 4);
  for (const auto& [variant, threads] : versions) {
    const Config config = {{"variant", variant}};
    group.points.push_back(make_point(options, group.device, dwarf, data, {config, {}}, false, threads));
  }
  return group;
}

// For the plan `paper`, all dwarfs with published settings, even those that other plans run only by name.
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
  // The papers' speedups are of single kernels, which an anchor need not have; and points of ci stay the
  // same.
  group.takes_anchor = plan.kind != PlanKind::paper && plan.kind != PlanKind::ci;
  if (known.is_asked()) {
    group.known = known.of(device, dwarf, data.problem);
    group.selects = plan.kind != PlanKind::ci;
    plan.best = settings_of(*group.known);
  }
  std::vector<PlannedPoint> all = make_plan(dwarf, data.problem, device.capabilities, plan);
  if (const auto text = shortfall(plan, all))
    print_stderr("dwarfsweep: {} on {}, --plan {}: {}\n", dwarf.info().name, device.name, options.plan,
                 *text);
  for (PlannedPoint& planned : all)
    group.points.push_back(
        make_point(options, device, dwarf, data, std::move(planned), group.points.empty()));
  if (group.known) say_origins(group, plan);
  return group;
}

// Deals points out to the shards in turn.
class Dealer {
 public:
  explicit Dealer(const Shard& shard) : shard_(shard) {}

  bool is_ours(const SweepPoint& point) {
    int& next = next_[{point.key.device_id, !point.rejected}];
    const bool ours = next == shard_.index - 1;
    next = (next + 1) % shard_.count;
    return ours;
  }

 private:
  Shard shard_;
  std::map<std::pair<std::string, bool>, int> next_;  // by device, and whether the point can run
};

}  // namespace

std::vector<DeviceInfo> chosen_devices(const Options& options, const Inventory& inventory) {
  const std::vector<std::string> selectors =
      options.devices.empty() ? std::vector<std::string>{"all"} : options.devices;
  std::vector<DeviceInfo> devices;
  for (const std::string& selector : selectors) {
    for (const DeviceInfo& device : select_devices(inventory, selector)) {
      const bool known =
          std::ranges::any_of(devices, [&](const DeviceInfo& other) { return other.index == device.index; });
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
  const bool named = std::ranges::find(options.sizes, "auto") != options.sizes.end();
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

void keep_shard(std::vector<SweepGroup>& groups, const Shard& shard) {
  if (shard.count <= 1) return;
  Dealer dealer(shard);
  for (SweepGroup& group : groups) {
    std::vector<SweepPoint> kept;
    for (SweepPoint& point : group.points) {
      // Dealt out only where it is all there is.
      const bool follows = point.baseline && group.points.size() > 1;
      if (follows || dealer.is_ours(point)) kept.push_back(std::move(point));
    }
    const bool only_baseline = group.points.size() > 1 && kept.size() == 1 && kept.front().baseline;
    if (only_baseline) kept.clear();
    group.points = std::move(kept);
  }
  std::erase_if(groups, [](const SweepGroup& group) { return group.points.empty(); });
}

}  // namespace dwarfsweep
