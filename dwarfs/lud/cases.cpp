// The cases of lud on a device: what the variants share, and each variant.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/lud/input.hpp"
#include "dwarfs/lud/lud.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::lud {

/// The padded matrix, its transfers, its check.
class LudCase : public Case {
 public:
  /// The order is padded to a multiple of `multiple`; rows are `stride_beyond_order` floats longer than that.
  LudCase(const Setup& setup, std::size_t multiple, std::size_t stride_beyond_order);

  void upload() override;
  void reset() override { workspace_.copy(original_, matrix_); }
  void launch(Launcher& launcher) final {
    launcher.batch([&] { enqueue(launcher); });
  }
  void download() override { workspace_.download(matrix_, factors_); }
  [[nodiscard]] Check check() const override;
  void dump(DumpSink& sink) const override;

 protected:
  /// All launches, among which the host reads nothing.
  virtual void enqueue(Launcher& launcher) = 0;
  static Kernel kernel(const Setup& setup, const std::string& function, const std::string& name,
                       bool groups_wait = false);
  [[nodiscard]] std::size_t order() const { return order_; }
  [[nodiscard]] std::size_t padded() const { return padded_; }
  [[nodiscard]] cl_int stride() const { return static_cast<cl_int>(stride_); }
  [[nodiscard]] const Buffer<float>& matrix() const { return matrix_; }

 private:
  Workspace& workspace_;
  std::shared_ptr<const LudInput> input_;
  std::size_t order_;
  std::size_t padded_;
  std::size_t stride_;
  Buffer<float> original_;
  Buffer<float> matrix_;
  std::vector<float> factors_;
};

Work total_work(std::size_t order, const std::string& kernel) {
  const auto n = static_cast<double>(order);
  return {kernel, 2 * sizeof(float) * n * n, n * (n - 1) * (4 * n + 1) / 6, n * n};
}

// The work of the kernels diagonal, perimeter and internal, summed over steps of `step` columns, and in
// total; for the true order.
std::vector<Work> work_of_steps(std::size_t order, std::size_t step) {
  Work diagonal{"diagonal"};
  Work perimeter{"perimeter"};
  Work internal{"internal"};
  constexpr double element = sizeof(float);
  for (std::size_t begin = 0; begin < order; begin += step) {
    const auto width = static_cast<double>(std::min(step, order - begin));
    const double rest = static_cast<double>(order - begin) - width;
    diagonal.items += width * width;
    diagonal.bytes += 2 * element * width * width;
    diagonal.operations += width * (width - 1) * (4 * width + 1) / 6;
    perimeter.items += 2 * width * rest;
    perimeter.bytes += rest > 0 ? element * (4 * width * rest + width * width) : 0;
    perimeter.operations += rest * width * (2 * width - 1);
    internal.items += rest * rest;
    internal.bytes += element * (2 * rest * rest + 2 * width * rest);
    internal.operations += 2 * width * rest * rest;
  }
  return {diagonal, perimeter, internal, total_work(order, "total")};
}

LudCase::LudCase(const Setup& setup, std::size_t multiple, std::size_t stride_beyond_order)
    : workspace_(setup.workspace),
      input_(setup.input<LudInput>()),
      order_(input_->order()),
      padded_(round_up(order_, multiple)),
      stride_(padded_ + stride_beyond_order),
      original_(workspace_.allocate<float>("original", padded_ * stride_, Role::input)),
      matrix_(workspace_.allocate<float>("matrix", padded_ * stride_, Role::output)) {}

// The padding is a part of the identity matrix.
void LudCase::upload() {
  const std::vector<float>& values = input_->values();
  std::vector<float> padded(padded_ * stride_);
  for (std::size_t row = 0; row < order_; ++row) {
    std::copy_n(values.data() + row * order_, order_, padded.data() + row * stride_);
  }
  for (std::size_t i = order_; i < padded_; ++i) padded[i * stride_ + i] = 1;
  workspace_.upload(padded, original_);
}

Check LudCase::check() const {
  return input_->verification().check(factors_.data(), stride_);
}

void LudCase::dump(DumpSink& sink) const {
  std::vector<float> factors(order_ * order_);
  for (std::size_t row = 0; row < order_; ++row) {
    std::copy_n(factors_.data() + row * stride_, order_, factors.data() + row * order_);
  }
  sink.array("matrix", std::span<const float>(input_->values()), {order_, order_});
  sink.array("lu", std::span<const float>(factors), {order_, order_});
}

Kernel LudCase::kernel(const Setup& setup, const std::string& function, const std::string& name,
                       bool groups_wait) {
  const bool block_local = BlockedShape(setup.config).block_local(setup.device().capabilities);
  return setup.kernel(
      function, name,
      setup.macros().define("BLOCK_LOCAL", block_local ? 1 : 0).allow_inter_group_sync(groups_wait));
}

// The variant tiled of lud: the host side of kernels_cl/lud/tiled.cl.

namespace {

class TiledCase final : public LudCase {
 public:
  explicit TiledCase(const Setup& setup)
      : LudCase(setup, setup.size("work_group"), 0),
        shape_(setup.config),
        diagonal_(kernel(setup, "tiled_diagonal", "diagonal")),
        perimeter_(kernel(setup, "tiled_perimeter", "perimeter")),
        internal_(kernel(setup, "tiled_internal", "internal")) {}

