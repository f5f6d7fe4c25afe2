#include "dwarfs/lud/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/formats/matrix.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep {

std::shared_ptr<LudInput> random_matrix(std::size_t order, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(order * order);
  random.fill_uniform(values, -1, 1);
  std::vector<double> row_sums(order);
  std::vector<double> column_sums(order);
  for (std::size_t i = 0; i < order; ++i) {
    for (std::size_t j = 0; j < order; ++j) {
      const double size = i == j ? 0 : std::abs(values[i * order + j]);
      row_sums[i] += size;
      column_sums[j] += size;
    }
  }
  for (std::size_t i = 0; i < order; ++i) {
    float& diagonal = values[i * order + i];
    diagonal = std::copysign(static_cast<float>(1 + std::max(row_sums[i], column_sums[i])), diagonal);
  }
  return std::make_shared<LudInput>(order, std::move(values));
}

std::shared_ptr<LudInput> read_square_matrix(const std::string& file) {
  Matrix matrix = read_matrix(file);
  if (matrix.rows != matrix.cols) {
    throw InputError(file, "",
                     fmt::format("the matrix has {} rows and {} columns; lud needs a square one", matrix.rows,
                                 matrix.cols));
  }
  return std::make_shared<LudInput>(static_cast<std::size_t>(matrix.rows), std::move(matrix.values));
}

}  // namespace dwarfsweep
