#include "dwarfs/needle/input.hpp"

#include <fmt/format.h>
#include <omp.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstring>
#include <limits>
#include <thread>

#include "dwarfs/x86_levels.hpp"
#include "harness/error.hpp"

namespace dwarfsweep {
namespace {

// BLOSUM62 (S. Henikoff and J. G. Henikoff, "Amino acid substitution matrices from protein blocks", PNAS
// 89(22), 1992) in half bits, as NCBI distributes it with BLAST; lower triangle.
constexpr std::int8_t blosum62_triangle[] = {
    // clang-format off
     4,  // A
    -1,  5,  // R
    -2,  0,  6,  // N
    -2, -2,  1,  6,  // D
     0, -3, -3, -3,  9,  // C
    -1,  1,  0,  0, -3,  5,  // Q
    -1,  0,  0,  2, -4,  2,  5,  // E
     0, -2,  0, -1, -3, -2, -2,  6,  // G
    -2,  0,  1, -1, -3,  0,  0, -2,  8,  // H
    -1, -3, -3, -3, -1, -3, -3, -4, -3,  4,  // I
    -1, -2, -3, -4, -1, -2, -3, -4, -3,  2,  4,  // L
    -1,  2,  0, -1, -3,  1,  1, -2, -1, -3, -2,  5,  // K
    -1, -1, -2, -3, -1,  0, -2, -3, -2,  1,  2, -1,  5,  // M
    -2, -3, -3, -3, -2, -3, -3, -3, -1,  0,  0, -3,  0,  6,  // F
    -1, -2, -2, -1, -3, -1, -1, -2, -2, -3, -3, -1, -2, -4,  7,  // P
     1, -1,  1,  0, -1,  0,  0,  0, -1, -2, -2,  0, -1, -2, -1,  4,  // S
     0, -1,  0, -1, -1, -1, -1, -2, -2, -1, -1, -1, -1, -2, -1,  1,  5,  // T
    -3, -3, -4, -4, -2, -2, -3, -2, -2, -3, -2, -3, -1,  1, -4, -3, -2, 11,  // W
    -2, -2, -2, -3, -2, -1, -2, -3,  2, -1, -1, -2, -1,  3, -3, -2, -2,  2,  7,  // Y
     0, -3, -3, -3, -1, -2, -2, -3, -3,  3,  1, -2,  1, -1, -2, -2,  0, -3, -1,  4,  // V
    -2, -1,  3,  4, -3,  0,  1, -1,  0, -3, -4,  0, -3, -3, -2,  0, -1, -4, -3, -3,  4,  // B
    -1,  0,  0,  1, -3,  3,  4, -2,  0, -3, -3,  1, -1, -3, -1,  0, -1, -3, -2, -2,  1,  4,  // Z
     0, -1, -1, -1, -2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -2,  0,  0, -2, -1, -1, -1, -1, -1,  // X
    -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4,  1,  // *
    // clang-format on
};
constexpr const char* blosum62_letters = "ARNDCQEGHILKMFPSTWYVBZX*";

// The plain bases of NCBI's NUC.4.4 (EMBOSS calls it EDNAFULL).
constexpr int dna_match = 5;
constexpr int dna_mismatch = -4;

Scoring make_blosum62() {
  Scoring scoring{"blosum62", blosum62_letters, {}};
  const std::size_t count = scoring.count();
  scoring.table.resize(count * count);
  const std::int8_t* next = blosum62_triangle;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b <= a; ++b)
      scoring.table[a * count + b] = scoring.table[b * count + a] = *next++;
  }
  return scoring;
}

Scoring make_dna() {
  Scoring scoring{"dna", "ACGT", {}};
  const std::size_t count = scoring.count();
  scoring.table.assign(count * count, dna_mismatch);
  for (std::size_t a = 0; a < count; ++a) scoring.table[a * count + a] = dna_match;
  return scoring;
}

// Lower case is the same letter; U is RNA's T.
char standard_letter(char letter, const Scoring& scoring) {
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return upper == 'U' && scoring.name == "dna" ? 'T' : upper;
}

std::vector<std::uint8_t> codes_of(const std::string& letters, const Scoring& scoring, const char* which) {
  std::vector<std::uint8_t> codes(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t code = scoring.letters.find(standard_letter(letters[i], scoring));
    if (code == std::string::npos) {
      throw UsageError(
          fmt::format("letter {} of the {} sequence is '{}', which scoring={} does not know; allowed are "
                      "{} in either case{}",
                      i + 1, which, letters[i], scoring.name, scoring.letters,
                      scoring.name == "dna" ? ", and U for T" : ""));
    }
    codes[i] = static_cast<std::uint8_t>(code);
  }
  return codes;
}

struct RowPair {
  const std::int32_t* above;
  const std::int32_t* row;
  const std::int16_t* scores;
  std::size_t columns;
  std::int32_t gap;
};

