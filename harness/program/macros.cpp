#include "harness/program/macros.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace dwarfsweep {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string guard(const std::string& name, const std::string& illegal, const std::string& allowed) {
  return fmt::format("#if !defined({0}){1}\n#error \"{0} must be {2}\"\n#endif\n", name, illegal, allowed);
}

}  // namespace

Macros::Macros(const Space& space, const Config& config) {
  for (const Axis& axis : space.axes()) {
    const std::string name = upper(axis.name);
    const Value& value = config.at(axis.name);
    std::vector<std::string> allowed;
    if (value.is_integer()) {
      options_ += fmt::format(" -D {}={}", name, value.integer());
      for (const Value& each : axis.values) allowed.push_back(each.to_string());
    } else {
      // Numbered from 1, so that a misspelt name, which the preprocessor takes for 0, equals none of them.
      for (std::size_t i = 0; i < axis.values.size(); ++i) {
        allowed.push_back(fmt::format("{}_{}", name, upper(axis.values[i].string())));
        options_ += fmt::format(" -D {}={}", allowed.back(), i + 1);
      }
      options_ += fmt::format(" -D {}={}_{}", name, name, upper(value.string()));
    }
    std::string illegal;
    for (const std::string& each : allowed) illegal += fmt::format(" && {} != {}", name, each);
    guards_ +=
        guard(name, fmt::format(" || ({})", illegal.substr(4)), fmt::format("{}", fmt::join(allowed, ", ")));
  }
}

Macros& Macros::define(const std::string& name, std::int64_t value) {
  options_ += fmt::format(" -D {}={}", name, value);
  guards_ += guard(name, "", "defined");
  return *this;
}

Macros& Macros::let_lanes_shuffle(const Lanes& lanes) {
  lanes_ = lanes;
  return define("SHUFFLE", static_cast<std::int64_t>(lanes.way))
      .define("SUB_GROUP", lanes.count)
      .define("REQUIRE_SUB_GROUP", lanes.compiler_is_told ? 1 : 0);
}

}  // namespace dwarfsweep
