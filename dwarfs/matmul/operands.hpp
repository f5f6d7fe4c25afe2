// What matmul multiplies: the shape of the problem, and the two matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep::matmul {

/// A is rows x terms, B is terms x cols, C is rows x cols; all row-major, without gaps.
struct Shape {
  std::int64_t rows = 0, cols = 0, terms = 0;  // m, n, k
};

Shape shape_of(const Problem& problem);

struct Operands {
  Shape shape;
  std::vector<float> a;
  std::vector<float> b;
  bool exact = false;  ///< every sum of products, partial and in whatever order, is a float
};

/// Random elements whose sums are exact. Throws PointFailure where the host's memory does not suffice.
Operands random_operands(const Shape& shape, std::uint64_t seed);

}  // namespace dwarfsweep::matmul
