#include "dwarfs/staging/staging.hpp"

#include <algorithm>

#include "dwarfs/x86_levels.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::staging {
namespace {

constexpr std::size_t lanes = 128;  // sums side by side, as many as hide the latency of a multiply-add

FOR_EACH_X86_LEVEL void add_line(const float* x, std::size_t count, int steps, float one, float* sums) {
  float values[lanes];
  std::copy_n(x, count, values);
  for (int step = 0; step < steps; ++step) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) values[i] = values[i] * one + x[i];
  }
  for (std::size_t i = 0; i < count; ++i) sums[i] += values[i];
}

class StagingHostCase final : public HostCase {
 public:
  StagingHostCase(std::shared_ptr<const StagingInput> input, int threads)
      : input_(std::move(input)),
        threads_(static_cast<std::size_t>(threads)),
        sums_(input_->multiply_adds.size() * threads_ * lanes) {}

  void run() override {
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    const std::size_t lines = ceil_div(input_->data.size(), lanes);
    const std::size_t share = ceil_div(lines, threads_);
    for (std::size_t m = 0; m < input_->multiply_adds.size(); ++m) {
#pragma omp parallel for num_threads(static_cast <int>(threads_)) schedule(static)
      for (std::size_t thread = 0; thread < threads_; ++thread) {
        float* const sums = sums_.data() + (m * threads_ + thread) * lanes;
        for (std::size_t line = thread * share; line < std::min(lines, (thread + 1) * share); ++line) {
          const std::size_t begin = line * lanes;
          add_line(input_->data.data() + begin, std::min(lanes, input_->data.size() - begin),
                   input_->multiply_adds[m], one_, sums);
        }
      }
    }
  }

  [[nodiscard]] Check check() const override {
    const std::size_t share = ceil_div(ceil_div(input_->data.size(), lanes), threads_);
    std::vector<Sum> wanted(threads_ * lanes);
    for (std::size_t i = 0; i < input_->data.size(); ++i) {
      Sum& sum = wanted[i / lanes / share * lanes + i % lanes];
      sum.value += input_->data[i];
      sum.magnitude += std::abs(input_->data[i]);
      ++sum.terms;
    }
    return check_elements("sums", std::span<const float>(sums_), [&](std::size_t i) {
      return expected_sum(wanted[i % wanted.size()], input_->multiply_adds[i / wanted.size()]);
    });
  }

 private:
  std::shared_ptr<const StagingInput> input_;
  std::size_t threads_;
  std::vector<float> sums_;  // [multiply-adds][thread][lane]
  float one_ = 1;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const StagingInput> input, int threads) {
  return std::make_unique<StagingHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::staging
