#include "dwarfs/backprop/backprop.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::backprop {
namespace {

bool shuffles(const Config& config) {
  return config.string("reduction") == "sub_group";
}

void add_defaults(Space& space) {
  // A work-item alone with vectors of a whole row: what a CPU wants.
  space.default_setting("strided", {{"work_group", 1},
                                    {"granularity", 16},
                                    {"vector_width", 16},
                                    {"unroll", 4},
                                    {"reduction", "item"},
                                    {"finish", "device"},
                                    {"groups", 4}});
  // Groups that keep enough loads in flight: what a GPU wants.
  space.default_setting("strided",
                        {{"work_group", 256},
                         {"granularity", 4},
                         {"vector_width", 4},
                         {"unroll", 4},
                         {"reduction", "tree"},
                         {"groups", 8}},
                        is_gpu);
}

}  // namespace

Lanes lanes_of(const Config& config, const Capabilities& device) {
  if (!shuffles(config)) return {};
  std::vector<std::int64_t> counts = certain_lane_counts(device);
  if (counts.empty()) counts = lane_counts(device);
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    if (config.integer("work_group") % *count == 0) return shuffling_lanes(device, *count);
  }
  return {};
}

Layout::Layout(const Config& config, const Shape& shape, const Capabilities& device) {
  const std::int64_t width = config.integer("vector_width");
  const std::int64_t group = config.integer("work_group");
  stride = round_up(shape.hidden, std::max(width, config.integer("padding")));
  vectors = stride / width;
  lanes = std::min<std::int64_t>(
      group, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(vectors))));
  blocks = ceil_div(vectors, lanes);
  chunks = ceil_div(shape.rows(), group / lanes * config.integer("granularity"));
  groups = chunks;
  if (config.string("variant") == "strided") {
    const std::int64_t units = std::max<std::int64_t>(1, device.compute_units);
    groups = std::min(chunks, config.integer("groups") * units);
  }
}

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "blocks: a group for each chunk of rows; strided: as many groups as keep the device busy",
             {"blocks", "strided"},
             "blocks"})
      .axis({"work_group", "work-items of a group", {1, 16, 64, 128, 256, 512}, 256})
      .axis({"granularity", "rows of weights for each work-item of a chunk", {1, 2, 4, 8, 16}, 1})
      .axis({"vector_width", "neighbouring hidden units in a vector", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loop over the rows of a chunk", {1, 2, 4, 8}, 1})
      .axis({"padding",
             "rows of weights are padded to a multiple of so many units (0: of vector_width)",
             {0, 16},
             0})
      .axis({"reduction",
             "how a group adds its rows: a combining tree, a work-item for each column, or shuffles among "
             "the lanes of a sub-group first",
             {"tree", "item", "sub_group"},
             "tree"})
      .axis({"finish",
             "who adds the sums of groups and computes what is small: hidden units, outputs, errors",
             {"host", "device"},
             "host"})
      .axis({"groups", "groups for each unit of the device", {1, 2, 4, 8, 16}, 1, {"strided"}})
      .constrain("unroll must be at most granularity, the iterations of the loop over rows",
                 [](const Point& p) { return p["unroll"] <= p["granularity"]; })
      .constrain(
          "finish=device requires fewer than 2^32 weights in the second layer: the kernel counts them in 32 "
          "bits",
          [](const Point& p) {
            const Shape shape = shape_of(p.problem);
            return p.config.string("finish") == "host" ||
                   (shape.hidden + 1) * shape.outputs <= std::numeric_limits<std::uint32_t>::max();
          })
      .constrain(lacks_shuffles,
                 [](const Point& p) { return !shuffles(p.config) || !lane_counts(p.device).empty(); })
      .constrain(
          "reduction=sub_group requires work_group to be a multiple of the work-items that shuffle with each "
          "other on the device",
          [](const Point& p) { return !shuffles(p.config) || lanes_of(p.config, p.device).shuffle(); })
      .local_bytes([](const Point& p) {
        return static_cast<std::uint64_t>(p["work_group"] * p["vector_width"] * std::int64_t{sizeof(float)});
      });
  add_defaults(space);
  return space;
}

}  // namespace dwarfsweep::backprop
