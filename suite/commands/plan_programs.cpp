#include "suite/commands/plan_programs.hpp"

#include <fmt/format.h>

#include "suite/record/device_file.hpp"
#include "suite/sweep/size_choices.hpp"
#include "suite/sweep/sweep_plan.hpp"
#include "suite/worker/builder.hpp"
#include "suite/worker/device_client.hpp"

namespace dwarfsweep {
namespace {

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
    if (point.rejected.empty()) legal.push_back(point.request);
  }
  const ProgramList list = list_programs(group.device, options.kernels, legal);
  Json programs = Json::array();
  for (const ProgramText& text : list.programs) programs.push_back(program_json(text));
  Json points = Json::array();
  std::size_t listed = 0;
  for (const SweepPoint& point : group.points) {
    Json json = point_json(group, point);
    if (!point.rejected.empty()) {
      json["reason"] = fmt::format("{}: {}", to_string(Status::rejected), point.rejected);
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

int print_plan_programs(const Options& options) {
  catch_interrupts();
  const Inventory inventory =
      options.as_device.empty() ? ask_inventory() : read_device_file(options.as_device);
  Json all = Json::array();
  for (const SweepGroup& group :
       plan_sweep(options, inventory, known_choices(options, chosen_devices(options, inventory)))) {
    all.push_back(group_json(options, group));
  }
  fmt::print("{}\n", all.dump(2));
  return 0;
}

}  // namespace dwarfsweep
