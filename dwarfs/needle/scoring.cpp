#include "dwarfs/needle/scoring.hpp"

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

}  // namespace

const Scoring& scoring_of(const std::string& name) {
  static const Scoring blosum62 = make_blosum62();
  static const Scoring dna = make_dna();
  return name == "dna" ? dna : blosum62;
}

}  // namespace dwarfsweep
