// How the variants of fft_1d divide a transform into passes, and a pass into groups.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/space/problem.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::fft_1d {

/// `batch` transforms of n = 2^log_n complex numbers.
struct Shape {
  int log_n = 0;
  std::int64_t batch = 0;
  bool inverse = false;

  [[nodiscard]] std::int64_t n() const { return std::int64_t{1} << log_n; }
  [[nodiscard]] std::int64_t numbers() const { return batch << log_n; }
};

/// The binary logarithm, rounded down.
int log_of(std::int64_t number);

Shape shape_of(const Problem& problem);

/// A pass of radix 2^bits; 2^before is the product of the radices before it.
struct Pass {
  int bits = 0;
  int before = 0;
  std::int64_t columns = 1;  ///< of a group; not of the variant global
  bool across = false;       ///< the columns of a group are neighbours in the array
};

std::vector<Pass> passes_of(const Config& config, int log_n);

/// Numbers of a column that a work-item of a group has, in staged and stockham.
std::int64_t points_of(const Config& config, const Pass& pass);

/// The groups of a pass; the same derivations as in kernels_cl/fft_1d.
struct Groups {
  Groups(const Config& config, const Pass& pass);

  std::int64_t items;    ///< of a group
  std::int64_t columns;  ///< of all transforms that a group does
  std::uint64_t local_bytes;
};

// Tables of roots of unity for the variant stockham.

/// What a pass reads with roots=table, as kernels_cl/fft_1d/stages.cl (in groups) and alone.cl say: real and
/// imaginary parts interleaved, computed in double precision and rounded. Empty with roots=computed.
std::vector<float> roots_of(const Config& config, const Pass& pass);

}  // namespace dwarfsweep::fft_1d
