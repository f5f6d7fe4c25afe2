#include "dwarfs/needle/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep {
namespace {

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

std::vector<std::int32_t> serial_last_row(const Sequences& sequences) {
  const std::size_t columns = sequences.columns();
  const std::int32_t gap = sequences.gap();
  std::vector<std::int32_t> row(columns + 1);
  for (std::size_t j = 0; j <= columns; ++j) row[j] = -gap * static_cast<std::int32_t>(j);
  for (std::size_t i = 1; i <= sequences.rows(); ++i) {
    const std::size_t letter = sequences.first()[i - 1];
    std::int32_t diagonal = row[0];
    row[0] = -gap * static_cast<std::int32_t>(i);
    for (std::size_t j = 1; j <= columns; ++j) {
      const std::int32_t pair = diagonal + sequences.scoring().score(letter, sequences.second()[j - 1]);
      diagonal = row[j];
      row[j] = std::max(pair, std::max(row[j], row[j - 1]) - gap);
    }
  }
  return row;
}

}  // namespace

const std::vector<std::int32_t>& ScoreVerification::last_row() const {
  std::call_once(once_, [this] { last_row_ = serial_last_row(sequences_); });
  return last_row_;
}

Check ScoreVerification::check_score(std::int32_t got) const {
  const std::int32_t wanted = last_row().back();
  if (got == wanted) return {true, 0, 0, ""};
  return {false, std::abs(static_cast<double>(got) - wanted), 0,
          fmt::format("the score is {}, wanted {}", got, wanted)};
}

std::int32_t ScoreVerification::wanted(const ScoreMatrix& got, std::size_t i, std::size_t j) const {
  if (i == 0 || j == 0) return -sequences_.gap() * static_cast<std::int32_t>(i + j);
  const int pair = sequences_.scoring().score(sequences_.first()[i - 1], sequences_.second()[j - 1]);
  return std::max(got.at(i - 1, j - 1) + pair,
                  std::max(got.at(i - 1, j), got.at(i, j - 1)) - sequences_.gap());
}

Check ScoreVerification::check_matrix(const ScoreMatrix& got) const {
  const auto failure = [&](std::size_t i, std::size_t j, std::int32_t right) {
    return Check{false, std::abs(static_cast<double>(got.at(i, j)) - right), 0,
                 fmt::format("cell ({}, {}) is {}, wanted {}", i, j, got.at(i, j), right)};
  };
  const std::size_t rows = sequences_.rows();
  const std::size_t columns = sequences_.columns();
  const std::vector<std::int16_t> scores = sequences_.profile(columns, 0);
  std::size_t bad_row = rows + 1;
#pragma omp parallel for reduction(min : bad_row) schedule(static)
  for (std::size_t i = 0; i <= rows; ++i) {
    const std::int32_t* row = got.cells + i * got.stride;
    bool is_right = row[0] == wanted(got, i, 0);
    if (i == 0) {
      for (std::size_t j = 1; j <= columns; ++j) is_right = is_right && row[j] == wanted(got, 0, j);
    } else {
      const std::int16_t* letter_scores = scores.data() + sequences_.first()[i - 1] * columns;
      is_right = is_right && follows({row - got.stride, row, letter_scores, columns, sequences_.gap()});
    }
    if (!is_right) bad_row = std::min(bad_row, i);
  }
  if (bad_row <= rows) {
    for (std::size_t j = 0; j <= columns; ++j) {
      if (got.at(bad_row, j) != wanted(got, bad_row, j)) return failure(bad_row, j, wanted(got, bad_row, j));
    }
  }
  for (std::size_t j = 0; j <= columns; ++j) {
    if (got.at(rows, j) != last_row()[j]) return failure(rows, j, last_row()[j]);
  }
  return {true, 0, 0, ""};
}

}  // namespace dwarfsweep
