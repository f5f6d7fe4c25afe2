#include "dwarfs/needle/input.hpp"

#include <algorithm>

#include "harness/statistics/random.hpp"

namespace dwarfsweep {
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
