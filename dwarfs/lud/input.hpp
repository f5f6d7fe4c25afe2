// The matrix of lud, its exact factors, and the check of computed ones. Shares no code with the kernels or
// the host's version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// Both arrays are order x order, row-major: below the diagonal L, whose diagonal of ones is not stored, on
/// and above it U.
struct ExactFactors {
  std::vector<double> factors;
  std::vector<double> bounds;  ///< of the absolute difference of each element
};

/// `values` holds order x order elements. `tolerance` bounds |A - L U| relative to |L||U|. Takes
/// O(order^3) time on one thread: for small orders.
ExactFactors exact_factors(std::span<const float> values, std::size_t order, double tolerance);

/// How far the product of single-precision factors may be from the matrix, relative to |L||U|; derived in the
/// .cpp file.
double factor_tolerance(std::size_t order);

/// Checks factors of one matrix. What this takes is computed when first asked for, and kept; thread-safe.
class FactorVerification {
 public:
  /// `values` holds order x order floats, row-major, and must outlive this.
  FactorVerification(std::span<const float> values, std::size_t order) : values_(values), order_(order) {}

  /// `factors` has rows of `stride` floats. Small orders are compared element by element with exact factors;
  /// all by the residual L (U x) - A x of random vectors x. max_error is the largest residual relative to
  /// |L||U||x|.
  [[nodiscard]] Check check(const float* factors, std::size_t stride) const;

  /// For orders up to exact_order: the factors in double precision, and by how much a correct
  /// single-precision factorisation may differ from each of their elements.
  [[nodiscard]] const ExactFactors& exact() const;
  static constexpr std::size_t exact_order = 512;

  /// Random vectors x, and A x, in double precision; `probes` of each, element i of vector p at [i * probes +
  /// p].
  struct Probes {
    std::vector<double> x;
    std::vector<double> product;
  };
  static constexpr std::size_t probes = 3;

 private:
  std::span<const float> values_;
  std::size_t order_;
  mutable std::once_flag probes_once_;
  mutable std::once_flag exact_once_;
  mutable Probes probes_;
  mutable ExactFactors exact_;
};

/// A square matrix, row-major, and the check of its factors.
class LudInput final : public Input {
 public:
  /// `values` holds order x order floats.
  LudInput(std::size_t order, std::vector<float> values)
      : order_(order), values_(std::move(values)), verification_(values_, order) {}

  [[nodiscard]] std::size_t order() const { return order_; }
  [[nodiscard]] const std::vector<float>& values() const { return values_; }
  [[nodiscard]] const FactorVerification& verification() const { return verification_; }

 private:
  std::size_t order_;
  std::vector<float> values_;
  FactorVerification verification_;
};

inline const LudInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const LudInput&>(*loaded.input);
}

/// Off the diagonal uniform in [-1, 1); on it one more than the larger of the sums of magnitudes of its row
/// and its column, with a random sign. So every pivot of the elimination is at least 1, and no element grows
/// beyond twice the largest (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002,
/// theorem 9.9).
std::shared_ptr<LudInput> random_matrix(std::size_t order, std::uint64_t seed);

/// Reads a file that read_matrix understands. Throws InputError if the matrix is not square.
std::shared_ptr<LudInput> read_square_matrix(const std::string& file);

}  // namespace dwarfsweep
