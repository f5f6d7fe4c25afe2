// How the variant split_k of sgemv lays its work-items over the matrix.
#include <algorithm>
#include <cstdint>

#include "dwarfs/sgemv/input.hpp"
#include "dwarfs/sgemv/matrix_case.hpp"
#include "dwarfs/sgemv/sgemv.hpp"
#include "harness/device/device.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep::sgemv {

/// Columns of a transposed group of one item: at most so many that their sums stay in its first-level cache
/// (16 KiB), and at least so many that it reads long stretches of each row.
constexpr std::int64_t most_columns = 4096;
constexpr std::int64_t fewest_columns = 1024;

/// Short rows of a plain matrix that a group takes: so many that starting it does not count.
constexpr std::int64_t short_rows_per_group = 4096;

struct SplitGeometry {
  std::int64_t lanes = 1;               ///< items side by side on a row
  std::int64_t groups = 1;              ///< over the outputs
  std::int64_t chunk = 1;               ///< terms per group
  std::int64_t chunks = 1;              ///< over the terms
  std::int64_t columns = most_columns;  ///< of a group of one item
  std::int64_t short_rows = 0;          ///< elements of rows that are processed as vectors, else 0

  /// Transposed and one lane: a group is one item that keeps its sums in memory.
  [[nodiscard]] bool has_single_item(const Shape& shape) const {
    return shape.transposed && lanes == 1 && short_rows == 0;
  }
  /// Groups leave sums of chunks, which a second kernel or the last group adds.
  [[nodiscard]] bool has_partial_sums() const { return chunks > 1; }
  /// Outputs of a group in the kernel `reduce`: where lanes share a row, several of them share an output.
  [[nodiscard]] std::int64_t reduce_outputs() const;
};

/// From the axes; where `lanes` or `splits` is 0, chosen for device and matrix.
SplitGeometry split_geometry(const Shape& shape, const Config& config, const DeviceInfo& device);

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

// As many columns as give all units the same number of groups.
std::int64_t columns_of(const Shape& shape, std::int64_t width, const DeviceInfo& device) {
  const std::int64_t units = device.capabilities.compute_units;
  const std::int64_t columns =
      ceil_div(shape.outputs(), round_up(ceil_div(shape.outputs(), most_columns), units));
  return columns < fewest_columns ? most_columns : round_up(columns, std::max<std::int64_t>(16, width));
}

// Enough chunks that all compute units have work, but none so small that its partial sum costs more than it
// gains. Where all units have as many groups of whole columns, or whole rows occupy half of a GPU, they are
// not split: half of the units reach the memory's bandwidth, and a second kernel would cost more than the
// idle units. Where the last group adds the chunks, they cost little: there are as many work-items as a unit
// may have at a time, unless a work-item would then add more than `max_added` chunks, which takes 5 us on an
// H200.
std::int64_t automatic_chunk(const Shape& shape, const Config& config, const SplitGeometry& geometry,
                             std::int64_t slices, std::int64_t outputs_per_group, const DeviceInfo& device) {
  constexpr std::int64_t max_added = 64;
  const std::int64_t units = device.capabilities.compute_units;
  const std::int64_t items = config.integer("work_group");
  const bool whole_rows =
      !shape.transposed && geometry.groups >= (device.capabilities.is_gpu ? ceil_div(units, 2) : units);
  const bool whole_columns = geometry.has_single_item(shape) && geometry.groups % units == 0;
  if (whole_rows || whole_columns) return shape.terms();
  std::int64_t min_chunk = 1024;
  if (geometry.short_rows > 0) {
    min_chunk = 4 * config.integer("vector_width") * slices;
  } else if (shape.transposed) {
    min_chunk = geometry.lanes == 1 ? 64 : 4 * slices;
  }
  const std::int64_t groups = finishes(config)   ? units * std::max<std::int64_t>(4, 2048 / items)
                              : shape.transposed ? 4 * units
                                                 : 2 * units;
  std::int64_t chunks = ceil_div(groups, geometry.groups);
  if (finishes(config))
    chunks = std::min(chunks, max_added * std::max<std::int64_t>(1, items / outputs_per_group));
  return std::max(min_chunk, ceil_div(shape.terms(), chunks));
}

}  // namespace

std::int64_t SplitGeometry::reduce_outputs() const {
  if (short_rows > 0) return max_short_rows;
  return lanes > 1 ? 32 : reduce_group;
}

