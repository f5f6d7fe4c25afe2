// Register tiles of 8 x 16 results, whose operands are packed: a block of some hundred terms of B for all
// columns, and as many of A for the rows that a thread is at (K. Goto and R. A. van de Geijn, "Anatomy of
// high-performance matrix multiplication", ACM TOMS 34(3), 2008).
#include "dwarfs/matmul/matmul.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "dwarfs/x86_levels.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::matmul {
namespace {

using Index = std::int64_t;

constexpr Index block_terms = 256;
constexpr Index tile_rows = 8;
constexpr Index tile_cols = 16;
using Lanes = float __attribute__((vector_size(tile_cols * sizeof(float))));

struct Tile {
  float values[tile_rows][tile_cols];
};

// tile += left * right, where `left` is packed as depth x tile_rows and `right` as depth x tile_cols.
FOR_EACH_X86_LEVEL void add_product(const float* left, const float* right, Index depth, Tile& tile) {
  Lanes sums[tile_rows];
  std::memcpy(sums, tile.values, sizeof(sums));
  for (Index i = 0; i < depth; ++i) {
    Lanes top;
    std::memcpy(&top, right + i * tile_cols, sizeof(top));
    for (Index row = 0; row < tile_rows; ++row) sums[row] += left[i * tile_rows + row] * top;
  }
  std::memcpy(tile.values, sums, sizeof(sums));
}

class MatmulHostCase final : public HostCase {
 public:
  MatmulHostCase(std::shared_ptr<const MatmulInput> input, int threads)
      : input_(std::move(input)),
        shape_(input_->shape()),
        threads_(threads),
        c_(static_cast<std::size_t>(shape_.rows * shape_.cols)),
        right_(static_cast<std::size_t>(block_terms * round_up(shape_.cols, tile_cols))),
        left_(static_cast<std::size_t>(threads * block_terms * tile_rows)) {}

  void reset() override { std::fill(c_.begin(), c_.end(), std::numeric_limits<float>::quiet_NaN()); }

  void run() override {
    for (Index begin = 0; begin < shape_.terms; begin += block_terms) {
      const Index depth = std::min(block_terms, shape_.terms - begin);
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (Index col = 0; col < shape_.cols; col += tile_cols) pack_right(begin, depth, col);
#pragma omp parallel for num_threads(threads_) schedule(static)
      for (int thread = 0; thread < threads_; ++thread) {
        const Index share = round_up(ceil_div(shape_.rows, threads_), tile_rows);
        const Index end = std::min(shape_.rows, (thread + 1) * share);
        float* left = left_.data() + thread * block_terms * tile_rows;
        for (Index row = thread * share; row < end; row += tile_rows) {
          pack_left(begin, depth, row, left);
          for (Index col = 0; col < shape_.cols; col += tile_cols) add_tile(begin, depth, row, col, left);
        }
      }
    }
  }

  [[nodiscard]] Check check() const override {
    return input_->check(c_);
  }

 private:
  // Columns and rows that do not exist are zeros.
  void pack_right(Index begin, Index depth, Index col) {
    const Index width = std::min(tile_cols, shape_.cols - col);
    for (Index i = 0; i < depth; ++i) {
      float* to = right_.data() + col * block_terms + i * tile_cols;
      std::fill_n(std::copy_n(input_->operands().b.data() + (begin + i) * shape_.cols + col, width, to),
                  tile_cols - width, 0.0F);
    }
  }
  void pack_left(Index begin, Index depth, Index first_row, float* left) {
    for (Index row = 0; row < tile_rows; ++row) {
      const bool exists = first_row + row < shape_.rows;
      const float* from = input_->operands().a.data() + (first_row + row) * shape_.terms + begin;
      for (Index i = 0; i < depth; ++i) left[i * tile_rows + row] = exists ? from[i] : 0;
    }
  }
  void add_tile(Index begin, Index depth, Index row, Index col, const float* left) {
    const Index height = std::min(tile_rows, shape_.rows - row);
    const Index width = std::min(tile_cols, shape_.cols - col);
    float* c = c_.data() + row * shape_.cols + col;
    Tile tile = {};
    if (begin > 0) {
      for (Index r = 0; r < height; ++r) std::copy_n(c + r * shape_.cols, width, tile.values[r]);
    }
    add_product(left, right_.data() + col * block_terms, depth, tile);
    for (Index r = 0; r < height; ++r) std::copy_n(tile.values[r], width, c + r * shape_.cols);
  }

  std::shared_ptr<const MatmulInput> input_;
  Shape shape_;
  int threads_;
  std::vector<float> c_;
  std::vector<float> right_;  // [tile of columns][term][tile_cols]
  std::vector<float> left_;   // of each thread: [term][tile_rows]
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const MatmulInput> input, int threads) {
  return std::make_unique<MatmulHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::matmul
