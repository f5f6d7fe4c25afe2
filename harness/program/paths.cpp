#include "harness/program/paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

namespace dwarfsweep {
namespace {

// The value of a macro among a compiler's options, "-D NAME=7".
std::optional<int> macro(const std::string& options, const std::string& name) {
  const std::size_t at = (" " + options).find("-D " + name + "=");
  if (at == std::string::npos) return std::nullopt;
  return std::atoi(options.c_str() + at + name.size() + 3);
}

bool is_set(const std::string& options, const std::string& name) {
  return macro(options, name).value_or(0) != 0;
}

// GROUPS_WAIT of prelude.cl.
std::string way_of_waiting(const std::string& options) {
  return is_set(options, "HAS_ORDERED_ATOMICS") ? "groups wait by ordered atomics" : "groups wait by PTX";
}

// SHUFFLE and SUB_GROUP of lanes.cl.
std::string way_of_shuffling(const std::string& options) {
  constexpr int sub_groups = 1;
  switch (macro(options, "SHUFFLE").value_or(0)) {
    case 0:
      return "lanes pass values through local memory";
    case sub_groups:
      return fmt::format("lanes shuffle in sub-groups of {}", macro(options, "SUB_GROUP").value_or(0));
    default:
      return fmt::format("{} lanes shuffle by PTX", macro(options, "SUB_GROUP").value_or(32));
  }
}

}  // namespace

std::vector<std::string> paths_taken(const std::vector<std::shared_ptr<const Program>>& programs) {
  std::vector<std::string> taken;
  const auto add = [&](const std::string& path) {
    if (std::find(taken.begin(), taken.end(), path) == taken.end()) taken.push_back(path);
  };
  for (const auto& program : programs) {
    const std::string& options = program->text.options;
    if (is_set(options, "GROUPS_WAIT")) add(way_of_waiting(options));
    if (macro(options, "SHUFFLE")) add(way_of_shuffling(options));
  }
  return taken;
}

}  // namespace dwarfsweep
