// sgemv: y = alpha * op(A) * x + beta * y in single precision (dense linear algebra).
//
// A is row-major, m x n, rows lda apart; op(A) is A or, with transposed=1, its transpose. Work: each element
// of A is read once and takes a multiplication and an addition; x and (unless beta is 0) y are read once, y
// is written once. m and n are at least 1: of an empty product there is nothing to time. How results are
// checked stands in sgemv_reference.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <limits>

#include "dwarfs/sgemv_reference.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/matrix.hpp"

namespace dwarfsweep {
namespace {

using sgemv::MatrixInput;
using sgemv::Shape;

constexpr std::int64_t longest_edge = std::int64_t{1} << 30;  // two of them fit the kernels' ints
constexpr std::int64_t columns_alone = 4096;                  // COLUMNS_ALONE of sgemv.cl
constexpr std::int64_t reduce_group = 128;                    // REDUCE_GROUP of sgemv.cl
constexpr std::int64_t reduce_outputs = 32;  // REDUCE_OUTPUTS of sgemv.cl where lanes share a row

// --- geometry ---

bool stages_matrix(const std::string& variant) {
  return variant.starts_with("both_");
}
bool stages_vector(const std::string& variant) {
  return variant.starts_with("vec_") || stages_matrix(variant);
}
bool is_transposed(const Point& point) {
  return point.problem.integer("transposed") == 1;
}

std::int64_t outputs_per_slot(const Point& point) {
  return is_transposed(point) ? point["vector_width"] : 1;
}

std::int64_t buffers(const std::string& variant) {
  return variant.ends_with("_single") ? 1 : 2;
}

// Work-items of a group: those that compute, and the sets of loading lanes.
std::int64_t group_items(const Config& config) {
  const std::string& variant = config.word("variant");
  const bool has_loaders = stages_vector(variant) && config.word("loader") == "split";
  const std::int64_t sets = variant.ends_with("_double") ? 2 : 1;
  return config.integer("work_group") + (has_loaders ? sets * config.integer("loaders") : 0);
}

// As the kernels declare it.
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
  if (!device.limits.local_is_dedicated) return 1;
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
  const std::int64_t units = device.compute_units;
  std::int64_t wanted_groups = 2 * units;
  std::int64_t least = 1024;
  if (shape.transposed) {
    wanted_groups = 4 * units;
    least = geometry.lanes == 1 ? 64 : 4 * slices;
  } else if (geometry.groups >= (device.limits.local_is_dedicated ? divided_up(units, 2) : units)) {
    return shape.terms();
  }
  return std::max(least, divided_up(shape.terms(), divided_up(wanted_groups, geometry.groups)));
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
  geometry.groups = divided_up(shape.outputs(), outputs_per_group);
  const std::int64_t splits = config.integer("splits");
  const std::int64_t chunk =
      splits > 0 ? divided_up(shape.terms(), splits) : automatic_chunk(shape, geometry, slices, device);
  geometry.chunk = rounded_up(std::min(chunk, shape.terms()), unit);
  geometry.chunks = divided_up(shape.terms(), geometry.chunk);
  return geometry;
}

// --- on the device ---

class SgemvCase final : public Case {
 public:
  SgemvCase(Workspace& workspace, std::shared_ptr<const MatrixInput> input, const Space& space,
            const Config& config)
      : workspace_(workspace), input_(std::move(input)), shape_(input_->shape), config_(config) {
    splits_terms_ = config.word("variant") == "split_k";
    if (splits_terms_) geometry_ = split_geometry(shape_, config, workspace.device());
    const std::int64_t padding = config.integer("padding");
    device_stride_ = padding > 0 ? rounded_up(shape_.row_stride, padding) : shape_.row_stride;
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
    const auto reduce_groups = static_cast<std::size_t>(divided_up(shape_.outputs(), reduced));
    launcher.run(reduce_, Range(reduce_groups * reduce_group), Range(reduce_group), outputs,
                 static_cast<cl_int>(geometry_.chunks), shape_.alpha, shape_.beta, partial_, y_in_, y_);
  }

