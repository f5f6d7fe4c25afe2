// What sgemv is checked against: its input, the exact sums with their error bounds, and plain C++ versions.
//
// Correctness. u = 2^-24, gamma_k = k u / (1 - k u). Each sum of `terms` products, in whatever order and with
// or without fused multiply-add, has an error of at most gamma_terms * sum |a||x|; scaling by alpha and
// adding beta * y rounds three times more (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
// ed., 3.1, 3.5):
//   |y - y_exact| <= gamma_(terms+3) * (|alpha| sum |a||x| + |beta y_in|) + flushed subnormals.
// Generated data are sharper: they are multiples of a `grain` g so coarse that as long as sum |a||x| < 2^24 g
// every partial sum, in whatever order, is a float. Then the sum s has no error at all, and
//   |y - y_exact| <= gamma_3 * (|alpha s| + |beta y_in|): one lost term shows in a matrix of any size.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::sgemv {

/// Of the problem: A is rows x cols, its rows begin row_stride elements apart.
struct Shape {
  std::int64_t rows = 0, cols = 0, row_stride = 0;
  bool transposed = false;
  float alpha = 1, beta = 0;

  [[nodiscard]] std::int64_t outputs() const { return transposed ? cols : rows; }
  [[nodiscard]] std::int64_t terms() const { return transposed ? rows : cols; }
};

/// Throws UsageError where lda is too small for n.
Shape shape_of(const Problem& problem);

/// Of one output: the sum of its products, and of their absolute values, in double.
struct Sum {
  double value = 0;
  double magnitude = 0;
};

class MatrixInput final : public Input {
 public:
  /// A matrix of NaN, which it stays between cols and row_stride. Throws UsageError where memory does not
  /// suffice.
  explicit MatrixInput(const Shape& its_shape);

  void fill_matrix(std::uint64_t seed);
  void fill_vectors(std::uint64_t seed);
  /// Computed at the first call.
  [[nodiscard]] const std::vector<Sum>& sums() const;

  Shape shape;
  std::vector<float> matrix;
  std::vector<float> x;
  std::vector<float> y_in;
  double grain = 0;  ///< all products of the elements are multiples of it; 0: not known

 private:
  void compute_sums() const;

  mutable std::once_flag summed_;
  mutable std::vector<Sum> sums_;
};

/// Is `y` what the input asks for? The error and tolerance told are those of the output with the largest
/// ratio.
Check compare(const MatrixInput& input, const std::vector<float>& y);

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MatrixInput> input, int threads);

}  // namespace dwarfsweep::sgemv
