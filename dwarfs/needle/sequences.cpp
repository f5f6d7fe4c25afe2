#include "dwarfs/needle/sequences.hpp"

#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "harness/space/error.hpp"

namespace dwarfsweep {
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

}  // namespace dwarfsweep
