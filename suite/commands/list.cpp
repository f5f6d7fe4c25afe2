// `list`: what there is to sweep, and how long a plan would take.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "harness/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/sweep/device_client.hpp"
#include "suite/sweep/progress.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {
namespace {

std::string joined(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(value.to_string());
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string key_text(const ProblemKey& key) {
  const std::string allowed = key.preset.is_string() ? fmt::format("{}", fmt::join(key.choices, "|"))
                                                     : fmt::format("{} to {}", key.minimum, key.maximum);
  return fmt::format("{:<14} {}; {}, default {}", key.name, key.meaning, allowed, key.preset.to_string());
}

void print_dwarf(const Dwarf& dwarf) {
  const DwarfInfo& info = dwarf.info();
  fmt::print("{}: {} ({})\n", info.name, info.title, info.pattern);
  fmt::print("  kernels  {}\n", fmt::join(info.kernels, ", "));
  if (!info.input_formats.empty()) fmt::print("  --input  {}\n", info.input_formats);
  fmt::print("  problem\n");
  for (const ProblemKey& key : info.keys) fmt::print("    {}\n", key_text(key));
  fmt::print("  sizes\n");
  for (const Size& size : info.sizes) fmt::print("    {:<14} {}\n", size.name, size.values.to_string());
  fmt::print("  axes (baseline in brackets)\n");
  for (const Axis& axis : dwarf.space().axes()) {
    fmt::print("    {:<14} {} [{}]\n                   {}\n", axis.name, joined(axis.values),
               axis.baseline.to_string(), axis.meaning);
    if (axis.name == "variant" && !info.partial_variants.empty()) {
      fmt::print("                   never named the best, as part of the result is left out: {}\n",
                 fmt::join(info.partial_variants, ", "));
    }
    if (!axis.variants.empty()) fmt::print("                   only in {}\n", fmt::join(axis.variants, ", "));
  }
  fmt::print("\n");
}

struct Estimate {
  std::size_t points = 0;
  std::size_t rejected = 0;
  double min_seconds = 0;  // to prepare every point and measure it as often as --blocks asks
  std::string failure;     // why there is no estimate
};

// Judged by one run of the baseline: other points build about as long, and one that is much slower is cut off
// by the point's time limit.
Estimate estimate(const Options& options, DeviceClient& client, SweepGroup& group) {
  Estimate result;
  result.points = group.points.size();
  for (const SweepPoint& point : group.points) result.rejected += point.rejected.empty() ? 0 : 1;
  try {
    if (!group.points.front().rejected.empty())
      throw PointFailure(Status::rejected, group.points.front().rejected);
    const auto begin = std::chrono::steady_clock::now();
    const auto preparation =
        client.ask({{"do", "prepare"}, {"point", group.points.front().request}}, options.point_timeout)
            .get<Preparation>();
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
               {"size", group.points.front().key.size},
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

int print_plan(const Options& options) {
  catch_interrupts();
  std::vector<SweepGroup> groups = plan_sweep(options, ask_inventory());
  Json all = Json::array();
  double seconds = 0;
  bool some_unknown = false;
  std::unique_ptr<DeviceClient> client;
  if (!options.json)
    fmt::print("{:<9} {:<8} {:<28} {:>7} {:>9} {:>9}  {}\n", "dwarf", "size", "problem", "points", "rejected",
               "about", "device");
  for (SweepGroup& group : groups) {
    if (!client || client->device().id != group.device.id) {
      client = std::make_unique<DeviceClient>(group.device,
                                              DeviceClient::Settings{options.kernels, options.cache, ""});
    }
    const Estimate result = estimate(options, *client, group);
    seconds += result.min_seconds;
    if (options.json) {
      all.push_back(to_json_object(group, result));
      continue;
    }
    const auto time = std::chrono::milliseconds(static_cast<long long>(result.min_seconds * 1000));
    fmt::print("{:<9} {:<8} {:<28} {:>7} {:>9} {:>9}  {}\n", group.dwarf->info().name,
               group.points.front().key.size, group.points.front().key.problem, result.points,
               result.rejected, result.failure.empty() ? human_duration(time) : "?", group.device.name);
    if (!result.failure.empty()) {
      some_unknown = true;
      fmt::print("          ?: the baseline gives no estimate: {}\n", result.failure);
    }
  }
  if (options.json) {
    fmt::print("{}\n", all.dump(2));
  } else {
    fmt::print("in all {} {}, judged by one run of each baseline; --budget caps it\n",
               some_unknown ? "more than" : "about",
               human_duration(std::chrono::milliseconds(static_cast<long long>(seconds * 1000))));
  }
  return 0;
}

Json texts_of(const std::vector<ValueMap>& maps) {
  Json texts = Json::array();
  for (const ValueMap& map : maps) texts.push_back(map.to_string(","));
  return texts;
}

Json checks_json(const CheckData& checks) {
  return {{"odd_problems", texts_of(checks.odd_problems)},
          {"refused_problems", texts_of(checks.refused_problems)},
          {"large_problems", texts_of(checks.large_problems)},
          {"single_item_settings", texts_of(checks.single_item_settings)},
          {"small_local_settings", texts_of(checks.small_local_settings)},
          {"results", checks.results}};
}

Json dwarf_json(const Dwarf& dwarf) {
  const DwarfInfo& info = dwarf.info();
  Json axes = Json::array();
  for (const Axis& axis : dwarf.space().axes()) {
    axes.push_back({{"name", axis.name},
                    {"meaning", axis.meaning},
                    {"values", axis.values},
                    {"baseline", axis.baseline},
                    {"variants", axis.variants}});
  }
  Json sizes = Json::array();
  for (const Size& size : info.sizes)
    sizes.push_back({{"name", size.name}, {"problem", size.values.to_string()}});
  return {{"name", info.name},
          {"title", info.title},
          {"pattern", info.pattern},
          {"kernels", info.kernels},
          {"input_formats", info.input_formats},
          {"axes", axes},
          {"partial_variants", info.partial_variants},
          {"sizes", sizes},
          {"checks", checks_json(info.checks)}};
}

}  // namespace

int command_list(const Options& options) {
  if (options.plan_given) return print_plan(options);
  std::vector<const Dwarf*> dwarfs;
  for (const std::string& name : options.dwarfs) dwarfs.push_back(&find_dwarf(name));
  if (dwarfs.empty()) dwarfs = built_in_dwarfs();
  Json json = Json::array();
  for (const Dwarf* dwarf : dwarfs) {
    if (options.json) {
      json.push_back(dwarf_json(*dwarf));
    } else {
      print_dwarf(*dwarf);
    }
  }
  if (options.json) fmt::print("{}\n", json.dump(2));
  return 0;
}

}  // namespace dwarfsweep
