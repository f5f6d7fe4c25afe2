#include "dwarfs/rc5_72/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::rc5_72 {
namespace {

Block block_of(std::uint64_t words) {
  return {static_cast<std::uint32_t>(words >> 32U), static_cast<std::uint32_t>(words)};
}

// The value of "0x..." of up to 16 digits.
std::uint64_t number_of(const std::string& text) {
  return std::stoull(text, nullptr, 16);
}

Key key_of(const std::string& text) {
  std::string digits = text.substr(2);
  digits.insert(0, 18 - digits.size(), '0');
  return {number_of(digits.substr(0, 16)), static_cast<std::uint8_t>(number_of(digits.substr(16)))};
}

}  // namespace

std::string text_of(const Block& block) {
  return fmt::format("0x{:08x}{:08x}", block.a, block.b);
}

std::string text_of(const Key& key) {
  return fmt::format("0x{:016x}{:02x}", key.prefix, key.last);
}

std::shared_ptr<const SearchInput> generate_search(const Problem& problem, std::uint64_t seed) {
  Random random(seed);
  Search search;
  search.keys = static_cast<std::uint64_t>(problem.integer("keys"));
  constexpr std::uint64_t prefixes = std::uint64_t{1} << 41U;  // more than any search has
  // Drawn in this order, also those that the problem gives.
  const Key first{random.below(std::numeric_limits<std::uint64_t>::max() - prefixes),
                  static_cast<std::uint8_t>(random.below(256))};
  const auto block = [&](const char* name) {
    const Block drawn = block_of(random.next());
    const std::string& text = problem.string(name);
    return text == "random" ? drawn : block_of(number_of(text));
  };
  search.first = problem.string("first") == "random" ? first : key_of(problem.string("first"));
  search.plain = block("plain");
  search.iv = block("iv");
  const std::uint64_t planted = random.below(search.keys);
  const std::uint64_t more = (search.first.last + (search.keys - 1)) >> 8U;
  if (more > std::numeric_limits<std::uint64_t>::max() - search.first.prefix) {
    throw UsageError(
        fmt::format("rc5_72: {} keys from {} on go beyond the last key of 72 bits; lower 'keys' or 'first'",
                    search.keys, text_of(search.first)));
  }
  if (problem.string("cipher") == "planted") {
    search.planted = planted;
    search.cipher = reference_encrypted(bytes_of(search.first.plus(planted)), 12, search.whitened());
  } else {
    search.cipher = block_of(number_of(problem.string("cipher")));
  }
  return std::make_shared<SearchInput>(search);
}

}  // namespace dwarfsweep::rc5_72
