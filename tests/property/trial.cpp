#include "tests/property/trial.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"

namespace dwarfsweep::property {

PointRequest request_of(const Trial& trial) {
  PointRequest request;
  request.dwarf = trial.dwarf->info().name;
  request.problem = {"custom", trial.problem};
  request.seed = trial.seed;
  request.config = trial.config;
  return request;
}

std::string command_of(const Trial& trial, const std::string& device, const Capabilities& capabilities) {
  const std::string& variant = trial.config.string("variant");
  const Config initial = trial.dwarf->space().default_config(variant, capabilities);
  ValueMap settings{{"variant", variant}};
  for (const auto& [axis, value] : trial.config.entries()) {
    if (value != initial.at(axis)) settings = settings.with(axis, value);
  }
  return fmt::format("dwarfsweep run --dwarf {} --device {} --problem {} --set {} --seed {}",
                     trial.dwarf->info().name, device, trial.problem.to_string(","), settings.to_string(","),
                     trial.seed);
}

bool is_legal(const Trial& trial, const Capabilities& capabilities) {
  try {
    const DwarfInfo& info = trial.dwarf->info();
    const Problem problem = make_problem(info.name, info.keys, {"custom", trial.problem});
    return !trial.dwarf->space().why_rejected({trial.config, problem, capabilities});
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace dwarfsweep::property
