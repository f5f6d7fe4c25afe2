// One pass over memory per step; a thread has blocks of rows, so that the nine planes that a row needs are in
// its cache.
#include "dwarfs/stencil_3d/stencil_3d.hpp"

#include <algorithm>

#include "dwarfs/x86_levels.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::stencil_3d {
namespace {

using Index = std::int64_t;

struct Strides {
  Index row, plane;
};

FOR_EACH_X86_LEVEL void update_row(const float* from, float* to, Index count, const Strides& strides,
                                   const Coefficients& coefficients) {
  const Coefficients c = coefficients;
  const Index row = strides.row;
  const Index plane = strides.plane;
#pragma omp simd
  for (Index i = 0; i < count; ++i) {
    const float* u = from + i;
    const auto around = [=](Index k) {
      return ((u[-k] + u[k]) + (u[-k * row] + u[k * row])) + (u[-k * plane] + u[k * plane]);
    };
    to[i] = c[0] * u[0] + c[1] * around(1) + c[2] * around(2) + c[3] * around(3) + c[4] * around(4);
  }
}

class StencilHostCase final : public HostCase {
 public:
  StencilHostCase(std::shared_ptr<const StencilInput> input, int threads)
      : input_(std::move(input)), grid_(input_->grid()), threads_(threads) {}

  void reset() override {
    for (int i = 0; i < std::min(grid_.steps, 2); ++i) results_[i] = input_->values();
  }

  void run() override {
    for (int step = 0; step < grid_.steps; ++step) {
      make_step((step == 0 ? input_->values() : results_[(step - 1) % 2]).data(), results_[step % 2].data());
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check(results_[(grid_.steps - 1) % 2], Layout(grid_, false));
  }

 private:
  void make_step(const float* from, float* to) const {
    constexpr Index block_rows = 16;
    constexpr Index block_planes = 32;
    const Strides strides = {grid_.nx, grid_.nx * grid_.ny};
    const Index blocks_y = ceil_div(grid_.ny - 2 * radius, block_rows);
    const Index blocks_z = ceil_div(grid_.nz - 2 * radius, block_planes);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index block = 0; block < blocks_y * blocks_z; ++block) {
      const Index y_begin = radius + block % blocks_y * block_rows;
      const Index z_begin = radius + block / blocks_y * block_planes;
      const Index y_end = std::min(y_begin + block_rows, grid_.ny - radius);
      const Index z_end = std::min(z_begin + block_planes, grid_.nz - radius);
      for (Index z = z_begin; z < z_end; ++z) {
        for (Index y = y_begin; y < y_end; ++y) {
          const Index begin = z * strides.plane + y * strides.row + radius;
          update_row(from + begin, to + begin, grid_.nx - 2 * radius, strides, input_->coefficients());
        }
      }
    }
  }

  std::shared_ptr<const StencilInput> input_;
  const Grid& grid_;
  int threads_;
  std::vector<float> results_[2];
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const StencilInput> input, int threads) {
  return std::make_unique<StencilHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::stencil_3d
