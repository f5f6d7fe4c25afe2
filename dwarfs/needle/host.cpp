// Gap-shifted scores, H + gap * (i + j), turn the recurrence into G[i][j] = max(t[j], G[i][j-1]) with
// t[j] = max(G[i-1][j-1] + s + 2 * gap, G[i-1][j]): a row is a prefix maximum, which vectors do in
// log2(lanes) steps along the row, where the matrix is contiguous. Borders are 0, and no gap-shifted score is
// below its left neighbour's. Threads take bands of rows in turn and follow each other from left to right, a
// chunk of columns apart.
#include "dwarfs/needle/needle.hpp"

#include <omp.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "dwarfs/x86_levels.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t band_rows = 64;
constexpr std::size_t chunk_columns = 512;  // a row of the chunk stays in the first-level cache
using Vector = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));
using Scores = std::int16_t __attribute__((vector_size(lanes * sizeof(std::int16_t))));

struct HostTile {
  const std::uint8_t* letters;
  std::size_t rows;
  const std::int16_t* profile;  // plus 2 * gap, at the tile's first column
  std::size_t profile_stride;
  std::size_t vectors;  // columns / lanes
  std::int32_t* cells;  // the tile's first cell, aligned to a vector
  std::size_t stride;
  std::int32_t gap;
  std::int32_t distance;  // i + j of the tile's first cell
  std::int32_t* above;    // gap-shifted scores of the row above; of the last row afterwards
  std::int32_t* left;     // gap-shifted scores of the column left of each row; of the last column afterwards
  std::int32_t corner;    // gap-shifted score above `left`
};

#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))

// Past the caches: nobody reads these cells again, and a plain store would first fetch them.
inline __attribute__((always_inline)) void store_past_caches(std::int32_t* to, const Vector& value) {
#ifdef __SSE2__
  __m128i quarters[4];
  std::memcpy(quarters, &value, sizeof quarters);
  for (int k = 0; k < 4; ++k) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + k, quarters[k]);
#else
  std::memcpy(to, &value, sizeof value);
#endif
}