// Does every cell from column 1 on follow from its neighbours?
FOR_EACH_X86_LEVEL bool follows(const RowPair& rows) {
  std::int32_t difference = 0;
  for (std::size_t j = 1; j <= rows.columns; ++j) {
    const std::int32_t pair = rows.above[j - 1] + rows.scores[j - 1];
    const std::int32_t best = std::max(pair, std::max(rows.above[j], rows.row[j - 1]) - rows.gap);
    difference |= best ^ rows.row[j];
  }
  return difference == 0;
}

}  // namespace

const Scoring& scoring_of(const std::string& name) {
  static const Scoring blosum62 = make_blosum62();
  static const Scoring dna = make_dna();
  return name == "dna" ? dna : blosum62;
}

NeedleInput::NeedleInput(SequencePair letters, const Scoring& scoring, std::int32_t gap)
    : letters_(std::move(letters)),
      scoring_(scoring),
      gap_(gap),
      first_(codes_of(letters_.first, scoring, "first")),
      second_(codes_of(letters_.second, scoring, "second")) {}

std::vector<std::int16_t> NeedleInput::profile(std::size_t row_length, std::int32_t raise) const {
  std::vector<std::int16_t> rows(scoring_.count() * row_length, static_cast<std::int16_t>(raise));
  for (std::size_t letter = 0; letter < scoring_.count(); ++letter) {
    for (std::size_t j = 0; j < columns(); ++j) {
      rows[letter * row_length + j] = static_cast<std::int16_t>(scoring_.score(letter, second_[j]) + raise);
    }
  }
  return rows;
}

const std::vector<std::int32_t>& NeedleInput::last_row() const {
  std::call_once(once_, [this] {
    std::vector<std::int32_t> row(columns() + 1);
    for (std::size_t j = 0; j <= columns(); ++j) row[j] = -gap_ * static_cast<std::int32_t>(j);
    for (std::size_t i = 1; i <= rows(); ++i) {
      std::int32_t diagonal = row[0];
      row[0] = -gap_ * static_cast<std::int32_t>(i);
      for (std::size_t j = 1; j <= columns(); ++j) {
        const std::int32_t pair = diagonal + scoring_.score(first_[i - 1], second_[j - 1]);
        diagonal = row[j];
        row[j] = std::max(pair, std::max(row[j], row[j - 1]) - gap_);
      }
    }
    last_row_ = std::move(row);
  });
  return last_row_;
}

Check NeedleInput::check_score(std::int32_t got) const {
  const std::int32_t wanted = last_row().back();
  if (got == wanted) return {true, 0, 0, ""};
  return {false, std::abs(static_cast<double>(got) - wanted), 0,
          fmt::format("the score is {}, wanted {}", got, wanted)};
}

std::int32_t NeedleInput::wanted(const ScoreMatrix& got, std::size_t i, std::size_t j) const {
  if (i == 0 || j == 0) return -gap_ * static_cast<std::int32_t>(i + j);
  const int pair = scoring_.score(first_[i - 1], second_[j - 1]);
  return std::max(got.at(i - 1, j - 1) + pair, std::max(got.at(i - 1, j), got.at(i, j - 1)) - gap_);
}

Check NeedleInput::check_matrix(const ScoreMatrix& got) const {
  const auto failure = [&](std::size_t i, std::size_t j, std::int32_t right) {
    return Check{false, std::abs(static_cast<double>(got.at(i, j)) - right), 0,
                 fmt::format("cell ({}, {}) is {}, wanted {}", i, j, got.at(i, j), right)};
  };
  const std::vector<std::int16_t> scores = profile(columns(), 0);
  std::size_t bad_row = rows() + 1;
#pragma omp parallel for reduction(min : bad_row) schedule(static)
  for (std::size_t i = 0; i <= rows(); ++i) {
    const std::int32_t* row = got.cells + i * got.stride;
    bool right = row[0] == wanted(got, i, 0);
    if (i == 0) {
      for (std::size_t j = 1; j <= columns(); ++j) right = right && row[j] == wanted(got, 0, j);
    } else {
      const std::int16_t* letter_scores = scores.data() + first_[i - 1] * columns();
      right = right && follows({row - got.stride, row, letter_scores, columns(), gap_});
    }
    if (!right) bad_row = std::min(bad_row, i);
  }
  if (bad_row <= rows()) {
    for (std::size_t j = 0; j <= columns(); ++j) {
      if (got.at(bad_row, j) != wanted(got, bad_row, j)) return failure(bad_row, j, wanted(got, bad_row, j));
    }
  }
  for (std::size_t j = 0; j <= columns(); ++j) {
    if (got.at(rows(), j) != last_row()[j]) return failure(rows(), j, last_row()[j]);
  }
  return {true, 0, 0, ""};
}

