// The check of scores. Shares no code with the kernels or the host's version.
//
// Global alignment with a linear gap penalty (S. B. Needleman and C. D. Wunsch, "A general method applicable
// to the search for similarities in the amino acid sequence of two proteins", Journal of Molecular Biology
// 48(3), 1970):
//   H[0][j] = -gap * j,  H[i][0] = -gap * i,
//   H[i][j] = max(H[i-1][j-1] + s(first[i-1], second[j-1]), H[i-1][j] - gap, H[i][j-1] - gap).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "dwarfs/needle/sequences.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

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

  /// Of cell (m, n).
  [[nodiscard]] Check check_score(std::int32_t got) const;
  /// Of all (m + 1) x (n + 1) cells. Every cell must be what the recurrence makes of its neighbours, and the
  /// borders what the definition says: by induction from the first cell on, that is equality with a serial
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

}  // namespace dwarfsweep
