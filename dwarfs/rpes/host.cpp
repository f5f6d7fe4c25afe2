// Pairs of functions first, then rows of pairs by pairs, with neighbouring integrals of a row in vectors.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "dwarfs/rpes/rpes.hpp"
#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::rpes {
namespace {

constexpr double near_end = 16;
constexpr std::size_t degree = 16;
constexpr std::size_t block = 64;  // integrals of a row at a time

// Interpolates F0 on 0 .. 16 at Chebyshev's points; coefficients of the powers of x / 8 - 1.
std::array<float, degree + 1> boys_polynomial() {
  constexpr std::size_t points = degree + 1;
  std::array<double, points> chebyshev{};
  for (std::size_t k = 0; k < points; ++k) {
    const double angle = std::numbers::pi * (static_cast<double>(k) + 0.5) / points;
    const double x = near_end / 2 * (1 + std::cos(angle));
    const double value = std::sqrt(std::numbers::pi / x) / 2 * std::erf(std::sqrt(x));
    for (std::size_t j = 0; j < points; ++j)
      chebyshev[j] += (j == 0 ? 1 : 2) * value * std::cos(static_cast<double>(j) * angle) / points;
  }
  // T_(j+1) = 2 t T_j - T_(j-1).
  std::array<double, points> before{}, now{}, sum{};
  before[0] = 1;
  now[1] = 1;
  sum[0] = chebyshev[0];
  for (std::size_t j = 1; j < points; ++j) {
    for (std::size_t i = 0; i < points; ++i) sum[i] += chebyshev[j] * now[i];
    std::array<double, points> next{};
    for (std::size_t i = 0; i < points; ++i) next[i] = (i > 0 ? 2 * now[i - 1] : 0) - before[i];
    before = now;
    now = next;
  }
  std::array<float, points> result{};
  std::copy(sum.begin(), sum.end(), result.begin());
  return result;
}

struct Ket {
  const float *x, *y, *z, *k;
};

struct Bra {
  float x, y, z, k, alpha;
};

FOR_EACH_X86_LEVEL void add_terms(const Bra& bra, const Ket& ket,
                                  const std::array<float, degree + 1>& polynomial, float* sums) {
  const std::array<float, degree + 1> c = polynomial;
  const Bra b = bra;
#pragma omp simd
  for (std::size_t i = 0; i < block; ++i) {
    const float dx = b.x - ket.x[i];
    const float dy = b.y - ket.y[i];
    const float dz = b.z - ket.z[i];
    const float x = b.alpha * (dx * dx + dy * dy + dz * dz);
    const float near = x < 16 ? x : 16;
    const float t = near * 0.125F - 1;
    float sum = c[16];
    sum = sum * t + c[15];
    sum = sum * t + c[14];
    sum = sum * t + c[13];
    sum = sum * t + c[12];
    sum = sum * t + c[11];
    sum = sum * t + c[10];
    sum = sum * t + c[9];
    sum = sum * t + c[8];
    sum = sum * t + c[7];
    sum = sum * t + c[6];
    sum = sum * t + c[5];
    sum = sum * t + c[4];
    sum = sum * t + c[3];
    sum = sum * t + c[2];
    sum = sum * t + c[1];
    sum = sum * t + c[0];
    // 1 / sqrt by an estimate from the word's exponent with three Newton steps, which vectorise as std::sqrt
    // does not.
    const float beyond = x > 16 ? x : 16;
    const float half = 0.5F * beyond;
    float root = std::bit_cast<float>(0x5f375a86U - (std::bit_cast<std::uint32_t>(beyond) >> 1U));
    root *= 1.5F - half * root * root;
    root *= 1.5F - half * root * root;
    root += root * (0.5F - half * root * root);
    sums[i] += b.k * ket.k[i] * (x < 16 ? sum : 0.886226925F * root);
  }
}

class RpesHostCase final : public HostCase {
 public:
  RpesHostCase(std::shared_ptr<const RpesInput> input, int threads)
      : input_(std::move(input)), threads_(threads), polynomial_(boys_polynomial()) {
    const std::size_t primitives = input_->exponents().size();
    pitch_ = (input_->quartets().pairs() + block - 1) / block * block;
    for (std::vector<float>& field : fields_) field.resize(primitives * primitives * pitch_);
    integrals_.resize(input_->quartets().count());
  }

  void run() override {
    const std::size_t rows = input_->quartets().pairs();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t pair = 0; pair < rows; ++pair) make_pair(pair);
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 4)
    for (std::size_t row = 0; row < rows; ++row) multiply_row(row);
  }

  [[nodiscard]] Check check() const override {
    Method method;
    method.boys = 16 * 0x1p-24;
    return input_->check(integrals_, method);
  }

 private:
  void make_pair(std::size_t pair) {
    const std::vector<float>& a = input_->exponents();
    const auto& [i, j] = input_->quartets().atoms_of()[pair];
    const float* ri = input_->centres().data() + 3 * static_cast<std::size_t>(i);
    const float* rj = input_->centres().data() + 3 * static_cast<std::size_t>(j);
    float square = 0;
    for (int axis = 0; axis < 3; ++axis) square += (ri[axis] - rj[axis]) * (ri[axis] - rj[axis]);
    for (std::size_t b = 0; b < a.size() * a.size(); ++b) {
      const float s = a[b / a.size()];
      const float t = a[b % a.size()];
      const std::size_t at = b * pitch_ + pair;
      for (std::size_t axis = 0; axis < 3; ++axis)
        fields_[axis][at] = (s * ri[axis] + t * rj[axis]) / (s + t);
      fields_[3][at] = 5.91496717F * input_->coefficients()[b / a.size()] *
                       input_->coefficients()[b % a.size()] / (s + t) * std::exp(-s * t / (s + t) * square);
    }
  }

  void multiply_row(std::size_t row) {
    const std::vector<float>& a = input_->exponents();
    const std::size_t pairs = a.size() * a.size();
    const std::size_t begin = input_->quartets().starts()[row];
    const std::size_t columns = input_->quartets().starts()[row + 1] - begin;
    for (std::size_t column = 0; column < columns; column += block) {
      float sums[block] = {};
      for (std::size_t b = 0; b < pairs; ++b) {
        const float p = a[b / a.size()] + a[b % a.size()];
        for (std::size_t c = 0; c < pairs; ++c) {
          const float q = a[c / a.size()] + a[c % a.size()];
          const std::size_t of_row = b * pitch_ + row;
          const std::size_t of_column = c * pitch_ + column;
          const Bra bra = {fields_[0][of_row], fields_[1][of_row], fields_[2][of_row],
                           fields_[3][of_row] / std::sqrt(p + q), p * q / (p + q)};
          const Ket ket = {&fields_[0][of_column], &fields_[1][of_column], &fields_[2][of_column],
                           &fields_[3][of_column]};
          add_terms(bra, ket, polynomial_, sums);
        }
      }
      std::copy_n(sums, std::min(block, columns - column),
                  integrals_.begin() + static_cast<std::ptrdiff_t>(begin + column));
    }
  }

  std::shared_ptr<const RpesInput> input_;
  int threads_;
  std::array<float, degree + 1> polynomial_;
  std::size_t pitch_ = 0;
  std::array<std::vector<float>, 4> fields_;  // x, y, z, K: [pair of primitives][pair of functions]
  std::vector<float> integrals_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const RpesInput> input, int threads) {
  return std::make_unique<RpesHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::rpes
