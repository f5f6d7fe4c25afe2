// Blocks of neighbouring points of a row, whose sums stay in vector registers during the loop over atoms. The
// reciprocal square root is an estimate from the word's exponent with three Newton steps, which vector units
// compute faster than a root and a division.
#include "dwarfs/cp/cp.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::cp {
namespace {

constexpr std::int64_t block_columns = 64;
constexpr double newton_error = 4 * 0x1p-24;  // three steps leave rounding alone

// The sums of block_columns points from (x, y) on.
FOR_EACH_X86_LEVEL void add_block(const float* atoms, std::size_t count, const float* x, float y,
                                  float* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* atom = atoms + 4 * i;
    const float dy = y - atom[1];
    const float plane = dy * dy + atom[2];
    for (std::int64_t c = 0; c < block_columns; ++c) {
      const float dx = x[c] - atom[0];
      const float square = dx * dx + plane;
      const float half = 0.5F * square;
      float root = std::bit_cast<float>(0x5f375a86U - (std::bit_cast<std::uint32_t>(square) >> 1U));
      root *= 1.5F - half * root * root;
      root *= 1.5F - half * root * root;
      root += root * (0.5F - half * root * root);
      sums[c] += atom[3] * root;
    }
  }
}

class CpHostCase final : public HostCase {
 public:
  CpHostCase(std::shared_ptr<const CpInput> input, int threads)
      : input_(std::move(input)),
        threads_(threads),
        atoms_(input_->in_plane()),
        potential_(input_->grid().points()) {}

  void reset() override {
    std::fill(potential_.begin(), potential_.end(), std::numeric_limits<float>::quiet_NaN());
  }
  void run() override {
    const Grid& grid = input_->grid();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t row = 0; row < grid.ny; ++row) {
      for (std::int64_t column = 0; column < grid.nx; column += block_columns) do_block(grid, row, column);
    }
  }
  [[nodiscard]] Check check() const override {
    return input_->check(potential_, newton_error);
  }

 private:
  void do_block(const Grid& grid, std::int64_t row, std::int64_t column) {
    float x[block_columns];
    float sums[block_columns] = {};
    for (std::int64_t c = 0; c < block_columns; ++c) x[c] = static_cast<float>(column + c) * grid.spacing;
    add_block(atoms_.data(), input_->count(), x, static_cast<float>(row) * grid.spacing, sums);
    std::copy_n(sums, std::min(block_columns, grid.nx - column), potential_.data() + row * grid.nx + column);
  }

  std::shared_ptr<const CpInput> input_;
  int threads_;
  std::vector<float> atoms_;
  std::vector<float> potential_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CpInput> input, int threads) {
  return std::make_unique<CpHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::cp
