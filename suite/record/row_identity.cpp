#include "suite/record/row_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/space/value.hpp"

namespace dwarfsweep {
namespace {

// The axes that all dwarfs share have a column each; the others are in `options`.
struct SharedAxis {
  std::string_view name;
  std::string RowIdentity::*cell;
};
constexpr SharedAxis shared_axes[] = {
    {"variant", &RowIdentity::variant},         {"work_group", &RowIdentity::work_group},
    {"granularity", &RowIdentity::granularity}, {"vector_width", &RowIdentity::vector_width},
    {"unroll", &RowIdentity::unroll},           {"padding", &RowIdentity::padding}};

}  // namespace

RowIdentity identify(const std::string& run_id, const PointKey& key) {
  RowIdentity row;
  row.run_id = run_id;
  row.device_id = key.device_id;
  row.dwarf = key.dwarf;
  row.size = key.size;
  row.problem = key.problem;
  const Config config = Config::parse(key.config);
  ValueMap own;
  for (const auto& [name, value] : config.entries()) {
    const auto axis = std::ranges::find(shared_axes, name, &SharedAxis::name);
    if (axis != std::end(shared_axes)) {
      row.*axis->cell = value.to_string();
    } else {
      own = own.with(name, value);
    }
  }
  row.options = own.to_string();
  return row;
}

std::string config_text(const RowIdentity& row) {
  std::string text;
  for (const SharedAxis& axis : shared_axes) {
    const std::string& value = row.*axis.cell;
    if (!value.empty()) text += fmt::format("{}{}={}", text.empty() ? "" : ";", axis.name, value);
  }
  if (!row.options.empty()) text += (text.empty() ? "" : ";") + row.options;
  return text;
}

}  // namespace dwarfsweep
