// What Needleman-Wunsch needs beside its kernels: scoring, sequences, the check, the alignment, the host's
// own version.
//
// Global alignment with a linear gap penalty (S. B. Needleman and C. D. Wunsch, "A general method applicable
// to the search for similarities in the amino acid sequence of two proteins", Journal of Molecular Biology
// 48(3), 1970):
//   H[0][j] = -gap * j,  H[i][0] = -gap * i,
//   H[i][j] = max(H[i-1][j-1] + s(first[i-1], second[j-1]), H[i-1][j] - gap, H[i][j-1] - gap).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep {

/// Letters and the score of each pair of them. A letter's place in `letters` is its code.
struct Scoring {
  std::string name;
  std::string letters;
  std::vector<std::int8_t> table;  ///< letters.size() squared, symmetric

  [[nodiscard]] std::size_t count() const { return letters.size(); }
  [[nodiscard]] int score(std::size_t a, std::size_t b) const { return table[a * count() + b]; }
};

/// "dna" or "blosum62".
const Scoring& scoring_of(const std::string& name);

/// A matrix of scores whose cell (i, j) is cells[i * stride + j].
struct ScoreMatrix {
  const std::int32_t* cells;
  std::size_t stride;

  [[nodiscard]] std::int32_t at(std::size_t i, std::size_t j) const { return cells[i * stride + j]; }
};

struct SequencePair {
  std::string first;
  std::string second;
};

class NeedleInput final : public Input {
 public:
  /// Throws UsageError for a letter that the scoring does not know.
  NeedleInput(SequencePair letters, const Scoring& scoring, std::int32_t gap);

  [[nodiscard]] std::size_t rows() const { return first_.size(); }      ///< m
  [[nodiscard]] std::size_t columns() const { return second_.size(); }  ///< n
  [[nodiscard]] const SequencePair& letters() const { return letters_; }
  [[nodiscard]] const Scoring& scoring() const { return scoring_; }
  [[nodiscard]] std::int32_t gap() const { return gap_; }
  [[nodiscard]] const std::vector<std::uint8_t>& first() const { return first_; }    ///< codes
  [[nodiscard]] const std::vector<std::uint8_t>& second() const { return second_; }  ///< codes

  /// For every letter a row of its scores with each of `second`, each raised by `raise`; rows of
  /// `row_length`, at least columns(), whose tails hold `raise`.
  [[nodiscard]] std::vector<std::int16_t> profile(std::size_t row_length, std::int32_t raise) const;

  /// The last row of a serial fill, row by row, done once; its last cell is the score.
  [[nodiscard]] const std::vector<std::int32_t>& last_row() const;

  [[nodiscard]] Check check_score(std::int32_t got) const;
  /// Every cell must be what the recurrence makes of its neighbours, and the borders what the definition
  /// says: by induction from the first cell on, that is equality with a serial fill. The last row is compared
  /// with one.
  [[nodiscard]] Check check_matrix(const ScoreMatrix& got) const;

 private:
  [[nodiscard]] std::int32_t wanted(const ScoreMatrix& got, std::size_t i, std::size_t j) const;

  SequencePair letters_;
  const Scoring& scoring_;
  std::int32_t gap_;
  std::vector<std::uint8_t> first_;
  std::vector<std::uint8_t> second_;
  mutable std::once_flag once_;
  mutable std::vector<std::int32_t> last_row_;
};

/// The alignment that a right matrix tells: two lines of equal length, '-' for a gap. Where several
/// alignments have the best score, going back from the end a pair is preferred to a gap in `second`, and that
/// to a gap in `first`.
std::string traced_alignment(const NeedleInput& input, const ScoreMatrix& matrix);

/// Fills all (m + 1) x (n + 1) cells on so many threads.
std::unique_ptr<HostCase> needle_host_case(std::shared_ptr<const NeedleInput> input, int threads);

}  // namespace dwarfsweep
