#include "dwarfs/sgemv/geometry.hpp"

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
    const std::int64_t sums = is_transposed(point) ? point["vector_width"] : point["granularity"];
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

}  // namespace dwarfsweep::sgemv