  void download() override { workspace_.download(y_, result_); }
  [[nodiscard]] Check check() const override { return sgemv::compare(*input_, result_); }

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
    gemv_ = workspace_.kernel("sgemv", options, "gemv", "gemv");
    if (geometry_.partial(shape_) && splits_terms_)
      reduce_ = workspace_.kernel("sgemv", options, "reduce", "reduce");
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
        shape_.transposed ? divided_up(shape_.cols, config_.integer("vector_width")) : shape_.rows;
    const std::int64_t items = config_.word("variant") == "row_per_group" ? 1 : config_.integer("work_group");
    return static_cast<std::size_t>(divided_up(slots, items * config_.integer("granularity")));
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

// --- the dwarf ---

const std::vector<std::string> staged = {"vec_single",  "vec_double",  "vec_manual",
                                         "both_single", "both_double", "both_manual"};

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "how rows, terms and loads are spread over work-items",
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
             "rows on the device begin at multiples of so many elements (0: as in lda)",
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
             {"split_k"}});
  for (const std::string& variant : staged) {
    // A staged matrix needs as many rows of it as there are computing lanes.
    if (stages_matrix(variant)) {
      space.start(variant, {{"work_group", 64}, {"tile", 32}});
    } else {
      space.start(variant, {{"tile", 128}});
    }
  }
  space.start("row_per_group", {{"work_group", 64}})
      .start("row_per_group", {{"work_group", 128}, {"vector_width", 4}, {"unroll", 4}}, has_dedicated_local)
      .start("split_k",
             {{"work_group", 128}, {"granularity", 4}, {"vector_width", 16}, {"unroll", 2}, {"padding", 16}})
      .start("split_k", {{"granularity", 1}, {"vector_width", 4}, {"unroll", 1}}, has_dedicated_local);
  space
      .constrain("loading lanes are counted only where there are any: loaders needs loader=split",
                 [](const Point& p) { return p.config.word("loader") == "split" || p["loaders"] == 32; })
      .constrain("the lanes of a row must be part of one work-group",
                 [](const Point& p) { return p["lanes"] <= p["work_group"]; })
      .constrain("a transposed row's lane that works alone is a group of its own, so work_group must be 1",
                 [](const Point& p) { return !is_transposed(p) || p["lanes"] != 1 || p["work_group"] == 1; })
      .group_items([](const Point& p) {
        const std::int64_t reduces = p.variant() == "split_k" ? reduce_group : 1;
        return static_cast<std::uint64_t>(std::max(group_items(p.config), reduces));
      })
      .local_bytes(local_bytes);
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "sgemv";
  info.title = "matrix-vector product in single precision";
  info.pattern = "dense linear algebra";
  info.kernels = {"gemv", "reduce"};
  info.item = "matrix elements";
  const auto most = static_cast<double>(longest_edge);
  info.keys = {{"m", "rows of the matrix", 4096, 1, most},
               {"n", "columns of the matrix", 4096, 1, most},
               {"lda", "elements from one row to the next, 0: n", 0, 0, 2 * most},
               {"alpha", "factor of the product", 1.0, -FLT_MAX, FLT_MAX},
               {"beta", "factor of the y that is added", 0.0, -FLT_MAX, FLT_MAX},
               {"transposed", "1: the matrix is transposed, and y has n elements", 0, 0, 1}};
  // Matrices of 36 KiB, 1 MiB, 16 MiB and 256 MiB. The paper plots square matrices without naming sizes; its
  // matrix is column-major, which a row-major matrix is when transposed.
  info.sizes = {{"tiny", {{"m", 96}, {"n", 96}}},
                {"small", {{"m", 512}, {"n", 512}}},
                {"medium", {{"m", 2048}, {"n", 2048}}},
                {"large", {{"m", 8192}, {"n", 8192}}},
                {"paper", {{"m", 4096}, {"n", 4096}, {"transposed", 1}}}};
  info.input_formats = "one matrix: Matrix Market array, or .dat (n, then n x n numbers row by row)";
  return info;
}

class Sgemv final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    auto input = std::make_shared<MatrixInput>(sgemv::shape_of(problem));
    input->fill_matrix(seed);
    input->fill_vectors(seed);
    return input;
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    require_files("sgemv", info_.input_formats, files, 1);
    const Matrix matrix = read_matrix(files.front());
    ValueMap values = with_found("sgemv", request, "m", matrix.rows, files.front());
    values = with_found("sgemv", values, "n", matrix.cols, files.front());
    Problem problem = make_problem("sgemv", info_.keys, {"file", values});
    auto input = std::make_shared<MatrixInput>(sgemv::shape_of(problem));
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
      std::copy_n(matrix.values.begin() + row * matrix.cols, matrix.cols,
                  input->matrix.begin() + row * input->shape.row_stride);
    }
    input->fill_vectors(1);
    return {std::move(problem), std::move(input)};
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    return std::make_unique<SgemvCase>(workspace, std::static_pointer_cast<const MatrixInput>(loaded.input),
                                       space_, config);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return sgemv::make_host_case(std::static_pointer_cast<const MatrixInput>(loaded.input), threads);
  }

  // The paper's loaders are lanes (warps) of the group.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap problem{{"m", 4096}, {"n", 4096}, {"transposed", 1}};
    std::vector<PaperSetting> settings;
    for (const std::string& variant : staged) {
      settings.push_back({"cudadma_2011 Figure 10", problem, {{"variant", variant}, {"loader", "split"}}});
    }
    return settings;
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

}  // namespace

const Dwarf& sgemv_dwarf() {
  static const Sgemv dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
