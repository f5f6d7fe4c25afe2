// The sequences that needle aligns, their scoring, and the check of a matrix or score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

// What a pair of letters scores: BLOSUM62 for proteins, match and mismatch for DNA.

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

// Two sequences of letters and how they score.

struct SequencePair {
  std::string first;
  std::string second;
};

class Sequences {
 public:
  /// Throws UsageError for a letter that the scoring does not know. `scoring` must outlive this.
  Sequences(SequencePair letters, const Scoring& scoring, std::int32_t gap);

  [[nodiscard]] std::size_t rows() const { return first_.size(); }      ///< m
  [[nodiscard]] std::size_t columns() const { return second_.size(); }  ///< n
  [[nodiscard]] const SequencePair& letters() const { return letters_; }
  [[nodiscard]] const Scoring& scoring() const { return scoring_; }
  [[nodiscard]] std::int32_t gap() const { return gap_; }
  [[nodiscard]] const std::vector<std::uint8_t>& first() const { return first_; }    ///< codes
  [[nodiscard]] const std::vector<std::uint8_t>& second() const { return second_; }  ///< codes

  /// For every letter a row of its scores with each of `second`, each plus `offset`; rows of `row_length`, at
  /// least columns(), whose tails hold `offset`.
  [[nodiscard]] std::vector<std::int16_t> profile(std::size_t row_length, std::int32_t offset) const;

 private:
  SequencePair letters_;
  const Scoring& scoring_;
  std::int32_t gap_;
  std::vector<std::uint8_t> first_;
  std::vector<std::uint8_t> second_;
};

// The check of scores. Shares no code with the kernels or the host's version.
//
// Global alignment with a linear gap penalty (S. B. Needleman and C. D. Wunsch, "A general method applicable
// to the search for similarities in the amino acid sequence of two proteins", Journal of Molecular Biology
// 48(3), 1970):
//   H[0][j] = -gap * j,  H[i][0] = -gap * i,
//   H[i][j] = max(H[i-1][j-1] + s(first[i-1], second[j-1]), H[i-1][j] - gap, H[i][j-1] - gap).

/// A matrix of scores whose cell (i, j) is cells[i * stride + j].
struct ScoreMatrix {
  const std::int32_t* cells;
  std::size_t stride;

  [[nodiscard]] std::int32_t at(std::size_t i, std::size_t j) const { return cells[i * stride + j]; }
};

class ScoreVerification {
 public:
  /// `sequences` must outlive this.
  explicit ScoreVerification(const Sequences& sequences) : sequences_(sequences) {}

  /// Checks cell (m, n).
  [[nodiscard]] Check check_score(std::int32_t got) const;
  /// Checks all (m + 1) x (n + 1) cells. Every cell must follow from its neighbours by the recurrence, and
  /// the borders from the definition. By induction from the first cell on, the matrix then equals a serial
  /// fill. The last row is compared with one.
  [[nodiscard]] Check check_matrix(const ScoreMatrix& got) const;
  /// The last row of a serial fill, computed row by row when first asked for; its last cell is the score.
  [[nodiscard]] const std::vector<std::int32_t>& last_row() const;

 private:
  [[nodiscard]] std::int32_t wanted(const ScoreMatrix& got, std::size_t i, std::size_t j) const;

  const Sequences& sequences_;
  mutable std::once_flag once_;
  mutable std::vector<std::int32_t> last_row_;
};

// The sequences that needle aligns: random ones, and those from files.

/// Two sequences and the check of their scores.
class NeedleInput final : public Input, public Sequences {
 public:
  /// Throws UsageError for a letter that the scoring does not know. `scoring` must outlive this.
  NeedleInput(SequencePair letters, const Scoring& scoring, std::int32_t gap)
      : Sequences(std::move(letters), scoring, gap), verification_(*this) {}

  [[nodiscard]] const ScoreVerification& verification() const { return verification_; }

 private:
  ScoreVerification verification_;
};

/// Letters drawn uniformly, the same on every machine. `problem` has the keys m, n, scoring and gap.
std::shared_ptr<NeedleInput> random_sequences(const Problem& problem, std::uint64_t seed);

}  // namespace dwarfsweep
