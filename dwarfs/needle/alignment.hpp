// The alignment of two sequences, traced back through the matrix of their scores.
#pragma once

#include <string>

#include "dwarfs/needle/sequences.hpp"
#include "dwarfs/needle/verification.hpp"

namespace dwarfsweep {

/// The alignment that a correct matrix contains: two lines of equal length, '-' for a gap. Where several
/// alignments have the best score, going back from the end a pair is preferred to a gap in `second`, and that
/// to a gap in `first`.
std::string traced_alignment(const Sequences& sequences, const ScoreMatrix& matrix);

}  // namespace dwarfsweep
