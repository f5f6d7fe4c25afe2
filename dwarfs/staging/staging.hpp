// staging: its data, what its sums are compared with, its case, its host version.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "harness/run/array_results.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::staging {

/// Multiply-adds for each float, kernel by kernel: across the balance of any device.
constexpr std::array<int, 9> all_multiply_adds = {1, 2, 4, 8, 16, 32, 64, 128, 256};

/// How a configuration deals the data out to work-items; see kernels_cl/staging/staging.cl.
struct Geometry {
  std::size_t work_group = 0, granularity = 0, vector_width = 0;
  std::size_t element = 0;  ///< neighbouring vectors of a strided tile; 0: all
  std::size_t groups = 0;
  std::size_t all_tiles = 0;
  std::size_t tiles = 0;  ///< of a group

  [[nodiscard]] std::size_t tile() const { return work_group * granularity * vector_width; }
};

/// The sum over the elements of one work-item.
struct Sum {
  double value = 0;
  double magnitude = 0;  ///< of the absolute values
  double terms = 0;
};

/// A sum for each work-item that computes.
std::vector<Sum> sums_of(std::span<const float> data, const Geometry& geometry);

/// What becomes of a sum with `count` multiply-adds.
Expected expected_sum(const Sum& sum, int count);

// The data that staging reads.

struct StagingInput final : Input {
  std::vector<float> data;
  std::vector<int> multiply_adds;  ///< those of all_multiply_adds that the problem asks for
};

/// Odd multiples of 2^-3 in (-1, 1).
std::shared_ptr<const StagingInput> generate(const Problem& problem, std::uint64_t seed);

// staging on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

/// Work-items of a group: those that compute, and those that only copy.
std::int64_t group_items(const Config& config);

// staging's arithmetic on the host's cores.

/// The data are divided among `threads` threads.
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const StagingInput> input, int threads);

}  // namespace dwarfsweep::staging
