#include "dwarfs/sgemv/split_geometry.hpp"

#include <algorithm>

#include "dwarfs/sgemv/geometry.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::sgemv {
namespace {

// One lane on a CPU, where barriers and strided lanes cost more than they gain; elsewhere as many lanes as a
// row has vectors, up to 32 (512 bytes by loads of 16), or the whole group where there are too few rows for
// it.
std::int64_t automatic_lanes(const Shape& shape, const Config& config, const DeviceInfo& device) {
  if (!device.capabilities.is_gpu) return 1;
  const std::int64_t width = config.integer("vector_width");
  const std::int64_t items = config.integer("work_group");
  const std::int64_t max_lanes = std::min<std::int64_t>(32, items);
  if (shape.transposed) {
    std::int64_t lanes = std::min<std::int64_t>(2, max_lanes);
    while (lanes < max_lanes && lanes * width < shape.cols) lanes *= 2;
    return lanes;
  }
  const auto too_few_rows = [&](std::int64_t lanes) {
    return items / lanes * config.integer("granularity") > shape.rows;
  };
  std::int64_t lanes = 1;
  while ((lanes < max_lanes || (lanes < items && too_few_rows(lanes))) && 2 * lanes * width <= shape.cols)
    lanes *= 2;
  return lanes;
}

// Enough chunks that all compute units have work, but none so small that its partial sum costs more than it
// gains. Where whole rows occupy half of a GPU they are not split: half of the units reach the memory's
// bandwidth, and a second kernel would cost more than the idle units.
std::int64_t automatic_chunk(const Shape& shape, const Config& config, const SplitGeometry& geometry,
                             std::int64_t slices, const DeviceInfo& device) {
  const std::int64_t units = device.capabilities.compute_units;
  std::int64_t target_groups = 2 * units;
  std::int64_t min_chunk = 1024;
  if (shape.transposed) {
    // Where the last group adds the chunks, they cost little: as many work-items as a unit may have at a
    // time.
    target_groups =
        finishes(config) ? units * std::max<std::int64_t>(4, 2048 / config.integer("work_group")) : 4 * units;
    min_chunk = geometry.lanes == 1 ? 64 : 4 * slices;
  } else if (geometry.groups >= (device.capabilities.is_gpu ? ceil_div(units, 2) : units)) {
    return shape.terms();
  }
  return std::max(min_chunk, ceil_div(shape.terms(), ceil_div(target_groups, geometry.groups)));
}

}  // namespace

std::int64_t SplitGeometry::reduce_outputs() const {
  return lanes > 1 ? 32 : reduce_group;
}

SplitGeometry split_geometry(const Shape& shape, const Config& config, const DeviceInfo& device) {
  SplitGeometry geometry;
  const std::int64_t granularity = config.integer("granularity");
  const std::int64_t width = config.integer("vector_width");
  geometry.lanes =
      config.integer("lanes") > 0 ? config.integer("lanes") : automatic_lanes(shape, config, device);
  const std::int64_t slices = config.integer("work_group") / geometry.lanes;
  std::int64_t outputs_per_group = slices * granularity;
  std::int64_t unit = geometry.lanes * width;
  if (shape.transposed) {
    outputs_per_group = geometry.lanes == 1 ? columns_per_item : geometry.lanes * width * granularity;
    unit = geometry.lanes == 1 ? granularity * config.integer("unroll") : slices;
  }
  geometry.groups = ceil_div(shape.outputs(), outputs_per_group);
  const std::int64_t splits = config.integer("splits");
  const std::int64_t chunk =
      splits > 0 ? ceil_div(shape.terms(), splits) : automatic_chunk(shape, config, geometry, slices, device);
  geometry.chunk = round_up(std::min(chunk, shape.terms()), unit);
  geometry.chunks = ceil_div(shape.terms(), geometry.chunk);
  return geometry;
}

}  // namespace dwarfsweep::sgemv
