#include "dwarfs/micro/input.hpp"

#include "harness/statistics/random.hpp"

namespace dwarfsweep::micro {
namespace {

std::vector<std::uint32_t> random_words(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> words(count);
  Random random(seed);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random.next() >> 32U);
  return words;
}

}  // namespace

MicroInput::MicroInput(const Parameters& parameters, std::uint64_t seed)
    : parameters_(parameters), seeds_(random_words(parameters.items, seed)), reference_(parameters, seeds_) {}

std::shared_ptr<const Input> generate(const Problem& problem, std::uint64_t seed) {
  const Parameters parameters{static_cast<std::size_t>(problem.integer("items")),
                              static_cast<std::uint32_t>(problem.integer("rounds")),
                              static_cast<std::uint32_t>(problem.integer("bits"))};
  return std::make_shared<MicroInput>(parameters, seed);
}

}  // namespace dwarfsweep::micro
