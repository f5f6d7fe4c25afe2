#include "dwarfs/needle/alignment.hpp"

#include <algorithm>

namespace dwarfsweep {

std::string traced_alignment(const Sequences& sequences, const ScoreMatrix& matrix) {
  std::size_t i = sequences.rows();
  std::size_t j = sequences.columns();
  std::string first;
  std::string second;
  while (i > 0 || j > 0) {
    const std::int32_t here = matrix.at(i, j);
    const bool pair = i > 0 && j > 0 &&
                      here == matrix.at(i - 1, j - 1) + sequences.scoring().score(sequences.first()[i - 1],
                                                                                  sequences.second()[j - 1]);
    const bool gap_in_second = !pair && i > 0 && (j == 0 || here == matrix.at(i - 1, j) - sequences.gap());
    const bool takes_first = pair || gap_in_second;
    const bool takes_second = !gap_in_second;
    first += takes_first ? sequences.letters().first[--i] : '-';
    second += takes_second ? sequences.letters().second[--j] : '-';
  }
  std::reverse(first.begin(), first.end());
  std::reverse(second.begin(), second.end());
  return first + "\n" + second + "\n";
}

}  // namespace dwarfsweep
