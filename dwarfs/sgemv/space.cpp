#include "dwarfs/sgemv/space.hpp"

#include <algorithm>

#include "dwarfs/sgemv/geometry.hpp"

namespace dwarfsweep::sgemv {

const std::vector<std::string>& staged_variants() {
  static const std::vector<std::string> variants = {"vec_single",  "vec_double",  "vec_manual",
                                                    "both_single", "both_double", "both_manual"};
  return variants;
}

Space make_space() {
  const std::vector<std::string>& staged = staged_variants();
  Space space;
  space
      .axis({"variant",
             "how rows, terms and loads are divided among work-items",
             {"row_per_item", "row_per_group", "vec_single", "vec_double", "vec_manual", "both_single",
              "both_double", "both_manual", "split_k"},
             "row_per_item"})
      .axis({"work_group",
             "work-items per group; in vec_* and both_* those that compute",
             {1, 16, 64, 128, 256, 512, 1024},
             128})
      .axis({"granularity",
             "rows (transposed: vectors of columns) per work-item; per group in row_per_group",
             {1, 2, 4, 8},
             1})
      .axis({"vector_width", "width of loads and arithmetic", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loop over the terms", {1, 2, 4, 8}, 1})
      .axis({"padding",
             "rows on the device begin at multiples of this many elements (0: as in lda)",
             {0, 16, 64},
             0})
      .axis({"tile", "terms per stage in local memory", {16, 32, 64, 128, 256}, 128, staged})
      .axis({"loader",
             "asynchronous copies, or lanes of the group that only load",
             {"async", "split"},
             "async",
             staged})
      .axis({"loaders", "loading lanes per set (loader=split)", {32, 64, 128}, 32, staged})
      .axis({"lanes",
             "work-items side by side on a row (0: chosen for device and matrix)",
             {0, 1, 4, 32, 128},
             0,
             {"split_k"}})
      .axis({"splits",
             "chunks of the terms (0: chosen for device and matrix)",
             {0, 1, 2, 8, 64},
             0,
             {"split_k"}})
      .axis({"finish",
             "who adds the chunks: a launch of its own, or of the groups with the same outputs the last one",
             {"launch", "group"},
             "launch",
             {"split_k"}});
  for (const std::string& variant : staged) {
    // A staged matrix has a row per computing lane in local memory.
    if (stages_matrix(variant)) {
      space.default_setting(variant, {{"work_group", 64}, {"tile", 32}});
    } else {
      space.default_setting(variant, {{"tile", 128}});
    }
  }
  space.default_setting("row_per_group", {{"work_group", 64}})
      .default_setting("row_per_group", {{"work_group", 128}, {"vector_width", 4}, {"unroll", 4}}, is_gpu)
      .default_setting(
          "split_k",
          {{"work_group", 1}, {"granularity", 4}, {"vector_width", 16}, {"unroll", 2}, {"padding", 16}})
      .default_setting("split_k",
                       {{"work_group", 128}, {"granularity", 1}, {"vector_width", 4}, {"unroll", 1}}, is_gpu)
      .default_setting("split_k", {{"finish", "group"}},
                       [](const Capabilities& device) { return device.is_gpu && device.orders_groups(); });
  space
      .constrain("loaders has a meaning only with loader=split",
                 [](const Point& p) { return p.config.string("loader") == "split" || p["loaders"] == 32; })
      .constrain("groups that add chunks must be able to order what they leave for each other",
                 [](const Point& p) { return !finishes(p.config) || p.device.orders_groups(); })
      .constrain("transposed, a work-item alone leaves chunks to a launch, so lanes must be more than 1",
                 [](const Point& p) {
                   const bool chosen = p["lanes"] == 0 && p["work_group"] > 1 && p.device.is_gpu;
                   return !finishes(p.config) || !is_transposed(p) || p["lanes"] > 1 || chosen;
                 })
      .constrain("the lanes of a row must be in one work-group",
                 [](const Point& p) { return p["lanes"] <= p["work_group"]; })
      .constrain("with lanes=1 a transposed matrix needs groups of one work-item, so work_group must be 1",
                 [](const Point& p) { return !is_transposed(p) || p["lanes"] != 1 || p["work_group"] == 1; })
      .group_items([](const Point& p) {
        const std::int64_t reduces = p.variant() == "split_k" ? reduce_group : 1;
        return static_cast<std::uint64_t>(std::max(group_items(p.config), reduces));
      })
      .local_bytes(local_bytes);
  return space;
}

}  // namespace dwarfsweep::sgemv
