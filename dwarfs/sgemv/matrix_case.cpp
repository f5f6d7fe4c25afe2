// The host side of kernels_cl/sgemv/sgemv.cl: how outputs and terms are cut, launches, transfers.
#include "dwarfs/sgemv/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace dwarfsweep::sgemv {
namespace {

constexpr std::int64_t columns_alone = 4096;  // COLUMNS_ALONE of sgemv.cl
constexpr std::int64_t reduce_outputs = 32;   // REDUCE_OUTPUTS of sgemv.cl where lanes share a row

bool stages_vector(const std::string& variant) {
  return variant.starts_with("vec_") || stages_matrix(variant);
}

std::int64_t outputs_per_slot(const Point& point) {
  return is_transposed(point) ? point["vector_width"] : 1;
}

std::int64_t buffers(const std::string& variant) {
  return variant.ends_with("_single") ? 1 : 2;
}

// How split_k lays its work-items over the matrix.
struct SplitGeometry {
  std::int64_t lanes = 1;   // items side by side on a row
  std::int64_t groups = 1;  // over the outputs
  std::int64_t chunk = 1;   // terms per group
  std::int64_t chunks = 1;  // over the terms

  // Transposed and one lane: a group is one item that keeps its sums in memory.
  [[nodiscard]] bool alone(const Shape& shape) const { return shape.transposed && lanes == 1; }
  [[nodiscard]] bool partial(const Shape& shape) const { return chunks > 1 || alone(shape); }
};

// A lane alone where local memory is ordinary memory (a CPU, where barriers and strided lanes cost more than
// they bring); elsewhere as many lanes as a row can occupy, up to 32 (512 bytes by loads of 16), or the whole
// group where there are too few rows for it.
std::int64_t automatic_lanes(const Shape& shape, const Config& config, const DeviceInfo& device) {
  if (!device.capabilities.is_gpu) return 1;
  const std::int64_t width = config.integer("vector_width");
  const std::int64_t items = config.integer("work_group");
  const std::int64_t most = std::min<std::int64_t>(32, items);
  if (shape.transposed) {
    std::int64_t lanes = std::min<std::int64_t>(2, most);
    while (lanes < most && lanes * width < shape.cols) lanes *= 2;
    return lanes;
  }
  const auto too_few_rows = [&](std::int64_t lanes) {
    return items / lanes * config.integer("granularity") > shape.rows;
  };
  std::int64_t lanes = 1;
  while ((lanes < most || (lanes < items && too_few_rows(lanes))) && 2 * lanes * width <= shape.cols)
    lanes *= 2;
  return lanes;
}

// Chunks so many that all compute units have work, and no smaller than is worth a partial sum. A second
// kernel costs more than idle units that the others' bandwidth makes up for, so whole rows that fill half of
// a GPU are left whole.
std::int64_t automatic_chunk(const Shape& shape, const SplitGeometry& geometry, std::int64_t slices,
                             const DeviceInfo& device) {
  const std::int64_t units = device.capabilities.compute_units;
  std::int64_t wanted_groups = 2 * units;
  std::int64_t least = 1024;
  if (shape.transposed) {
    wanted_groups = 4 * units;
    least = geometry.lanes == 1 ? 64 : 4 * slices;
  } else if (geometry.groups >= (device.capabilities.is_gpu ? ceil_div(units, 2) : units)) {
    return shape.terms();
  }
  return std::max(least, ceil_div(shape.terms(), ceil_div(wanted_groups, geometry.groups)));
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
    outputs_per_group = geometry.lanes == 1 ? columns_alone : geometry.lanes * width * granularity;
    unit = geometry.lanes == 1 ? granularity * config.integer("unroll") : slices;
  }
  geometry.groups = ceil_div(shape.outputs(), outputs_per_group);
  const std::int64_t splits = config.integer("splits");
  const std::int64_t chunk =
      splits > 0 ? ceil_div(shape.terms(), splits) : automatic_chunk(shape, geometry, slices, device);
  geometry.chunk = round_up(std::min(chunk, shape.terms()), unit);
  geometry.chunks = ceil_div(shape.terms(), geometry.chunk);
  return geometry;
}

class SgemvCase final : public Case {
 public:
  SgemvCase(Workspace& workspace, std::shared_ptr<const MatrixInput> input, const Space& space,
            const Config& config)
      : workspace_(workspace), input_(std::move(input)), shape_(input_->shape), config_(config) {
    splits_terms_ = config.string("variant") == "split_k";
    if (splits_terms_) geometry_ = split_geometry(shape_, config, workspace.device());
    const std::int64_t padding = config.integer("padding");
    device_stride_ = padding > 0 ? round_up(shape_.row_stride, padding) : shape_.row_stride;
    build(space);
    allocate();
  }