  void enqueue(Launcher& launcher) override {
    const auto tile = static_cast<std::size_t>(shape_.tile);
    const auto perimeter_items = static_cast<std::size_t>(shape_.perimeter_items());
    const Range inner(static_cast<std::size_t>(shape_.tile / shape_.coarse_x()),
                      static_cast<std::size_t>(shape_.tile / shape_.coarse_y()));
    for (std::size_t offset = 0; offset < padded(); offset += tile) {
      const std::size_t tiles = (padded() - offset) / tile - 1;
      const auto begin = static_cast<cl_int>(offset);
      launcher.run(diagonal_, tile, tile, matrix(), stride(), begin);
      launcher.run(perimeter_, tiles * perimeter_items, perimeter_items, matrix(), stride(), begin);
      launcher.run(internal_, Range(tiles * inner.sizes[0], tiles * inner.sizes[1]), inner, matrix(),
                   stride(), begin);
    }
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return work_of_steps(order(), static_cast<std::size_t>(shape_.tile));
  }

 private:
  TiledShape shape_;
  Kernel diagonal_;
  Kernel perimeter_;
  Kernel internal_;
};

}  // namespace

// The variant blocked of lud: the host side of kernels_cl/lud/blocked.cl.

namespace {

class BlockedCase final : public LudCase {
 public:
  // Rows begin at an odd multiple of 64 bytes: at a power of two a column would sit in one set of a cache.
  explicit BlockedCase(const Setup& setup)
      : LudCase(setup, setup.size("panel"), 16),
        shape_(setup.config),
        diagonal_(kernel(setup, "blocked_diagonal", "diagonal")),
        perimeter_(kernel(setup, "blocked_perimeter", "perimeter")),
        internal_(kernel(setup, "blocked_internal", "internal")),
        factors_(setup.workspace.allocate<float>("factors", 2 * panel() * panel(), Role::scratch)),
        right_panel_(setup.workspace.allocate<float>("right panel", panel() * padded(), Role::scratch)),
        below_panel_(setup.workspace.allocate<float>("below panel", panel() * padded(), Role::scratch)) {}

  void enqueue(Launcher& launcher) override {
    const auto items = static_cast<std::size_t>(shape_.items());
    const auto solve_items = static_cast<std::size_t>(shape_.solve_items());
    launcher.run(diagonal_, items, items, matrix(), factors_, stride());
    for (std::size_t offset = 0; offset + panel() < padded(); offset += panel()) {
      const std::size_t rest = padded() - offset - panel();
      const auto begin = static_cast<cl_int>(offset);
      const auto order_of_rest = static_cast<cl_int>(rest);
      const std::size_t solvers = 2 * rest / static_cast<std::size_t>(shape_.lanes()) * solve_items;
      launcher.run(perimeter_, solvers, solve_items, matrix(), factors_, right_panel_, below_panel_, stride(),
                   begin, order_of_rest);
      const std::size_t groups = 1 + stacks(rest) - stacks(panel());
      launcher.run(internal_, groups * items, items, matrix(), factors_, right_panel_, below_panel_, stride(),
                   begin, order_of_rest);
    }
  }
  [[nodiscard]] std::vector<Work> work() const override { return work_of_steps(order(), panel()); }

 private:
  [[nodiscard]] std::size_t panel() const { return static_cast<std::size_t>(shape_.panel); }
  /// Stacks of tiles in a square of that order.
  [[nodiscard]] std::size_t stacks(std::size_t square) const {
    return square / static_cast<std::size_t>(shape_.group_x()) *
           (square / static_cast<std::size_t>(shape_.group_y() * shape_.granularity));
  }

  BlockedShape shape_;
  Kernel diagonal_;
  Kernel perimeter_;
  Kernel internal_;
  Buffer<float> factors_;
  Buffer<float> right_panel_;
  Buffer<float> below_panel_;
};

}  // namespace

// The variant dataflow of lud: the host side of kernels_cl/lud/dataflow.cl.

namespace {

// All tiles in one launch. Where groups must not wait, and on CPUs, where one that waits keeps a core from
// work, two for each square that is left over, of the tile on its diagonal and of the others in its first row
// and column.
class DataflowCase final : public LudCase {
 public:
  explicit DataflowCase(const Setup& setup)
      : LudCase(setup, setup.size("panel"), 16),
        items_(static_cast<std::size_t>(DataflowShape(setup.config).items())),
        tiles_(padded() / setup.size("panel")),
        one_launch_(setup.device().type == "gpu" && setup.device().groups_may_wait()),
        kernel_(kernel(setup, "factor_tiles", "tiles", one_launch_)),
        done_(setup.workspace.allocate<cl_uint>("chunks done of each tile", tiles_ * tiles_, Role::scratch)),
        next_group_id_(setup.workspace.allocate<cl_uint>("next group id", 1, Role::scratch)) {}

  void enqueue(Launcher& launcher) override {
    launcher.fill<cl_uint>(done_, 0);
    launcher.fill<cl_uint>(next_group_id_, 0);
    if (one_launch_) return launch_groups(launcher, tiles_ * tiles_);
    for (std::size_t left = tiles_; left > 0; --left) {
      launch_groups(launcher, 1);
      launch_groups(launcher, 2 * (left - 1));
    }
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return {total_work(order(), "tiles"), total_work(order(), "total")};
  }

 private:
  void launch_groups(Launcher& launcher, std::size_t groups) {
    launcher.run(kernel_, groups * items_, items_, matrix(), done_, next_group_id_, stride(),
                 static_cast<cl_int>(tiles_));
  }

  std::size_t items_;
  std::size_t tiles_;
  bool one_launch_;
  Kernel kernel_;
  Buffer<cl_uint> done_;
  Buffer<cl_uint> next_group_id_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  const std::string& variant = setup.string("variant");
  if (variant == "tiled") return std::make_unique<TiledCase>(setup);
  if (variant == "blocked") return std::make_unique<BlockedCase>(setup);
  return std::make_unique<DataflowCase>(setup);
}

}  // namespace dwarfsweep::lud
