// `list --plan`: how many points a plan has on each device, and about how long they take. With --programs:
// what a compiler gets for them.
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "suite/commands/commands.hpp"
#include "suite/engine/measurer.hpp"
#include "suite/record/duration.hpp"
#include "suite/record/json.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/sweep/size_choices.hpp"
#include "suite/sweep/sweep_plan.hpp"
#include "suite/worker/client.hpp"
#include "suite/worker/serve.hpp"

namespace dwarfsweep {
namespace {

struct Estimate {
  std::size_t points = 0;
  std::size_t rejected = 0;
  double min_seconds = 0;  // to prepare every point and measure its minimum number of blocks
  std::string failure;     // why there is no estimate
  std::string size;        // "auto" where a sweep would choose it: the estimate is then for size small
};

// Extrapolated from one run of the baseline: other points build about as long, and one that is much slower is
// cut off by the point's time limit.
Estimate estimate(const Options& options, DeviceClient& client, SweepGroup& group) {
  Estimate result;
  result.points = group.points.size();
  for (const SweepPoint& point : group.points) result.rejected += point.rejected ? 1 : 0;
  SweepPoint& baseline = group.points.front();
  try {
    if (baseline.rejected) throw PointFailure(Status::rejected, *baseline.rejected);
    const auto begin = std::chrono::steady_clock::now();
    SweepContext context(options);
    Measurer(context, client, group).prepare(baseline);
    const Preparation preparation = context.log.find(baseline)->preparation;
    if (preparation.status != Status::ok) throw PointFailure(preparation.status, preparation.reason);
    const double prepare_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double blocks_seconds =
        2e-9 * preparation.sample_ns * static_cast<double>(options.quality.pairs * options.quality.blocks);
    result.min_seconds =
        (prepare_seconds + blocks_seconds) * static_cast<double>(result.points - result.rejected);
  } catch (const std::runtime_error& error) {
    result.failure = error.what();
  }
  return result;
}

Json to_json_object(const SweepGroup& group, const Estimate& estimate) {
  Json json = {{"device", group.device.name},
               {"device_id", group.device.id},
               {"dwarf", group.dwarf->info().name},
               {"size", estimate.size},
               {"problem", group.points.front().key.problem},
               {"points", estimate.points},
               {"rejected", estimate.rejected}};
  if (estimate.failure.empty()) {
    json["seconds"] = estimate.min_seconds;
  } else {
    json["seconds"] = Json();
    json["reason"] = estimate.failure;
  }
  return json;
}

std::chrono::milliseconds as_duration(double seconds) {
  return std::chrono::milliseconds(static_cast<long long>(seconds * 1000));
}

void print_row(const SweepGroup& group, const Estimate& result) {
  const SweepPoint& baseline = group.points.front();
  fmt::print("{:<9} {:<8} {:<28} {:>7} {:>14} {:>9}  {}\n", group.dwarf->info().name, result.size,
             baseline.key.problem, result.points, result.rejected,
             result.failure.empty() ? human_duration(as_duration(result.min_seconds)) : "?",
             group.device.name);
  if (!result.failure.empty())
    fmt::print("          ?: the baseline gives no estimate: {}\n", result.failure);
}

Json program_json(const ProgramText& text) {
  Json json = text;
  json["id"] = program_id(text);
  return json;
}

Json point_json(const SweepGroup& group, const SweepPoint& point) {
  const Space& space = group.dwarf->space();
  const Config& config = point.request.config;
  const Capabilities& device = group.device.capabilities;
  return {{"config", config.to_string()},
          {"variant", config.string("variant")},
          {"default", config == space.default_config(config.string("variant"), device)},
          {"group_items", space.group_items_of({config, point.request.problem, device})}};
}

Json group_json(const Options& options, const SweepGroup& group) {
  std::vector<PointRequest> legal;
  for (const SweepPoint& point : group.points) {
    if (!point.rejected) legal.push_back(point.request);
  }
  const ProgramList list = list_programs(group.device, options.kernels, legal);
  Json programs = Json::array();
  for (const ProgramText& text : list.programs) programs.push_back(program_json(text));
  Json points = Json::array();
  std::size_t listed = 0;
  for (const SweepPoint& point : group.points) {
    Json json = point_json(group, point);
    if (point.rejected) {
      json["reason"] = fmt::format("{}: {}", to_string(Status::rejected), *point.rejected);
    } else if (const auto& places = list.points[listed]; !places) {
      json["reason"] = list.reasons[listed++];
    } else {
      json["programs"] = Json::array();
      for (const std::size_t place : *places) json["programs"].push_back(programs[place]["id"]);
      ++listed;
    }
    points.push_back(std::move(json));
  }
  return {{"device", group.device.name},
          {"device_id", group.device.id},
          {"dwarf", group.dwarf->info().name},
          {"size", group.points.front().key.size},
          {"problem", group.points.front().key.problem},
          {"programs", programs},
          {"points", points}};
}

}  // namespace

int print_plan_estimate(const CommandLine& line) {
  const Options options = measuring_options(line);
  const bool as_json = line.has("json");
  catch_interrupts();
  const Inventory inventory = ask_inventory();
  const SizeChoices sizes = known_choices(options, chosen_devices(options, inventory));
  std::vector<SweepGroup> groups = plan_sweep(options, inventory, sizes);
  Json all = Json::array();
  double seconds = 0;
  bool some_unknown = false;
  bool some_open = false;
  std::unique_ptr<DeviceClient> client;
  if (!as_json)
    fmt::print("{:<9} {:<8} {:<28} {:>7} {:>14} {:>9}  {}\n", "dwarf", "size", "problem", "points",
               "not applicable", "about", "device");
  for (SweepGroup& group : groups) {
    if (!client || client->device().id != group.device.id) {
      client = std::make_unique<DeviceClient>(group.device,
                                              DeviceClient::Settings{options.kernels, options.cache, ""});
    }
    Estimate result = estimate(options, *client, group);
    const bool open = takes_auto_size(options) && group.device.type != "host" &&
                      !sizes.contains(size_key(group.device.id, group.dwarf->info().name));
    result.size = open ? "auto" : group.points.front().key.size;
    some_open = some_open || open;
    seconds += result.min_seconds;
    some_unknown = some_unknown || !result.failure.empty();
    if (as_json) {
      all.push_back(to_json_object(group, result));
    } else {
      print_row(group, result);
    }
  }
  if (as_json) {
    fmt::print("{}\n", json_text(all, 2));
  } else {
    fmt::print("in all {} {}, extrapolated from one run of each baseline; --budget limits it\n",
               some_unknown ? "more than" : "about", human_duration(as_duration(seconds)));
    if (some_open)
      fmt::print("auto: a sweep chooses the size on the device; estimated here for size small\n");
  }
  return 0;
}

int print_plan_programs(const CommandLine& line) {
  const Options options = measuring_options(line);
  catch_interrupts();
  const Inventory inventory =
      line.has("as-device") ? read_device_file(line.text("as-device")) : ask_inventory();
  Json all = Json::array();
  // By id. Programs depend on whether groups can wait for each other, which is known only of an opened
  // device.
  std::map<std::string, DeviceInfo> opened;
  for (SweepGroup& group :
       plan_sweep(options, inventory, known_choices(options, chosen_devices(options, inventory)))) {
    if (!line.has("as-device") && group.device.type != "host") {
      if (!opened.contains(group.device.id)) {
        DeviceClient client(group.device, {options.kernels, options.cache, ""});
        client.test_progress();
        opened[group.device.id] = client.device();
      }
      group.device = opened[group.device.id];
    }
    all.push_back(group_json(options, group));
  }
  fmt::print("{}\n", json_text(all, 2));
  return 0;
}

}  // namespace dwarfsweep
