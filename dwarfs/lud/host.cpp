// A right-looking blocked factorisation: a panel of columns is factored row by row, the columns right of it
// are solved for and the trailing matrix is updated in register tiles, whose operands are packed.
#include "dwarfs/lud/lud.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "dwarfs/lud/input.hpp"
#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep {
namespace {

using Index = std::ptrdiff_t;  // signed: the type that all OpenMP versions accept for loop counters

constexpr Index panel_width = 64;
constexpr Index tile_rows = 8;
constexpr Index tile_columns = 16;
using Lanes = float __attribute__((vector_size(tile_columns * sizeof(float))));

// tile := tile - left * right, where `left` is packed depth x tile_rows and `right` depth x tile_columns.
FOR_EACH_X86_LEVEL void update_tile(const float* left, const float* right, Index depth, float* tile,
                                    Index stride) {
  Lanes sums[tile_rows] = {};
  for (Index k = 0; k < depth; ++k) {
    Lanes top;
    std::memcpy(&top, right + k * tile_columns, sizeof(top));
    for (Index r = 0; r < tile_rows; ++r) sums[r] += left[k * tile_rows + r] * top;
  }
  for (Index r = 0; r < tile_rows; ++r) {
    Lanes row;
    std::memcpy(&row, tile + r * stride, sizeof(row));
    row -= sums[r];
    std::memcpy(tile + r * stride, &row, sizeof(row));
  }
}

// Eliminates the first `count` elements of a row, `width` wide, with as many rows of a panel that are done.
FOR_EACH_X86_LEVEL void eliminate_row(float* row, const float* done, Index stride, Index count, Index width) {
  for (Index k = 0; k < count; ++k) {
    const float factor = row[k] /= done[k * stride + k];
    for (Index j = k + 1; j < width; ++j) row[j] -= factor * done[k * stride + j];
  }
}

// tile := L^-1 tile, where the tile is packed depth x tile_columns and L the unit lower triangle of `panel`.
FOR_EACH_X86_LEVEL void solve_tile(const float* panel, Index stride, Index depth, float* tile) {
  for (Index i = 1; i < depth; ++i) {
    Lanes row;
    std::memcpy(&row, tile + i * tile_columns, sizeof(row));
    for (Index k = 0; k < i; ++k) {
      Lanes solved;
      std::memcpy(&solved, tile + k * tile_columns, sizeof(solved));
      row -= panel[i * stride + k] * solved;
    }
    std::memcpy(tile + i * tile_columns, &row, sizeof(row));
  }
}

struct HostMatrix {
  float* values;
  Index order;

  [[nodiscard]] float* at(Index row, Index column) const { return values + row * order + column; }
};

// Eliminates columns [begin, end) in the rows from `begin` on; the panel is all it touches.
void factor_panel(const HostMatrix& a, Index begin, Index end) {
  const Index width = end - begin;
#pragma omp single
  for (Index row = begin + 1; row < end; ++row) {
    eliminate_row(a.at(row, begin), a.at(begin, begin), a.order, row - begin, width);
  }
#pragma omp for schedule(static, 16)
  for (Index row = end; row < a.order; ++row) {
    eliminate_row(a.at(row, begin), a.at(begin, begin), a.order, width, width);
  }
}

// The columns below the panel's diagonal block, packed in strips of tile_rows rows; missing rows are zeros.
void pack_strip(const HostMatrix& a, Index begin, Index end, Index first_row, float* packed) {
  for (Index r = 0; r < tile_rows; ++r) {
    for (Index k = begin; k < end; ++k) {
      packed[(k - begin) * tile_rows + r] = first_row + r < a.order ? *a.at(first_row + r, k) : 0;
    }
  }
}

// A tile that the matrix holds in part: by way of a whole one.
void update_partial_tile(const float* left, const float* right, Index depth, const HostMatrix& a, Index row,
                         Index column) {
  std::array<float, static_cast<std::size_t>(tile_rows * tile_columns)> whole{};
  const Index rows = std::min(tile_rows, a.order - row);
  const Index columns = std::min(tile_columns, a.order - column);
  for (Index r = 0; r < rows; ++r)
    std::copy_n(a.at(row + r, column), columns, whole.data() + r * tile_columns);
  update_tile(left, right, depth, whole.data(), tile_columns);
  for (Index r = 0; r < rows; ++r)
    std::copy_n(whole.data() + r * tile_columns, columns, a.at(row + r, column));
}

// Sixteen columns right of the panel: solves their part of U, then updates all below it.
void update_columns(const HostMatrix& a, Index begin, Index end, Index column, const float* packed_rows) {
  const Index columns = std::min(tile_columns, a.order - column);
  const Index depth = end - begin;
  std::array<float, static_cast<std::size_t>(panel_width * tile_columns)> top{};
  for (Index i = 0; i < depth; ++i) {
    std::copy_n(a.at(begin + i, column), columns, top.data() + i * tile_columns);
  }
  solve_tile(a.at(begin, begin), a.order, depth, top.data());
  for (Index i = 0; i < depth; ++i) {
    std::copy_n(top.data() + i * tile_columns, columns, a.at(begin + i, column));
  }
  for (Index row = end; row < a.order; row += tile_rows) {
    const float* left = packed_rows + (row - end) * depth;
    if (columns == tile_columns && row + tile_rows <= a.order) {
      update_tile(left, top.data(), depth, a.at(row, column), a.order);
    } else {
      update_partial_tile(left, top.data(), depth, a, row, column);
    }
  }
}

class LudHostCase final : public HostCase {
 public:
  LudHostCase(const Loaded& loaded, int threads) : loaded_(loaded), threads_(threads) {}

  void reset() override { factors_ = input_of(loaded_).values(); }
  void run() override { factor_on_host(factors_.data(), input_of(loaded_).order(), threads_); }
  [[nodiscard]] Check check() const override {
    return input_of(loaded_).verification().check(factors_.data(), input_of(loaded_).order());
  }

 private:
  Loaded loaded_;
  int threads_;
  std::vector<float> factors_;
};

}  // namespace

void factor_on_host(float* matrix, std::size_t order, int threads) {
  const HostMatrix a{matrix, static_cast<Index>(order)};
  std::vector<float> packed((order + tile_rows) * static_cast<std::size_t>(panel_width));
#pragma omp parallel num_threads(threads)
  for (Index begin = 0; begin < a.order; begin += panel_width) {
    const Index end = std::min(begin + panel_width, a.order);
    factor_panel(a, begin, end);
#pragma omp for schedule(static, 4)
    for (Index row = end; row < a.order; row += tile_rows) {
      pack_strip(a, begin, end, row, packed.data() + (row - end) * (end - begin));
    }
#pragma omp for schedule(dynamic, 1)
    for (Index column = end; column < a.order; column += tile_columns) {
      update_columns(a, begin, end, column, packed.data());
    }
  }
}

std::unique_ptr<HostCase> lud_host_case(const Loaded& loaded, int threads) {
  return std::make_unique<LudHostCase>(loaded, threads);
}

}  // namespace dwarfsweep
