#include "dwarfs/sgemv/matrix_case.hpp"

#include <algorithm>
#include <limits>

#include "dwarfs/sgemv/sgemv.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::sgemv {

MatrixCase::MatrixCase(const Setup& setup, std::int64_t lanes)
    : workspace_(setup.workspace),
      input_(setup.input<SgemvInput>()),
      shape_(input_->shape()),
      lanes_(lanes),
      stride_(device_stride(shape_, setup.config)) {
  // Past the end of A kernels may read a whole load, and ignore it: see the preconditions in sgemv.cl.
  const std::int64_t slack = std::max<std::int64_t>(64, lanes * setup.integer("vector_width"));
  const auto elements = static_cast<std::size_t>(shape_.rows * stride_ + slack);
  const auto outputs = static_cast<std::size_t>(shape_.outputs());
  matrix_ = workspace_.allocate<float>("matrix", elements, Role::input);
  x_ = workspace_.allocate<float>("x", static_cast<std::size_t>(shape_.terms()), Role::input);
  y_in_ = workspace_.allocate<float>("y_in", outputs, Role::input);
  y_ = workspace_.allocate<float>("y", outputs, Role::output);
}

void MatrixCase::upload() {
  const Operands& operands = input_->operands();
  if (stride_ == shape_.row_stride) {
    workspace_.upload(operands.matrix, matrix_);
  } else {
    std::vector<float> padded(static_cast<std::size_t>(shape_.rows * stride_),
                              std::numeric_limits<float>::quiet_NaN());
    copy_rows(padded, stride_);
    workspace_.upload(padded, matrix_);
  }
  workspace_.upload(operands.x, x_);
  // With beta = 0 no kernel may read y_in: NaN would show in the result.
  if (shape_.beta == 0) {
    workspace_.upload(std::vector<float>(y_in_.count, std::numeric_limits<float>::quiet_NaN()), y_in_);
  } else {
    workspace_.upload(operands.y_in, y_in_);
  }
}

void MatrixCase::dump(DumpSink& sink) const {
  const Operands& operands = input_->operands();
  const auto rows = static_cast<std::size_t>(shape_.rows);
  const auto cols = static_cast<std::size_t>(shape_.cols);
  std::vector<float> dense(rows * cols);
  copy_rows(dense, shape_.cols);
  sink.array("matrix", std::span<const float>(dense), {rows, cols});
  sink.array("x", std::span<const float>(operands.x), {operands.x.size()});
  sink.array("y_in", std::span<const float>(operands.y_in), {operands.y_in.size()});
  sink.array("y", std::span<const float>(result_), {result_.size()});
}

Macros MatrixCase::macros_of(const Setup& setup, bool partial) const {
  const std::int64_t width = setup.integer("vector_width");
  const std::int64_t load = lanes_ > 1 ? std::min<std::int64_t>(4, width) : width;
  return setup.macros()
      .define("TRANSPOSED", shape_.transposed ? 1 : 0)
      .define("ALIGNED", stride_ % load == 0 ? 1 : 0)
      .define("ROW_LANES", lanes_)
      .define("PARTIAL", partial ? 1 : 0);
}

Work MatrixCase::total_work() const {
  const auto elements = static_cast<double>(shape_.rows) * static_cast<double>(shape_.cols);
  const auto outputs = static_cast<double>(shape_.outputs());
  const auto terms = static_cast<double>(shape_.terms());
  const double y_bytes = 4 * outputs * (shape_.beta == 0 ? 1 : 2);
  const double y_operations = outputs * (shape_.beta == 0 ? 1 : 3);
  return {"total", 4 * (elements + terms) + y_bytes, 2 * elements + y_operations, elements};
}

void MatrixCase::copy_rows(std::vector<float>& to, std::int64_t stride) const {
  for (std::int64_t row = 0; row < shape_.rows; ++row) {
    std::copy_n(input_->operands().matrix.begin() + row * shape_.row_stride, shape_.cols,
                to.begin() + row * stride);
  }
}

// All variants but split_k: one kernel, whose groups have all terms of their outputs.

namespace {

class RowsCase final : public MatrixCase {
 public:
  explicit RowsCase(const Setup& setup)
      : MatrixCase(setup, 1),
        items_(static_cast<std::size_t>(group_items(setup.config))),
        groups_(static_cast<std::size_t>(groups_over_outputs(shape_, setup.config))),
        gemv_(gemv_kernel(setup)) {}

  void launch(Launcher& launcher) override {
    launcher.run(gemv_, items_ * groups_, items_, outputs(), terms(), stride(), shape_.alpha, shape_.beta,
                 matrix_, x_, y_in_, y_);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const Work total = total_work();
    Work gemv = total;
    gemv.kernel = "gemv";
    return {gemv, total};
  }

 private:
  Kernel gemv_kernel(const Setup& setup) {
    const MatrixTile tile = matrix_tile(setup.config, shape_.transposed);
    return setup.kernel("gemv", "gemv",
                        macros_of(setup, false)
                            .define("GROUP_ITEMS", group_items(setup.config))
                            .define("TILE_LINES", tile.lines)
                            .define("TILE_LINE", tile.line));
  }

  std::size_t items_, groups_;
  Kernel gemv_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (setup.string("variant") == "split_k") return make_split_case(setup);
  return std::make_unique<RowsCase>(setup);
}

}  // namespace dwarfsweep::sgemv
