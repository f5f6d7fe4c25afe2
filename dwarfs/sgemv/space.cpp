#include "dwarfs/sgemv/sgemv.hpp"

#include <algorithm>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::sgemv {

namespace {

bool stages_vector(const std::string& variant) {
  return variant.starts_with("vec_") || stages_matrix(variant);
}

std::int64_t outputs_per_slot(const Config& config, bool transposed) {
  return transposed ? config.integer("vector_width") : 1;
}

std::int64_t buffers(const std::string& variant) {
  return variant.ends_with("_single") ? 1 : 2;
}

}  // namespace

bool stages_matrix(const std::string& variant) {
  return variant.starts_with("both_");
}

bool is_transposed(const Point& point) {
  return point.problem.integer("transposed") == 1;
}

bool finishes(const Config& config) {
  return config.string("finish") == "group";
}

std::int64_t group_items(const Config& config) {
  const std::string& variant = config.string("variant");
  const bool has_loaders = stages_vector(variant) && config.string("loader") == "split";
  const std::int64_t sets = variant.ends_with("_double") ? 2 : 1;
  return config.integer("work_group") + (has_loaders ? sets * config.integer("loaders") : 0);
}

std::int64_t device_stride(const Shape& shape, const Config& config) {
  const std::int64_t padding = config.integer("padding");
  return padding > 0 ? round_up(shape.row_stride, padding) : shape.row_stride;
}

std::int64_t short_rows(const Shape& shape, const Config& config, bool is_gpu) {
  const bool gapless = device_stride(shape, config) == shape.cols;
  const bool whole_rows = shape.transposed || (!is_gpu && config.integer("splits") <= 1);
  const bool applies = gapless && whole_rows && config.integer("lanes") == 0;
  return applies && shape.cols <= max_short_rows ? shape.cols : 0;
}

std::int64_t groups_over_outputs(const Shape& shape, const Config& config) {
  const std::int64_t slots =
      shape.transposed ? ceil_div(shape.cols, config.integer("vector_width")) : shape.rows;
  const std::int64_t items = config.string("variant") == "row_per_group" ? 1 : config.integer("work_group");
  return ceil_div(slots, items * config.integer("granularity"));
}

MatrixTile matrix_tile(const Config& config, bool transposed) {
  const std::int64_t outputs =
      config.integer("work_group") * config.integer("granularity") * outputs_per_slot(config, transposed);
  // The rows of plain A are one element longer than a stage, so that lanes which read neighbouring rows do
  // not access the same bank.
  if (transposed) return {config.integer("tile"), outputs};
  return {outputs, config.integer("tile") + 1};
}

std::uint64_t local_bytes(const Point& point) {
  const std::string& variant = point.variant();
  std::int64_t elements = 0;
  if (variant == "row_per_group")
    elements = point["work_group"] * outputs_per_slot(point.config, is_transposed(point));
  if (variant == "split_k") {
    const bool single_item = point["lanes"] == 1 && is_transposed(point);
    const std::int64_t sums =
        is_transposed(point) ? std::max(point["vector_width"], max_short_rows) : point["granularity"];
    elements = std::max(single_item ? 0 : point["work_group"] * sums + 1, reduce_group);
  }
  if (stages_vector(variant)) {
    const MatrixTile tile = matrix_tile(point.config, is_transposed(point));
    // Without a staged matrix its tile is one element, rounded up to the tiles' alignment.
    elements =
        buffers(variant) * (point["tile"] + (stages_matrix(variant) ? tile.lines * tile.line : 1)) + 32;
  }
  return static_cast<std::uint64_t>(elements) * sizeof(float);
}

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
             "row_per_item: a row (transposed: a vector of columns) for each work-item; row_per_group: a "
             "group shares the terms of a row and adds them in local memory; vec_single: as row_per_item, "
             "the vector staged in local memory through one buffer; vec_double: the same through two buffers "
             "with loaders of their own; vec_manual: the same through two buffers that one set of loaders "
             "fills in turn; both_single, both_double, both_manual: as vec_*, with the matrix staged as "
             "well; split_k: the terms are cut into chunks, a group for each, added at the end",
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
             "asynchronous copies, lanes of the group that only load (split), or all lanes, which then all "
             "compute "
             "(all)",
             {"async", "split", "all"},
             "async",
             staged,
             {"all"}})
      .axis({"loaders", "loading lanes per set (loader=split)", {32, 64, 128}, 32, staged})
      .axis(
          {"barrier",
           "how loading lanes meet the others: at a barrier of the group; named: at barriers of each buffer",
           {"group", "named"},
           "group",
           staged,
           {"named"}})
      .axis({"prefetch",
             "1: loading lanes read the next stage of the vector into registers before they wait",
             {0, 1},
             0,
             staged,
             {1}})
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
      .constrain("loaders other than 32 requires loader=split",
                 [](const Point& p) { return p.config.string("loader") == "split" || p["loaders"] == 32; })
      .constrain("barrier=named and prefetch=1 require loader=split",
                 [](const Point& p) {
                   return p.config.string("loader") == "split" ||
                          (p.config.string("barrier") == "group" && p["prefetch"] == 0);
                 })
      .constrain(
          "barrier=named requires a device whose compiler accepts PTX, and a work_group that is a multiple "
          "of 32",
          [](const Point& p) {
            return p.config.string("barrier") == "group" ||
                   (p.device.inline_ptx && p["work_group"] % 32 == 0);
          })
      .constrain("loader=all requires variant=vec_single or variant=both_single, which have one buffer",
                 [](const Point& p) {
                   return p.config.string("loader") != "all" || p.variant().ends_with("_single");
                 })
      .constrain(
          "finish=group requires a device whose work-groups can order their writes: ordered atomics or "
          "inline PTX",
          [](const Point& p) { return !finishes(p.config) || p.device.orders_groups(); })
      .constrain("finish=group requires lanes above 1 for a transposed matrix",
                 [](const Point& p) {
                   const bool chosen = p["lanes"] == 0 && p["work_group"] > 1 && p.device.is_gpu;
                   return !finishes(p.config) || !is_transposed(p) || p["lanes"] > 1 || chosen;
                 })
      .constrain("lanes must be at most work_group: the lanes of a row are in one work-group",
                 [](const Point& p) { return p["lanes"] <= p["work_group"]; })
      .constrain("lanes=1 requires work_group=1 for a transposed matrix",
                 [](const Point& p) { return !is_transposed(p) || p["lanes"] != 1 || p["work_group"] == 1; })
      .group_items([](const Point& p) {
        const std::int64_t reduces = p.variant() == "split_k" ? reduce_group : 1;
        return static_cast<std::uint64_t>(std::max(group_items(p.config), reduces));
      })
      .local_bytes(local_bytes);
  return space;
}

}  // namespace dwarfsweep::sgemv
