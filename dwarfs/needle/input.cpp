#include "dwarfs/needle/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

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

namespace {

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

}  // namespace

Sequences::Sequences(SequencePair letters, const Scoring& scoring, std::int32_t gap)
    : letters_(std::move(letters)),
      scoring_(scoring),
      gap_(gap),
      first_(codes_of(letters_.first, scoring, "first")),
      second_(codes_of(letters_.second, scoring, "second")) {}

std::vector<std::int16_t> Sequences::profile(std::size_t row_length, std::int32_t offset) const {
  std::vector<std::int16_t> rows(scoring_.count() * row_length, static_cast<std::int16_t>(offset));
  for (std::size_t letter = 0; letter < scoring_.count(); ++letter) {
    for (std::size_t j = 0; j < columns(); ++j) {
      rows[letter * row_length + j] = static_cast<std::int16_t>(scoring_.score(letter, second_[j]) + offset);
    }
  }
  return rows;
}

namespace {

std::string random_letters(Random& random, std::int64_t length, const Scoring& scoring) {
  // The 20 plain residues come first; the ambiguous ones and '*' are rare in nature.
  const std::uint64_t kinds = std::min<std::uint64_t>(20, scoring.count());
  std::string letters(static_cast<std::size_t>(length), ' ');
  for (char& letter : letters) letter = scoring.letters[random.below(kinds)];
  return letters;
}

}  // namespace

std::shared_ptr<NeedleInput> random_sequences(const Problem& problem, std::uint64_t seed) {
  const Scoring& scoring = scoring_of(problem.string("scoring"));
  Random random(seed);
  SequencePair letters;
  letters.first = random_letters(random, problem.integer("m"), scoring);
  letters.second = random_letters(random, problem.integer("n"), scoring);
  return std::make_shared<NeedleInput>(std::move(letters), scoring,
                                       static_cast<std::int32_t>(problem.integer("gap")));
}

}  // namespace dwarfsweep