SplitGeometry split_geometry(const Shape& shape, const Config& config, const DeviceInfo& device) {
  SplitGeometry geometry;
  const std::int64_t granularity = config.integer("granularity");
  const std::int64_t width = config.integer("vector_width");
  geometry.short_rows = short_rows(shape, config, device.capabilities.is_gpu);
  geometry.lanes = geometry.short_rows > 0       ? 1
                   : config.integer("lanes") > 0 ? config.integer("lanes")
                                                 : automatic_lanes(shape, config, device);
  const std::int64_t slices = config.integer("work_group") / geometry.lanes;
  std::int64_t outputs_per_group = slices * granularity;
  std::int64_t unit = geometry.lanes * width;
  if (shape.transposed) {
    if (geometry.lanes == 1) geometry.columns = columns_of(shape, width, device);
    outputs_per_group = geometry.lanes == 1 ? geometry.columns : geometry.lanes * width * granularity;
    unit = geometry.lanes == 1 ? granularity * config.integer("unroll") : slices;
    if (geometry.short_rows > 0) {
      outputs_per_group = max_short_rows;
      unit = slices * width;
    }
  } else if (geometry.short_rows > 0) {
    outputs_per_group = short_rows_per_group;
  }
  geometry.groups = ceil_div(shape.outputs(), outputs_per_group);
  const std::int64_t splits = config.integer("splits");
  const std::int64_t chunk =
      splits > 0 ? ceil_div(shape.terms(), splits)
                 : automatic_chunk(shape, config, geometry, slices, outputs_per_group, device);
  geometry.chunk = round_up(std::min(chunk, shape.terms()), unit);
  geometry.chunks = ceil_div(shape.terms(), geometry.chunk);
  return geometry;
}

// The variant split_k: the terms are divided among groups as well.

namespace {

class SplitCase final : public MatrixCase {
 public:
  SplitCase(const Setup& setup, const SplitGeometry& geometry)
      : MatrixCase(setup, geometry.lanes),
        geometry_(geometry),
        has_partial_sums_(geometry.has_partial_sums()),
        groups_finish_(has_partial_sums_ && finishes(setup.config)),
        items_(geometry.has_single_item(shape_) ? 1 : static_cast<std::size_t>(group_items(setup.config))) {
    const Macros macros = macros_of(setup, has_partial_sums_)
                              .define("COLUMNS_PER_ITEM", geometry.columns)
                              .define("SHORT_ROWS", geometry.short_rows)
                              .define("SHORT_ROWS_PER_GROUP", short_rows_per_group)
                              .define("REDUCE_GROUP", reduce_group)
                              .define("REDUCE_OUTPUTS", geometry.reduce_outputs())
                              .allow_inter_group_sync(groups_finish_);
    gemv_ = setup.kernel("gemv", "gemv", macros);
    if (has_partial_sums_ && !groups_finish_) reduce_ = setup.kernel("reduce", "reduce", macros);
    partial_ = workspace_.allocate<float>("partial sums", partial_sums(), Role::scratch);
    left_ = workspace_.allocate<cl_uint>("chunks left", groups_finish_ ? groups() : 0, Role::input);
  }

  void upload() override {
    MatrixCase::upload();
    workspace_.upload(std::vector<cl_uint>(left_.count), left_);
  }

  void launch(Launcher& launcher) override {
    const auto chunks = static_cast<std::size_t>(geometry_.chunks);
    launcher.run(gemv_, Range(items_ * groups(), chunks), Range(items_, 1), outputs(), terms(), stride(),
                 shape_.alpha, shape_.beta, matrix_, x_, y_in_, y_, partial_, left_,
                 static_cast<cl_int>(geometry_.chunk));
    if (!has_partial_sums_ || groups_finish_) return;
    const auto reduce_groups =
        static_cast<std::size_t>(ceil_div(shape_.outputs(), geometry_.reduce_outputs()));
    launcher.run(reduce_, reduce_groups * reduce_group, static_cast<std::size_t>(reduce_group), outputs(),
                 static_cast<cl_int>(geometry_.chunks), shape_.alpha, shape_.beta, partial_, y_in_, y_);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const Work total = total_work();
    Work gemv = total;
    gemv.kernel = "gemv";
    if (!has_partial_sums_) return {gemv, total};
    const auto elements = static_cast<double>(shape_.rows) * static_cast<double>(shape_.cols);
    const auto terms = static_cast<double>(shape_.terms());
    const auto partial = static_cast<double>(partial_sums());
    const double y_bytes = total.bytes - 4 * (elements + terms);
    const double y_operations = total.operations - 2 * elements;
    if (groups_finish_) {
      gemv.bytes += 8 * partial;
      gemv.operations += partial;
      return {gemv, total};
    }
    return {{"gemv", 4 * (elements + terms + partial), 2 * elements, elements},
            {"reduce", 4 * partial + y_bytes, partial + y_operations, partial},
            total};
  }

 private:
  [[nodiscard]] std::size_t groups() const { return static_cast<std::size_t>(geometry_.groups); }
  [[nodiscard]] std::size_t partial_sums() const {
    return has_partial_sums_ ? static_cast<std::size_t>(shape_.outputs() * geometry_.chunks) : 0;
  }

  SplitGeometry geometry_;
  bool has_partial_sums_, groups_finish_;
  std::size_t items_;
  Kernel gemv_, reduce_;
  Buffer<float> partial_;
  Buffer<cl_uint> left_;
};

}  // namespace

std::unique_ptr<Case> make_split_case(const Setup& setup) {
  return std::make_unique<SplitCase>(
      setup, split_geometry(setup.input<SgemvInput>()->shape(), setup.config, setup.device()));
}

}  // namespace dwarfsweep::sgemv
