#include "dwarfs/lud/cases.hpp"

#include <algorithm>

#include "dwarfs/lud/space.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::lud {

Work total_work(std::size_t order, const std::string& kernel) {
  const auto n = static_cast<double>(order);
  return {kernel, 2 * sizeof(float) * n * n, n * (n - 1) * (4 * n + 1) / 6, n * n};
}

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

}  // namespace dwarfsweep::lud
