// What sgemv multiplies: the shape of the problem, the matrix and the vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep::sgemv {

/// A is rows x cols, its rows begin row_stride elements apart; the product is of A, or of its transpose.
struct Shape {
  std::int64_t rows = 0, cols = 0, row_stride = 0;
  bool transposed = false;
  float alpha = 1, beta = 0;

  [[nodiscard]] std::int64_t outputs() const { return transposed ? cols : rows; }
  [[nodiscard]] std::int64_t terms() const { return transposed ? rows : cols; }
};

/// Throws UsageError where lda is too small for n.
Shape shape_of(const Problem& problem);

struct Operands {
  /// A matrix of NaN, which it stays between cols and row_stride; empty vectors. Throws PointFailure where
  /// memory does not suffice.
  explicit Operands(const Shape& its_shape);

  /// Random elements, and `grain`.
  void fill_matrix(std::uint64_t seed);
  /// Random elements of both vectors.
  void fill_vectors(std::uint64_t seed);

  Shape shape;
  std::vector<float> matrix;  ///< rows x row_stride
  std::vector<float> x;       ///< one element per term
  std::vector<float> y_in;    ///< one element per output
  double grain = 0;           ///< all products of the elements are multiples of it; 0: not known
};

}  // namespace dwarfsweep::sgemv
