// What the sums of staging are compared with. Shares no code with the host version and the kernels.
//
// The data are odd multiples of 2^-3 in (-1, 1). With m multiply-adds a float x contributes (m + 1) x,
// exactly, since m + 1 and 8 x are small integers; all partial sums are multiples of 2^-3. As long as (m + 1)
// times the sum of the |x| is at most 2^21, each is a float, and the result is exact in any order. Beyond
// that a sum of c terms in any order has an error of at most gamma_c = c u / (1 - c u), u = 2^-24, of the sum
// of their absolute values (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 3.1).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "harness/run/array_results.hpp"

namespace dwarfsweep::staging {

/// Multiply-adds for each float, kernel by kernel: across the balance of any device.
constexpr std::array<int, 9> all_multiply_adds = {1, 2, 4, 8, 16, 32, 64, 128, 256};

/// How a configuration deals the data out to work-items; see kernels_cl/staging/staging.cl.
struct Geometry {
  std::size_t work_group = 0, granularity = 0, vector_width = 0;
  std::size_t groups = 0;
  std::size_t tiles = 0;  ///< of a group

  [[nodiscard]] std::size_t tile() const { return work_group * granularity * vector_width; }
};

/// Of the elements of one work-item.
struct Sum {
  double value = 0;
  double magnitude = 0;  ///< of the absolute values
  double terms = 0;
};

/// A sum for each work-item that computes.
std::vector<Sum> sums_of(std::span<const float> data, const Geometry& geometry);

/// What becomes of a sum with `count` multiply-adds.
Expected expected_sum(const Sum& sum, int count);

}  // namespace dwarfsweep::staging