  void upload() override {
    if (device_stride_ == shape_.row_stride) {
      workspace_.upload(input_->matrix, matrix_);
    } else {
      upload_with_padding();
    }
    workspace_.upload(input_->x, x_);
    // With beta = 0 nobody may read y_in: NaN would show.
    if (shape_.beta == 0) {
      workspace_.upload(std::vector<float>(y_in_.count, std::numeric_limits<float>::quiet_NaN()), y_in_);
    } else {
      workspace_.upload(input_->y_in, y_in_);
    }
  }

  // The inputs stay as they are: y_in and y are two buffers.
  void reset() override {}

  void launch(Launcher& launcher) override {
    const auto outputs = static_cast<cl_int>(shape_.outputs());
    const auto terms = static_cast<cl_int>(shape_.terms());
    const auto stride = static_cast<cl_ulong>(device_stride_);
    if (!splits_terms_) {
      const std::size_t items = static_cast<std::size_t>(group_items(config_));
      launcher.run(gemv_, Range(items * groups()), Range(items), outputs, terms, stride, shape_.alpha,
                   shape_.beta, matrix_, x_, y_in_, y_);
      return;
    }
    const std::size_t items = geometry_.alone(shape_) ? 1 : static_cast<std::size_t>(group_items(config_));
    launcher.run(gemv_, Range(items * groups(), static_cast<std::size_t>(geometry_.chunks)), Range(items, 1),
                 outputs, terms, stride, shape_.alpha, shape_.beta, matrix_, x_, y_in_, y_, partial_,
                 static_cast<cl_int>(geometry_.chunk));
    if (!geometry_.partial(shape_)) return;
    const std::int64_t reduced = geometry_.lanes > 1 ? reduce_outputs : reduce_group;
    const auto reduce_groups = static_cast<std::size_t>(ceil_div(shape_.outputs(), reduced));
    launcher.run(reduce_, Range(reduce_groups * reduce_group), Range(reduce_group), outputs,
                 static_cast<cl_int>(geometry_.chunks), shape_.alpha, shape_.beta, partial_, y_in_, y_);
  }

