// Rows of weights are divided among threads, each with sums of its own.
#include "dwarfs/backprop/backprop.hpp"

#include <algorithm>

#include "dwarfs/x86_levels.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::backprop {
namespace {

using Index = std::int64_t;

FOR_EACH_X86_LEVEL void add_rows(const float* weights, const float* values, Index rows, Index hidden,
                                 float* sums) {
  for (Index row = 0; row < rows; ++row) {
#pragma omp simd
    for (Index j = 0; j < hidden; ++j) sums[j] += values[row] * weights[row * hidden + j];
  }
}

FOR_EACH_X86_LEVEL void update_rows(float* weights, float* changes, const float* values, const float* errors,
                                    Index rows, Index hidden, float rate, float momentum) {
  for (Index row = 0; row < rows; ++row) {
#pragma omp simd
    for (Index j = 0; j < hidden; ++j) {
      const Index at = row * hidden + j;
      changes[at] = rate * errors[j] * values[row] + momentum * changes[at];
      weights[at] += changes[at];
    }
  }
}

class BackpropHostCase final : public HostCase {
 public:
  BackpropHostCase(std::shared_ptr<const BackpropInput> input, int threads)
      : input_(std::move(input)),
        network_(input_->network()),
        threads_(threads),
        stride_(round_up(network_.shape.hidden, Index{16})),
        values_{1},
        sums_(static_cast<std::size_t>(threads * stride_)),
        second_(network_) {
    values_.insert(values_.end(), network_.inputs.begin(), network_.inputs.end());
    reset();
  }

  void reset() override {
    weights_ = network_.weights_1;
    changes_ = network_.changes_1;
    changes_.resize(weights_.size());
    second_.reset();
  }

  void run() override {
    const Index hidden = network_.shape.hidden;
    std::fill(sums_.begin(), sums_.end(), 0.0F);
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index thread = 0; thread < threads_; ++thread) {
      const auto [begin, rows] = share_of(thread);
      add_rows(weights_.data() + begin * hidden, values_.data() + begin, rows, hidden,
               sums_.data() + thread * stride_);
    }
    second_.step(sums_, static_cast<std::size_t>(threads_), static_cast<std::size_t>(stride_));
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index thread = 0; thread < threads_; ++thread) {
      const auto [begin, rows] = share_of(thread);
      update_rows(weights_.data() + begin * hidden, changes_.data() + begin * hidden, values_.data() + begin,
                  second_.errors.data(), rows, hidden, network_.rate, network_.momentum);
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check({second_.hidden, second_.output, weights_, second_.weights});
  }

 private:
  struct Share {
    Index begin, rows;
  };
  [[nodiscard]] Share share_of(Index thread) const {
    const Index rows = network_.shape.rows();
    const Index share = ceil_div(rows, Index{threads_});
    const Index begin = std::min(rows, thread * share);
    return {begin, std::min(rows, begin + share) - begin};
  }

  std::shared_ptr<const BackpropInput> input_;
  const Network& network_;
  int threads_;
  Index stride_;               // of the threads' sums, so that none shares a cache line's vector
  std::vector<float> values_;  // 1, and the inputs
  std::vector<float> sums_;
  std::vector<float> weights_, changes_;
  SecondLayer second_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const BackpropInput> input, int threads) {
  return std::make_unique<BackpropHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::backprop