FOR_EACH_X86_LEVEL void fill_tile(const HostTile& tile) {
  constexpr Vector zero = {};
  constexpr Vector iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const Vector lane_terms = iota * tile.gap;
  std::int32_t corner = tile.corner;
  for (std::size_t row = 0; row < tile.rows; ++row) {
    const std::int16_t* scores = tile.profile + tile.letters[row] * tile.profile_stride;
    std::int32_t* cells = tile.cells + row * tile.stride;
    Vector lowering = lane_terms + (tile.distance + static_cast<std::int32_t>(row)) * tile.gap;
    Vector before = zero + corner;
    Vector carry = zero + tile.left[row];
    corner = tile.left[row];
    for (std::size_t v = 0; v < tile.vectors; ++v) {
      Vector above;
      Scores score;
      std::memcpy(&above, tile.above + v * lanes, sizeof above);
      std::memcpy(&score, scores + v * lanes, sizeof score);
      const Vector diagonal = __builtin_shufflevector(before, above, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
                                                      25, 26, 27, 28, 29, 30);
      Vector t = diagonal + __builtin_convertvector(score, Vector);
      t = MAXIMUM(t, above);
      // Scores of the row above further left are never greater: they may come in at the front.
      Vector moved =
          __builtin_shufflevector(before, t, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
      t = MAXIMUM(t, moved);
      moved =
          __builtin_shufflevector(before, t, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
      t = MAXIMUM(t, moved);
      moved =
          __builtin_shufflevector(before, t, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
      t = MAXIMUM(t, moved);
      moved =
          __builtin_shufflevector(before, t, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23);
      t = MAXIMUM(t, moved);
      before = above;
      const Vector last =
          __builtin_shufflevector(t, t, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
      t = MAXIMUM(t, carry);
      carry = MAXIMUM(carry, last);
      const Vector lowered = t - lowering;
      lowering += tile.gap * static_cast<std::int32_t>(lanes);
      std::memcpy(tile.above + v * lanes, &t, sizeof t);
      store_past_caches(cells + v * lanes, lowered);
    }
    tile.left[row] = carry[0];
  }
}

// One for each band, a cache line apart.
struct alignas(64) Progress {
  std::atomic<std::size_t> chunks{0};
};

class NeedleHostCase final : public HostCase {
 public:
  NeedleHostCase(std::shared_ptr<const NeedleInput> input, int threads)
      : input_(std::move(input)),
        threads_(threads),
        columns_(round_up(input_->columns(), lanes)),
        stride_(columns_ + lanes),
        profile_(input_->profile(columns_, 2 * input_->gap())),
        edge_(columns_),
        // One vector more: the first cell of a row is moved up to where column 1 is aligned.
        storage_((input_->rows() + 1) * stride_ + lanes, std::numeric_limits<std::int32_t>::min()) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    const std::size_t to_alignment =
        (sizeof(Vector) - address % sizeof(Vector)) % sizeof(Vector) / sizeof(std::int32_t);
    cells_ = storage_.data() + to_alignment + lanes - 1;
  }

  void reset() override {}
  void run() override;
  [[nodiscard]] Check check() const override {
    return input_->verification().check_matrix({cells_, stride_});
  }

 private:
  void fill_borders();
  void fill_band(std::size_t band, std::vector<Progress>& progress);

  std::shared_ptr<const NeedleInput> input_;
  int threads_;
  std::size_t columns_;
  std::size_t stride_;
  std::vector<std::int16_t> profile_;
  std::vector<std::int32_t> edge_;  // gap-shifted scores of the last row done in each column
  std::vector<std::int32_t> storage_;
  std::int32_t* cells_ = nullptr;
};

void NeedleHostCase::fill_borders() {
  for (std::size_t j = 0; j <= input_->columns(); ++j)
    cells_[j] = -input_->gap() * static_cast<std::int32_t>(j);
  for (std::size_t i = 1; i <= input_->rows(); ++i) {
    cells_[i * stride_] = -input_->gap() * static_cast<std::int32_t>(i);
  }
}

void NeedleHostCase::fill_band(std::size_t band, std::vector<Progress>& progress) {
  const std::int32_t gap = input_->gap();
  const std::size_t first_row = band * band_rows;
  std::int32_t left[band_rows] = {};
  HostTile tile{};
  tile.letters = input_->first().data() + first_row;
  tile.rows = std::min(band_rows, input_->rows() - first_row);
  tile.profile_stride = columns_;
  tile.stride = stride_;
  tile.gap = gap;
  tile.left = left;
  for (std::size_t begin = 0, chunk = 0; begin < columns_; begin += chunk_columns, ++chunk) {
    const std::size_t width = std::min(chunk_columns, columns_ - begin);
    while (band > 0 && progress[band - 1].chunks.load(std::memory_order_acquire) <= chunk)
      std::this_thread::yield();
    tile.above = edge_.data() + begin;
    if (band == 0) std::fill_n(tile.above, width, 0);
    const std::int32_t next_corner = tile.above[width - 1];
    tile.profile = profile_.data() + begin;
    tile.vectors = width / lanes;
    tile.cells = cells_ + (first_row + 1) * stride_ + 1 + begin;
    tile.distance = static_cast<std::int32_t>(first_row + begin + 2);
    fill_tile(tile);
    tile.corner = next_corner;
    progress[band].chunks.store(chunk + 1, std::memory_order_release);
  }
}

void NeedleHostCase::run() {
  fill_borders();
  const std::size_t bands = ceil_div(input_->rows(), band_rows);
  std::vector<Progress> progress(bands);
#pragma omp parallel num_threads(threads_)
  {
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    for (auto band = static_cast<std::size_t>(omp_get_thread_num()); band < bands; band += team) {
      fill_band(band, progress);
    }
  }
}

}  // namespace

std::unique_ptr<HostCase> needle_host_case(std::shared_ptr<const NeedleInput> input, int threads) {
  return std::make_unique<NeedleHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep
