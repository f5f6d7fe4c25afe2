// What the sums of staging are compared with. Shares no code with the host version and the kernels.
//
// The data are odd multiples of 2^-3 in (-1, 1). With m multiply-adds a float x contributes (m + 1) x,
// exactly, since m + 1 and 8 x are small integers; all partial sums are multiples of 2^-3. As long as (m + 1)
// times the sum of the |x| is at most 2^21, each is a float, and the result is exact in any order. Beyond
// that a sum of c terms in any order has an error of at most gamma_c (roundoff.hpp) of the sum of their
// absolute values (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 3.1).
#include "dwarfs/staging/staging.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "dwarfs/roundoff.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::staging {

std::vector<Sum> sums_of(std::span<const float> data, const Geometry& geometry) {
  const std::size_t vectors = geometry.work_group * geometry.granularity;
  const std::size_t element = geometry.element == 0 ? vectors : geometry.element;
  std::vector<Sum> sums(geometry.groups * geometry.work_group);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t group = i / geometry.tile() / geometry.tiles;
    const std::size_t in_part = i / geometry.vector_width - group * geometry.tiles * vectors;
    // The elements of the group's tiles take turns.
    const std::size_t taking_turns = std::min(geometry.tiles, geometry.all_tiles - group * geometry.tiles);
    const std::size_t in_tile = in_part / element / taking_turns * element + in_part % element;
    const std::size_t column = in_tile % geometry.work_group;
    Sum& sum = sums[group * geometry.work_group + geometry.work_group - 1 - column];
    sum.value += data[i];
    sum.magnitude += std::abs(data[i]);
    ++sum.terms;
  }
  return sums;
}

Expected expected_sum(const Sum& sum, int count) {
  const double factor = count + 1;
  const bool exact = factor * sum.magnitude <= 0x1p21;
  return {factor * sum.value, exact ? 0 : rounding_bound(sum.terms) * factor * sum.magnitude};
}

std::shared_ptr<const StagingInput> generate(const Problem& problem, std::uint64_t seed) {
  const auto input = std::make_shared<StagingInput>();
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(problem.integer("n")));
  Random(seed).fill_bytes(bytes);
  input->data.resize(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    input->data[i] = static_cast<float>(2 * (bytes[i] % 8) - 7) * 0x1p-3F;
  const std::int64_t most = problem.integer("multiply_adds");
  std::copy_if(all_multiply_adds.begin(), all_multiply_adds.end(), std::back_inserter(input->multiply_adds),
               [&](int count) { return count <= most; });
  return input;
}

}  // namespace dwarfsweep::staging
