// The check of a search. It encrypts by the definition of RC5, for any number of rounds and any key; it
// shares no code with the host version and the kernels.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "dwarfs/rc5_72/search.hpp"

namespace dwarfsweep::rc5_72 {
namespace {

// Rotates to the left by the five lowest bits of `amount`.
std::uint32_t turned(std::uint32_t word, std::uint32_t amount) {
  for (std::uint32_t bit = 0; bit < 5; ++bit) {
    const std::uint32_t by = 1U << bit;
    if ((amount >> bit & 1U) != 0) word = word << by | word >> (32U - by);
  }
  return word;
}

std::vector<std::uint32_t> words_of(std::span<const std::uint8_t> key) {
  std::vector<std::uint32_t> words(std::max<std::size_t>(1, (key.size() + 3) / 4));
  for (std::size_t i = 0; i < key.size(); ++i) words[i / 4] |= std::uint32_t{key[i]} << 8 * (i % 4);
  return words;
}

Check failed(std::string message) {
  return {false, 1, 0, std::move(message)};
}

// What one list has that is wrong, whatever else it should have.
std::string first_error(const Search& search, const std::vector<std::uint64_t>& numbers, bool whole) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t number = numbers[i];
    if (i > 0 && numbers[i - 1] == number) return fmt::format("key {} was reported twice", number);
    if (number >= search.keys)
      return fmt::format("key {} was reported, but there are {} keys", number, search.keys);
    const Key key = search.first.plus(number);
    const Block got = reference_encrypted(bytes_of(key), 12, search.whitened());
    if (got.a != search.cipher.a || (whole && got.b != search.cipher.b)) {
      return fmt::format("key {} ({}) was reported, but it encrypts to {}, wanted {}", number, text_of(key),
                         text_of(got), text_of(search.cipher));
    }
  }
  return "";
}

}  // namespace

std::vector<std::uint8_t> bytes_of(const Key& key) {
  std::vector<std::uint8_t> bytes;
  for (unsigned i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(key.prefix >> (56 - 8 * i)));
  bytes.push_back(key.last);
  return bytes;
}

Block reference_encrypted(std::span<const std::uint8_t> key, unsigned rounds, Block plain) {
  constexpr std::uint32_t odd_of_e = 0xB7E15163;       // Odd((e - 2) 2^32)
  constexpr std::uint32_t odd_of_golden = 0x9E3779B9;  // Odd((golden ratio - 1) 2^32)
  std::vector<std::uint32_t> words = words_of(key);
  std::vector<std::uint32_t> table(2 * (rounds + 1), odd_of_e);
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = table[i - 1] + odd_of_golden;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  for (std::size_t step = 0; step < 3 * std::max(table.size(), words.size()); ++step) {
    std::uint32_t& entry = table[step % table.size()];
    std::uint32_t& word = words[step % words.size()];
    a = entry = turned(entry + a + b, 3);
    b = word = turned(word + a + b, a + b);
  }
  plain.a += table[0];
  plain.b += table[1];
  for (std::size_t round = 1; round <= rounds; ++round) {
    plain.a = turned(plain.a ^ plain.b, plain.b) + table[2 * round];
    plain.b = turned(plain.b ^ plain.a, plain.a) + table[2 * round + 1];
  }
  return plain;
}

const Found& SearchInput::wanted() const {
  std::call_once(once_, [this] {
    const int all_threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const int threads = search_.keys < 2000 ? 1 : all_threads;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::uint64_t number = 0; number < search_.keys; ++number) {
      const Block got = reference_encrypted(bytes_of(search_.first.plus(number)), 12, search_.whitened());
      if (got.a != search_.cipher.a) continue;
#pragma omp critical(rc5_72_wanted)
      {
        wanted_.halves.push_back(number);
        if (got.b == search_.cipher.b) wanted_.matches.push_back(number);
      }
    }
    std::sort(wanted_.halves.begin(), wanted_.halves.end());
    std::sort(wanted_.matches.begin(), wanted_.matches.end());
  });
  return wanted_;
}

Check SearchInput::check(Found found) const {
  std::sort(found.matches.begin(), found.matches.end());
  std::sort(found.halves.begin(), found.halves.end());
  for (const bool whole : {true, false}) {
    const std::string error = first_error(search_, whole ? found.matches : found.halves, whole);
    if (!error.empty()) return failed(error);
  }
  if (!std::includes(found.halves.begin(), found.halves.end(), found.matches.begin(), found.matches.end()))
    return failed("a key that matches was not counted among those whose first word does");
  if (search_.planted && !std::binary_search(found.matches.begin(), found.matches.end(), *search_.planted)) {
    return failed(fmt::format("key {} ({}) was not found among {} keys", *search_.planted,
                              text_of(search_.first.plus(*search_.planted)), search_.keys));
  }
  if (search_.keys <= exhaustive_keys &&
      (found.matches != wanted().matches || found.halves != wanted().halves)) {
    return failed(fmt::format("{} matches and {} matches of the first word were reported, wanted {} and {}",
                              found.matches.size(), found.halves.size(), wanted().matches.size(),
                              wanted().halves.size()));
  }
  return {true, 0, 0, ""};
}

}  // namespace dwarfsweep::rc5_72
