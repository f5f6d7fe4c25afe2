// What a pair of letters scores: BLOSUM62 for proteins, match and mismatch for DNA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace dwarfsweep