  void download() override { workspace_.download(y_, result_); }
  [[nodiscard]] Check check() const override { return compare(*input_, result_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto elements = static_cast<double>(shape_.rows) * static_cast<double>(shape_.cols);
    const auto outputs = static_cast<double>(shape_.outputs());
    const auto terms = static_cast<double>(shape_.terms());
    const double y_bytes = 4 * outputs * (shape_.beta == 0 ? 1 : 2);
    const double y_operations = outputs * (shape_.beta == 0 ? 1 : 3);
    const Work total{"total", 4 * (elements + terms) + y_bytes, 2 * elements + y_operations, elements};
    if (!splits_terms_ || !geometry_.partial(shape_)) {
      Work gemv = total;
      gemv.kernel = "gemv";
      return {gemv, total};
    }
    const double partial = outputs * static_cast<double>(geometry_.chunks);
    return {{"gemv", 4 * (elements + terms + partial), 2 * elements, elements},
            {"reduce", 4 * partial + y_bytes, partial + y_operations, partial},
            total};
  }

  void dump(DumpSink& sink) const override {
    const auto rows = static_cast<std::size_t>(shape_.rows);
    const auto cols = static_cast<std::size_t>(shape_.cols);
    std::vector<float> dense(rows * cols);
    copy_rows(dense, shape_.cols);
    sink.array("matrix", std::span<const float>(dense), {rows, cols});
    sink.array("x", std::span<const float>(input_->x), {input_->x.size()});
    sink.array("y_in", std::span<const float>(input_->y_in), {input_->y_in.size()});
    sink.array("y", std::span<const float>(result_), {result_.size()});
  }

 private:
  void build(const Space& space) {
    const std::int64_t width = config_.integer("vector_width");
    const std::int64_t load = geometry_.lanes > 1 ? std::min<std::int64_t>(4, width) : width;
    const std::string options = to_build_options(space, config_) +
                                fmt::format(" -D TRANSPOSED={} -D ALIGNED={} -D ROW_LANES={} -D PARTIAL={}",
                                            shape_.transposed ? 1 : 0, device_stride_ % load == 0 ? 1 : 0,
                                            geometry_.lanes, geometry_.partial(shape_) ? 1 : 0);
    gemv_ = workspace_.kernel("sgemv/sgemv", options, "gemv", "gemv");
    if (geometry_.partial(shape_) && splits_terms_)
      reduce_ = workspace_.kernel("sgemv/sgemv", options, "reduce", "reduce");
  }

  void allocate() {
    // Past the end of A kernels may read (and drop) what a whole load takes: see the preconditions in
    // sgemv.cl.
    const std::int64_t slack = std::max<std::int64_t>(64, geometry_.lanes * config_.integer("vector_width"));
    const auto outputs = static_cast<std::size_t>(shape_.outputs());
    matrix_ = workspace_.allocate<float>(
        "matrix", static_cast<std::size_t>(shape_.rows * device_stride_ + slack), Role::input);
    x_ = workspace_.allocate<float>("x", static_cast<std::size_t>(shape_.terms()), Role::input);
    y_in_ = workspace_.allocate<float>("y_in", outputs, Role::input);
    y_ = workspace_.allocate<float>("y", outputs, Role::output);
    const bool partial = splits_terms_ && geometry_.partial(shape_);
    partial_ = workspace_.allocate<float>(
        "partial sums", partial ? outputs * static_cast<std::size_t>(geometry_.chunks) : 0, Role::scratch);
  }

  void copy_rows(std::vector<float>& to, std::int64_t stride) const {
    for (std::int64_t row = 0; row < shape_.rows; ++row) {
      std::copy_n(input_->matrix.begin() + row * shape_.row_stride, shape_.cols, to.begin() + row * stride);
    }
  }

  void upload_with_padding() {
    std::vector<float> padded(static_cast<std::size_t>(shape_.rows * device_stride_),
                              std::numeric_limits<float>::quiet_NaN());
    copy_rows(padded, device_stride_);
    workspace_.upload(padded, matrix_);
  }

  // Work-groups over the outputs.
  [[nodiscard]] std::size_t groups() const {
    if (splits_terms_) return static_cast<std::size_t>(geometry_.groups);
    const std::int64_t slots =
        shape_.transposed ? ceil_div(shape_.cols, config_.integer("vector_width")) : shape_.rows;
    const std::int64_t items =
        config_.string("variant") == "row_per_group" ? 1 : config_.integer("work_group");
    return static_cast<std::size_t>(ceil_div(slots, items * config_.integer("granularity")));
  }

  Workspace& workspace_;
  std::shared_ptr<const MatrixInput> input_;
  const Shape& shape_;
  Config config_;
  bool splits_terms_ = false;
  SplitGeometry geometry_;
  std::int64_t device_stride_ = 0;
  Kernel gemv_, reduce_;
  Buffer<float> matrix_, x_, y_in_, y_, partial_;
  std::vector<float> result_;
};

}  // namespace

bool stages_matrix(const std::string& variant) {
  return variant.starts_with("both_");
}

bool is_transposed(const Point& point) {
  return point.problem.integer("transposed") == 1;
}

std::int64_t group_items(const Config& config) {
  const std::string& variant = config.string("variant");
  const bool has_loaders = stages_vector(variant) && config.string("loader") == "split";
  const std::int64_t sets = variant.ends_with("_double") ? 2 : 1;
  return config.integer("work_group") + (has_loaders ? sets * config.integer("loaders") : 0);
}

std::uint64_t local_bytes(const Point& point) {
  const std::string& variant = point.variant();
  std::int64_t elements = 0;
  if (variant == "row_per_group") elements = point["work_group"] * outputs_per_slot(point);
  if (variant == "split_k") {
    const bool alone = point["lanes"] == 1 && is_transposed(point);
    const std::int64_t sums = is_transposed(point) ? point["vector_width"] : point["granularity"];
    elements = std::max(alone ? 0 : point["work_group"] * sums, reduce_group);
  }
  if (stages_vector(variant)) {
    const std::int64_t outputs = point["work_group"] * point["granularity"] * outputs_per_slot(point);
    const std::int64_t matrix_tile = outputs * (point["tile"] + (is_transposed(point) ? 0 : 1));
    // Without a staged matrix its tile is one element, rounded up to the tiles' alignment.
    elements = buffers(variant) * (point["tile"] + (stages_matrix(variant) ? matrix_tile : 1)) + 32;
  }
  return static_cast<std::uint64_t>(elements) * sizeof(float);
}

std::unique_ptr<Case> make_case(Workspace& workspace, std::shared_ptr<const MatrixInput> input,
                                const Space& space, const Config& config) {
  return std::make_unique<SgemvCase>(workspace, std::move(input), space, config);
}

}  // namespace dwarfsweep::sgemv
