#include <algorithm>

#include "dwarfs/rc5_72/rc5_72.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::rc5_72 {
namespace {

constexpr std::int64_t subkeys = 26;

void add_axes(Space& space) {
  const std::vector<std::string> piped = {"pipes", "shared_prefix"};
  space
      .axis({"variant",
             "per_key: a key per work-item, all subkeys before the block; pipes: several keys at a time, "
             "encrypted while their last subkeys are made; shared_prefix: also what keys have in common that "
             "differ in their last byte alone, once",
             {"per_key", "pipes", "shared_prefix"},
             "per_key"})
      .axis({"work_group", "work-items of a work-group", {1, 32, 64, 128, 192, 256, 512}, 64})
      .axis({"granularity", "vectors of keys that a work-item has at a time", {1, 2, 4}, 1, piped})
      .axis({"vector_width", "keys in a vector", {1, 2, 4, 8, 16}, 1, piped})
      .axis({"unroll",
             "steps per iteration of the loop over the 26 subkeys; with 26 they are in registers",
             {1, 2, 13, 26},
             1})
      .axis({"rotation",
             "builtin: rotate(), or NVIDIA's funnel shift; shifts: two shifts and an or; multiply: the two "
             "halves of a product, added",
             {"builtin", "shifts", "multiply"},
             "shifts"})
      .axis({"keys_per_prefix",
             "keys of a work-item, which share the first steps",
             {16, 32, 64, 128, 256},
             64,
             {"shared_prefix"}});
}

ValueMap on_cpu(int vector_width, int granularity) {
  return {{"work_group", 1},
          {"granularity", granularity},
          {"vector_width", vector_width},
          {"unroll", 26},
          {"rotation", "builtin"}};
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  space.constrain("vector_width times granularity must be at most keys_per_prefix", [](const Point& p) {
    return p.variant() != "shared_prefix" || p["vector_width"] * p["granularity"] <= p["keys_per_prefix"];
  });
  space.constrain(
      "unroll=26 with this vector_width times granularity needs more registers than a work-item has on the "
      "GPU: 26 subkeys for each key",
      [](const Point& p) {
        return !p.device.is_gpu || p["unroll"] < subkeys ||
               subkeys * p["vector_width"] * p["granularity"] < item_registers(p.device);
      });
  const ValueMap gpu{
      {"work_group", 128}, {"granularity", 1}, {"vector_width", 1}, {"unroll", 26}, {"rotation", "builtin"}};
  space.default_setting("pipes", on_cpu(4, 2)).default_setting("pipes", gpu, is_gpu);
  space.default_setting("shared_prefix", on_cpu(4, 2).with("keys_per_prefix", 256))
      .default_setting("shared_prefix", gpu, is_gpu);
  for (const int width : {8, 16}) {
    const auto where = [width](const Capabilities& device) { return is_cpu_of_lanes(device, width); };
    for (const char* variant : {"pipes", "shared_prefix"})
      space.default_setting(variant, {{"vector_width", width}, {"granularity", width / 4}}, where);
  }
  return space;
}

// As many keys per prefix as leave every compute unit enough work-items. A prefix saves 2.5 of 78 steps: with
// few keys of each prefix most of that is lost, and that is little. On a GPU two keys at a time, if their
// subkeys fit into registers: on an H100, of 2^30 keys, 57 G keys/s with 128 keys per prefix were the best.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const ValueMap shared{{"variant", "shared_prefix"}};
  const Config from = space.set(space.baseline(), shared, device);
  const std::int64_t at_once = from.integer("vector_width") * from.integer("granularity");
  const std::int64_t enough = std::int64_t{device.compute_units} * (device.is_gpu ? 1024 : 4);
  std::int64_t keys = device.is_gpu ? 128 : 256;
  while (keys > std::max<std::int64_t>(16, at_once) && ceil_div(problem.integer("keys"), keys) < enough)
    keys /= 2;
  const ValueMap choice = shared.with("keys_per_prefix", keys);
  const ValueMap two = choice.with("granularity", 2);
  const bool fits =
      device.is_gpu && !space.why_rejected({space.set(space.baseline(), two, device), problem, device});
  return fits ? two : choice;
}

}  // namespace dwarfsweep::rc5_72
