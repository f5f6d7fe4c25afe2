// LU decomposition on the host: random matrices, the check of factors, and the factorisation that is the
// yardstick. Shares no code with the kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep {

/// A square matrix, row-major, and what its checks need, computed when first asked for.
class LudInput final : public Input {
 public:
  /// `values` holds order x order floats.
  LudInput(std::size_t order, std::vector<float> values) : order_(order), values_(std::move(values)) {}

  [[nodiscard]] std::size_t order() const { return order_; }
  [[nodiscard]] const std::vector<float>& values() const { return values_; }

  /// Random vectors x, and A x, in double precision; `probes` of each, element i of vector p at [i * probes +
  /// p].
  struct Probes {
    std::vector<double> x;
    std::vector<double> product;
  };
  static constexpr std::size_t probes = 3;
  [[nodiscard]] const Probes& probe() const;

  /// For orders up to exact_order: the factors in double precision, and by how much a correct
  /// single-precision factorisation may differ from each of their elements.
  struct Exact {
    std::vector<double> factors;
    std::vector<double> bounds;
  };
  static constexpr std::size_t exact_order = 512;
  [[nodiscard]] const Exact& exact() const;

 private:
  std::size_t order_;
  std::vector<float> values_;
  mutable std::once_flag probe_once_;
  mutable std::once_flag exact_once_;
  mutable Probes probe_;
  mutable Exact exact_;
};

inline const LudInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const LudInput&>(*loaded.input);
}

/// Off the diagonal uniform in [-1, 1); on it one more than the larger of the sums of magnitudes of its row
/// and its column, with a random sign. So every pivot of the elimination is at least 1, and no element grows
/// beyond twice the largest (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002,
/// theorem 9.9).
std::shared_ptr<LudInput> random_matrix(std::size_t order, std::uint64_t seed);

/// How a product of factors may differ from the matrix, relative to |L||U|: see the .cpp file.
double factor_tolerance(std::size_t order);

/// Are these the factors of the input? `factors` has rows of `stride` floats. max_error is the largest
/// residual relative to |L||U||x|.
Check check_factors(const LudInput& input, const float* factors, std::size_t stride);

/// Factors order x order floats in place on `threads` threads, blocked, no pivoting.
void factor_on_host(float* matrix, std::size_t order, int threads);

}  // namespace dwarfsweep
