// `list`: the dwarfs with their axes and sizes; with --plan an estimate of a plan, with --programs its
// programs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "dwarfs/registry.hpp"
#include "suite/commands/commands.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"

namespace dwarfsweep {
namespace {

std::string joined(const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(value.to_string());
  return fmt::format("{}", fmt::join(texts, " "));
}

std::string key_text(const ProblemKey& key) {
  std::string allowed = key.preset.is_string() ? fmt::format("{}", fmt::join(key.choices, "|"))
                                               : fmt::format("{} to {}", key.minimum, key.maximum);
  if (key.hexadecimal_digits > 0) allowed += fmt::format("|0x and {} digits", key.hexadecimal_digits);
  return fmt::format("{:<14} {}; {}, default {}", key.name, key.meaning, allowed, key.preset.to_string());
}

void print_dwarf(const Dwarf& dwarf) {
  const DwarfInfo& info = dwarf.info();
  fmt::print("{}: {} ({})\n", info.name, info.title, info.pattern);
  fmt::print("  kernels  {}\n", fmt::join(info.kernels, ", "));
  fmt::print("  counts   {} operations\n", to_string(info.arithmetic));
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
    if (!axis.by_name.empty())
      fmt::print("                   only by --plan paper, --axis and --set: {}\n", joined(axis.by_name));
  }
  fmt::print("  constraints\n");
  for (const std::string& reason : dwarf.space().constraint_reasons()) fmt::print("    {}\n", reason);
  fmt::print("\n");
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

Json key_json(const ProblemKey& key) {
  Json json = {{"name", key.name}, {"meaning", key.meaning}, {"default", key.preset}};
  if (key.preset.is_string()) {
    json["choices"] = key.choices;
    if (key.hexadecimal_digits > 0) json["hexadecimal_digits"] = key.hexadecimal_digits;
  } else {
    json["minimum"] = key.minimum;
    json["maximum"] = key.maximum;
    if (key.power_of_two) json["power_of_two"] = true;
  }
  return json;
}

Json dwarf_json(const Dwarf& dwarf) {
  const DwarfInfo& info = dwarf.info();
  Json axes = Json::array();
  for (const Axis& axis : dwarf.space().axes()) {
    axes.push_back({{"name", axis.name},
                    {"meaning", axis.meaning},
                    {"values", axis.values},
                    {"baseline", axis.baseline},
                    {"variants", axis.variants},
                    {"by_name", axis.by_name}});
  }
  Json keys = Json::array();
  for (const ProblemKey& key : info.keys) keys.push_back(key_json(key));
  Json sizes = Json::array();
  for (const Size& size : info.sizes)
    sizes.push_back({{"name", size.name}, {"problem", size.values.to_string()}});
  return {{"name", info.name},
          {"title", info.title},
          {"pattern", info.pattern},
          {"kernels", info.kernels},
          {"arithmetic", to_string(info.arithmetic)},
          {"input_formats", info.input_formats},
          {"problem_keys", keys},
          {"axes", axes},
          {"partial_variants", info.partial_variants},
          {"constraints", dwarf.space().constraint_reasons()},
          {"sizes", sizes},
          {"checks", checks_json(info.checks)}};
}

int print_columns(bool json) {
  Json list = Json::array();
  for (const ColumnMeaning& column : column_dictionary()) {
    if (json) {
      list.push_back({{"file", column.file},
                      {"column", column.name},
                      {"type", column.type},
                      {"unit", column.unit},
                      {"since_schema", column.since},
                      {"meaning", column.meaning}});
    } else {
      fmt::print("{:<17} {:<20} {:<8} {:<6} {}\n", column.file, column.name, column.type, column.unit,
                 column.meaning);
    }
  }
  if (json) fmt::print("{}\n", json_text(list, 2));
  return 0;
}

}  // namespace

int command_list(const CommandLine& line) {
  if (line.has("columns")) return print_columns(line.has("json"));
  if (line.has("programs")) return print_plan_programs(line);
  if (line.has("plan")) return print_plan_estimate(line);
  const std::vector<std::string> names = measuring_options(line).dwarfs;
  const std::vector<const Dwarf*> dwarfs = names.empty() ? built_in_dwarfs() : dwarfs_named(names);
  Json json = Json::array();
  for (const Dwarf* dwarf : dwarfs) {
    if (line.has("json")) {
      json.push_back(dwarf_json(*dwarf));
    } else {
      print_dwarf(*dwarf);
    }
  }
  if (line.has("json")) fmt::print("{}\n", json_text(json, 2));
  return 0;
}

}  // namespace dwarfsweep