std::string traced_alignment(const NeedleInput& input, const ScoreMatrix& matrix) {
  std::size_t i = input.rows();
  std::size_t j = input.columns();
  std::string first;
  std::string second;
  while (i > 0 || j > 0) {
    const std::int32_t here = matrix.at(i, j);
    const bool pair =
        i > 0 && j > 0 &&
        here == matrix.at(i - 1, j - 1) + input.scoring().score(input.first()[i - 1], input.second()[j - 1]);
    const bool gap_in_second = !pair && i > 0 && (j == 0 || here == matrix.at(i - 1, j) - input.gap());
    const bool takes_first = pair || gap_in_second;
    const bool takes_second = !gap_in_second;
    first += takes_first ? input.letters().first[--i] : '-';
    second += takes_second ? input.letters().second[--j] : '-';
  }
  std::reverse(first.begin(), first.end());
  std::reverse(second.begin(), second.end());
  return first + "\n" + second + "\n";
}

// --- the host's own version ---
//
// Scores raised by gap * (i + j) turn the recurrence into G[i][j] = max(t[j], G[i][j-1]) with
// t[j] = max(G[i-1][j-1] + s + 2 * gap, G[i-1][j]): a row is a prefix maximum, which vectors do in
// log2(lanes) steps along the row, where the matrix is contiguous. Borders are 0, and no raised score is
// below its left neighbour's. Threads take bands of rows in turn and follow each other from left to right, a
// chunk of columns apart.

namespace {

constexpr std::size_t lanes = 16;
constexpr std::size_t band_rows = 64;
constexpr std::size_t chunk_columns = 512;  // a row of the chunk stays in the first-level cache
using Lanes = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));
using Scores = std::int16_t __attribute__((vector_size(lanes * sizeof(std::int16_t))));

struct HostTile {
  const std::uint8_t* letters;
  std::size_t rows;
  const std::int16_t* profile;  // raised by 2 * gap, at the tile's first column
  std::size_t profile_stride;
  std::size_t vectors;  // columns / lanes
  std::int32_t* cells;  // the tile's first cell, aligned to a vector
  std::size_t stride;
  std::int32_t gap;
  std::int32_t distance;  // i + j of the tile's first cell
  std::int32_t* above;    // raised scores of the row above; of the last row afterwards
  std::int32_t* left;     // raised scores of the column left of each row; of the last column afterwards
  std::int32_t corner;    // raised score above `left`
};

#define MAXIMUM(a, b) ((a) > (b) ? (a) : (b))

// Past the caches: nobody reads these cells again, and a plain store would first fetch them.
inline __attribute__((always_inline)) void store_past_caches(std::int32_t* to, const Lanes& value) {
#ifdef __SSE2__
  __m128i quarters[4];
  std::memcpy(quarters, &value, sizeof quarters);
  for (int k = 0; k < 4; ++k) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + k, quarters[k]);
#else
  std::memcpy(to, &value, sizeof value);
#endif
}

FOR_EACH_X86_LEVEL void fill_tile(const HostTile& tile) {
  constexpr Lanes zero = {};
  constexpr Lanes iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const Lanes lane_terms = iota * tile.gap;
  std::int32_t corner = tile.corner;
  for (std::size_t row = 0; row < tile.rows; ++row) {
    const std::int16_t* scores = tile.profile + tile.letters[row] * tile.profile_stride;
    std::int32_t* cells = tile.cells + row * tile.stride;
    Lanes lowering = lane_terms + (tile.distance + static_cast<std::int32_t>(row)) * tile.gap;
    Lanes before = zero + corner;
    Lanes carry = zero + tile.left[row];
    corner = tile.left[row];
    for (std::size_t v = 0; v < tile.vectors; ++v) {
      Lanes above;
      Scores score;
      std::memcpy(&above, tile.above + v * lanes, sizeof above);
      std::memcpy(&score, scores + v * lanes, sizeof score);
      const Lanes diagonal = __builtin_shufflevector(before, above, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
                                                     25, 26, 27, 28, 29, 30);
      Lanes t = diagonal + __builtin_convertvector(score, Lanes);
      t = MAXIMUM(t, above);
      // Scores of the row above further left are never greater: they may come in at the front.
      Lanes moved =
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
      const Lanes last =
          __builtin_shufflevector(t, t, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
      t = MAXIMUM(t, carry);
      carry = MAXIMUM(carry, last);
      const Lanes lowered = t - lowering;
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
        (sizeof(Lanes) - address % sizeof(Lanes)) % sizeof(Lanes) / sizeof(std::int32_t);
    cells_ = storage_.data() + to_alignment + lanes - 1;
  }

  void reset() override {}
  void run() override;
  [[nodiscard]] Check check() const override { return input_->check_matrix({cells_, stride_}); }

 private:
  void fill_borders();
  void fill_band(std::size_t band, std::vector<Progress>& progress);

  std::shared_ptr<const NeedleInput> input_;
  int threads_;
  std::size_t columns_;
  std::size_t stride_;
  std::vector<std::int16_t> profile_;
  std::vector<std::int32_t> edge_;  // raised scores of the last row done in each column
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
