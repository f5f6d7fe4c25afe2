#include "dwarfs/staging/verification.hpp"

#include <cmath>

namespace dwarfsweep::staging {

std::vector<Sum> sums_of(std::span<const float> data, const Geometry& geometry) {
  std::vector<Sum> sums(geometry.groups * geometry.work_group);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t group = i / geometry.tile() / geometry.tiles;
    const std::size_t column = i / geometry.vector_width % geometry.work_group;
    Sum& sum = sums[group * geometry.work_group + geometry.work_group - 1 - column];
    sum.value += data[i];
    sum.magnitude += std::abs(data[i]);
    ++sum.terms;
  }
  return sums;
}

Expected expected_sum(const Sum& sum, int count) {
  const double factor = count + 1;
  const double roundings = sum.terms * 0x1p-24;
  const bool exact = factor * sum.magnitude <= 0x1p21;
  return {factor * sum.value, exact ? 0 : roundings / (1 - roundings) * factor * sum.magnitude};
}

}  // namespace dwarfsweep::staging
