// What every result of des is compared with. Made from the standard's tables alone, it shares no code with
// the host version and the kernels.
#include "dwarfs/des/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>

#include "dwarfs/des/standard.hpp"
#include "dwarfs/des/standard_tables.hpp"

namespace dwarfsweep::des {
namespace {

// --- 64 blocks at once: word i of an array holds bit i + 1 of every block, a block in each bit of the words
// ---

constexpr std::size_t batch = 64;
using Half = std::array<std::uint64_t, 32>;

std::uint64_t repeated(std::uint64_t bit) {
  return 0 - (bit & 1U);
}

// The four output words of an S-box (from 0): for each value of the six inputs, the blocks that have it are
// added to the outputs whose bit is set in the standard's table.
std::array<std::uint64_t, 4> substituted_words(std::size_t box, const std::array<std::uint64_t, 6>& inputs) {
  std::array<std::uint64_t, 64>
      having{};  // having[value]: the blocks whose inputs, as far as read, are `value`
  having[0] = ~std::uint64_t{0};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t value = std::size_t{1} << i; value-- > 0;) {
      having[2 * value + 1] = having[value] & inputs[i];
      having[2 * value] = having[value] & ~inputs[i];
    }
  }
  std::array<std::uint64_t, 4> outputs{};
  for (std::size_t value = 0; value < 64; ++value) {
    const std::size_t row = (value >> 4U & 2U) | (value & 1U);
    const std::uint64_t nibble = substitutions[box][row * 16 + (value >> 1U & 15U)];
    for (std::size_t bit = 0; bit < 4; ++bit) outputs[bit] |= having[value] & repeated(nibble >> (3 - bit));
  }
  return outputs;
}

Half round_of(const Half& right, std::uint64_t round_key) {
  Half substitutes{};
  for (std::size_t box = 0; box < 8; ++box) {
    std::array<std::uint64_t, 6> inputs{};
    for (std::size_t i = 0; i < 6; ++i) {
      inputs[i] = right[expansion[6 * box + i] - 1U] ^ repeated(round_key >> (47 - 6 * box - i));
    }
    const auto outputs = substituted_words(box, inputs);
    std::copy(outputs.begin(), outputs.end(), substitutes.begin() + static_cast<std::ptrdiff_t>(4 * box));
  }
  Half result{};
  for (std::size_t i = 0; i < 32; ++i) result[i] = substitutes[permutation[i] - 1U];
  return result;
}

// Up to 64 words as they lie in memory.
void crypt_batch(std::span<const std::uint64_t> from, std::span<std::uint64_t> to, const RoundKeys& keys) {
  std::array<std::uint64_t, 64> bits{};
  for (std::size_t b = 0; b < from.size(); ++b) {
    const std::uint64_t block = to_block(from[b]);
    for (std::size_t i = 0; i < 64; ++i) bits[i] |= (block >> (63 - i) & 1U) << b;
  }
  Half left{};
  Half right{};
  for (std::size_t i = 0; i < 32; ++i) {
    left[i] = bits[initial_permutation[i] - 1U];
    right[i] = bits[initial_permutation[32 + i] - 1U];
  }
  for (const std::uint64_t key : keys) {
    Half next = round_of(right, key);
    for (std::size_t i = 0; i < 32; ++i) next[i] ^= left[i];
    left = right;
    right = next;
  }
  for (std::size_t i = 0; i < 32; ++i) {
    bits[initial_permutation[i] - 1U] = right[i];
    bits[initial_permutation[32 + i] - 1U] = left[i];
  }
  for (std::size_t b = 0; b < to.size(); ++b) {
    std::uint64_t block = 0;
    for (std::size_t i = 0; i < 64; ++i) block = block << 1U | (bits[i] >> b & 1U);
    to[b] = to_memory(block);
  }
}

std::vector<std::uint64_t> crypted(std::span<const std::uint64_t> data, const RoundKeys& keys) {
  std::vector<std::uint64_t> result(data.size());
  const int all_threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int threads = data.size() < 10'000 ? 1 : all_threads;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t begin = 0; begin < data.size(); begin += batch) {
    const std::size_t count = std::min(batch, data.size() - begin);
    crypt_batch(data.subspan(begin, count), std::span(result).subspan(begin, count), keys);
  }
  return result;
}

}  // namespace

Check Reference::compare(std::span<const std::uint64_t> got) const {
  std::call_once(once_, [this] { wanted_ = crypted(data_, round_keys_in_use(key_, decrypt_)); });
  if (got.size() != wanted_.size()) {
    return {false, 1, 0, fmt::format("{} blocks came back, wanted {}", got.size(), wanted_.size())};
  }
  const auto [at, wanted] = std::mismatch(got.begin(), got.end(), wanted_.begin());
  if (at == got.end()) return {true, 0, 0, ""};
  return {
      false, 1, 0,
      fmt::format("block {} is {:016x}, wanted {:016x}", at - got.begin(), to_block(*at), to_block(*wanted))};
}

Check compare_found(const Search& search, std::span<const std::uint64_t> indices) {
  for (const std::uint64_t index : indices) {
    const std::uint64_t key = key_of_chosen_bits(searched_bits(search.base, index));
    const bool right = index < search.keys && crypt_block(search.plaintext, key, false) == search.ciphertext;
    if (!right) return {false, 1, 0, fmt::format("key {} ({:016x}) was reported and is none", index, key)};
  }
  const auto times = std::count(indices.begin(), indices.end(), search.planted);
  if (times == 1) return {true, 0, 0, ""};
  return {false, 1, 0,
          fmt::format("key {} ({:016x}) was reported {} times among {}, wanted once", search.planted,
                      planted_key(search), times, indices.size())};
}

}  // namespace dwarfsweep::des
