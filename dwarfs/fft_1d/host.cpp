// Passes of radix 4, and one of radix 2 where log n is odd, from array to array. In pass p blocks of 4^p
// numbers with the same root lie side by side, so that all but the first passes compute in vectors (P. N.
// Swarztrauber, "FFT algorithms for vector computers", Parallel Computing 1, 1984).
#include "dwarfs/fft_1d/fft_1d.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::fft_1d {
namespace {

using Index = std::int64_t;

struct Parts {
  float re, im;
};

// count butterflies with the same roots w, w^2, w^3; the inputs are `apart` numbers apart.
FOR_EACH_X86_LEVEL void butterflies_of_4(const Parts* from, Index apart, Parts* to, Index count,
                                         const Parts* w, float sign) {
  const Parts w1 = w[0];
  const Parts w2 = w[1];
  const Parts w3 = w[2];
  const auto turned = [](Parts a, Parts b) {
    return Parts{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  };
#pragma omp simd
  for (Index q = 0; q < count; ++q) {
    const Parts a = from[q];
    const Parts b = from[q + apart];
    const Parts c = from[q + 2 * apart];
    const Parts d = from[q + 3 * apart];
    const Parts sum_ac = {a.re + c.re, a.im + c.im};
    const Parts dif_ac = {a.re - c.re, a.im - c.im};
    const Parts sum_bd = {b.re + d.re, b.im + d.im};
    const Parts dif_bd = {sign * (b.im - d.im), sign * (d.re - b.re)};  // times -i, or i for the inverse
    to[q] = {sum_ac.re + sum_bd.re, sum_ac.im + sum_bd.im};
    to[q + count] = turned({dif_ac.re + dif_bd.re, dif_ac.im + dif_bd.im}, w1);
    to[q + 2 * count] = turned({sum_ac.re - sum_bd.re, sum_ac.im - sum_bd.im}, w2);
    to[q + 3 * count] = turned({dif_ac.re - dif_bd.re, dif_ac.im - dif_bd.im}, w3);
  }
}

class TransformHostCase final : public HostCase {
 public:
  TransformHostCase(std::shared_ptr<const Signal> input, int threads)
      : input_(std::move(input)),
        shape_(input_->shape()),
        threads_(threads),
        spectrum_(input_->values().size()),
        between_(input_->values().size()),
        roots_(static_cast<std::size_t>(shape_.n())) {
    const double turn = (shape_.inverse ? 2 : -2) * std::numbers::pi / static_cast<double>(shape_.n());
#pragma omp parallel for
    for (Index i = 0; i < shape_.n(); ++i) {
      const double angle = turn * static_cast<double>(i);
      roots_[i] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    }
  }

  // Many transforms are shared out whole; the passes of a few are shared out.
  void run() override {
    if (shape_.batch >= threads_) {
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (Index b = 0; b < shape_.batch; ++b) transform(b, 1);
    } else {
      for (Index b = 0; b < shape_.batch; ++b) transform(b, threads_);
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check(spectrum_);
  }

 private:
  void transform(Index b, int threads) {
    const auto* from = reinterpret_cast<const Parts*>(input_->values().data()) + b * shape_.n();
    Parts* arrays[] = {reinterpret_cast<Parts*>(spectrum_.data()) + b * shape_.n(),
                       reinterpret_cast<Parts*>(between_.data()) + b * shape_.n()};
    int left = (shape_.log_n + 1) / 2;
    Index length = shape_.n();  // of the transforms that are left
    Index count = 1;
    if (shape_.log_n % 2 == 1) {
      --left;
      pass_of_2(from, arrays[left % 2], threads);
      from = arrays[left % 2];
      length /= 2;
      count = 2;
    }
    for (; length > 1; length /= 4, count *= 4) {
      --left;
      pass_of_4(from, arrays[left % 2], length / 4, count, threads);
      from = arrays[left % 2];
    }
    if (shape_.inverse) scale(arrays[0], threads);
  }

  // Input p of p + m quarter; after it the numbers of a transform that is left are `count` apart.
  void pass_of_4(const Parts* from, Parts* to, Index quarter, Index count, int threads) const {
    const Index apart = quarter * count;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (Index p = 0; p < quarter; ++p) {
      const Index at = p * count;
      const Parts w[] = {roots_[at], roots_[2 * at], roots_[3 * at]};
      butterflies_of_4(from + at, apart, to + 4 * at, count, w, shape_.inverse ? -1.0F : 1.0F);
    }
  }
  void pass_of_2(const Parts* from, Parts* to, int threads) const {
    const Index half = shape_.n() / 2;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (Index p = 0; p < half; ++p) {
      const Parts a = from[p];
      const Parts b = from[p + half];
      const Parts difference = {a.re - b.re, a.im - b.im};
      const Parts w = roots_[p];
      to[2 * p] = {a.re + b.re, a.im + b.im};
      to[2 * p + 1] = {difference.re * w.re - difference.im * w.im,
                       difference.re * w.im + difference.im * w.re};
    }
  }
  void scale(Parts* numbers, int threads) const {
    const float factor = 1 / static_cast<float>(shape_.n());
#pragma omp parallel for simd num_threads(threads) schedule(static) if (threads > 1)
    for (Index i = 0; i < shape_.n(); ++i) numbers[i] = {numbers[i].re * factor, numbers[i].im * factor};
  }

  std::shared_ptr<const Signal> input_;
  const Shape& shape_;
  int threads_;
  std::vector<float> spectrum_, between_;
  std::vector<Parts> roots_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const Signal> input, int threads) {
  return std::make_unique<TransformHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::fft_1d
