#include "suite/plan/varied_axes.hpp"

#include <algorithm>

namespace dwarfsweep {

std::vector<Value> varied_values(const Axis& axis, const PlanRequest& request) {
  if (request.settings.has(axis.name)) return {};
  if (request.axes.empty()) return axis.values;
  for (const auto& [name, values] : request.axes) {
    if (name == axis.name) return values;
  }
  return {};
}

std::vector<std::string> variants_of(const Space& space, const PlanRequest& request, const Config& origin) {
  const std::vector<Value> varied = varied_values(space.find("variant"), request);
  std::vector<std::string> variants;
  if (varied.empty() || request.axes.empty()) variants.push_back(origin.string("variant"));
  for (const Value& value : varied) {
    if (std::find(variants.begin(), variants.end(), value.to_string()) == variants.end()) {
      variants.push_back(value.to_string());
    }
  }
  return variants;
}

Config default_of(const Space& space, const std::string& variant, const Capabilities& capabilities,
                  const PlanRequest& request) {
  Config config = space.default_config(variant, capabilities);
  for (const auto& [name, value] : request.settings.entries()) {
    if (name != "variant" && Space::applies(space.find(name), variant)) config = config.with(name, value);
  }
  return config;
}

std::vector<Axis> free_axes(const Space& space, const std::string& variant, const PlanRequest& request) {
  std::vector<Axis> axes;
  for (Axis axis : space.axes()) {
    if (axis.name == "variant" || !Space::applies(axis, variant)) continue;
    axis.values = varied_values(axis, request);
    if (!axis.values.empty()) axes.push_back(std::move(axis));
  }
  return axes;
}

}  // namespace dwarfsweep
