// Sixteen keys at a time, which differ in the last byte alone: what depends on the other bytes is computed
// once for them, and the rest is loops over the sixteen that compilers make vectors of.
#include <algorithm>
#include <array>
#include <bit>

#include "dwarfs/rc5_72/rc5_72.hpp"
#include "dwarfs/x86_levels.hpp"

namespace dwarfsweep::rc5_72 {
namespace {

constexpr std::size_t lanes = 16;
constexpr std::uint32_t magic_p = 0xB7E15163;
constexpr std::uint32_t magic_q = 0x9E3779B9;

std::uint32_t rotated(std::uint32_t word, std::uint32_t by) {
  return word << (by & 31U) | word >> (-by & 31U);
}

std::uint32_t little_endian(std::uint64_t bytes) {
  const auto word = static_cast<std::uint32_t>(bytes);
  return word >> 24U | (word >> 8U & 0xFF00U) | (word << 8U & 0xFF0000U) | word << 24U;
}

// The blocks that the keys `first` to `first` + 15 encrypt `plain` to.
FOR_EACH_X86_LEVEL void encrypt_lanes(Key first, Block plain, std::uint32_t* __restrict x,
                                      std::uint32_t* __restrict y) {
  std::uint32_t s[26][lanes];
  std::uint32_t l[3][lanes];
  std::uint32_t a[lanes];
  std::uint32_t b[lanes];
  const std::uint32_t s0 = rotated(magic_p, 3);
  const std::uint32_t l0 = rotated(little_endian(first.prefix >> 32U) + s0, s0);
  const std::uint32_t s1 = rotated(magic_p + magic_q + s0 + l0, 3);
  const std::uint32_t l1 = rotated(little_endian(first.prefix) + s1 + l0, s1 + l0);
  const std::uint32_t s2 = rotated(magic_p + 2 * magic_q + s1 + l1, 3);
  for (std::size_t k = 0; k < lanes; ++k) {
    s[0][k] = s0;
    s[1][k] = s1;
    s[2][k] = a[k] = s2;
    l[0][k] = l0;
    l[1][k] = l1;
    l[2][k] = b[k] = rotated(static_cast<std::uint32_t>(first.last + k) + s2 + l1, s2 + l1);
  }
  for (std::size_t i = 3; i < 26; ++i) {
    for (std::size_t k = 0; k < lanes; ++k) s[i][k] = magic_p + static_cast<std::uint32_t>(i) * magic_q;
  }
  for (std::size_t step = 3; step < 78; ++step) {
    std::uint32_t* const subkey = s[step % 26];
    std::uint32_t* const word = l[step % 3];
    for (std::size_t k = 0; k < lanes; ++k) {
      a[k] = subkey[k] = rotated(subkey[k] + a[k] + b[k], 3);
      const std::uint32_t sum = a[k] + b[k];
      b[k] = word[k] = rotated(word[k] + sum, sum);
    }
  }
  for (std::size_t k = 0; k < lanes; ++k) {
    a[k] = plain.a + s[0][k];
    b[k] = plain.b + s[1][k];
  }
  for (std::size_t i = 2; i < 26; i += 2) {
    for (std::size_t k = 0; k < lanes; ++k) {
      a[k] = rotated(a[k] ^ b[k], b[k]) + s[i][k];
      b[k] = rotated(b[k] ^ a[k], a[k]) + s[i + 1][k];
    }
  }
  std::copy_n(a, lanes, x);
  std::copy_n(b, lanes, y);
}

class SearchHostCase final : public HostCase {
 public:
  SearchHostCase(std::shared_ptr<const SearchInput> input, int threads)
      : input_(std::move(input)), threads_(threads) {}

  void reset() override { found_ = {}; }
  void run() override {
    // Counted from the first key with these 68 bits.
    const Search& search = input_->search();
    const std::uint64_t skipped = search.first.last % lanes;
    const Key begin{search.first.prefix, static_cast<std::uint8_t>(search.first.last - skipped)};
    const std::uint64_t blocks = (skipped + search.keys + lanes - 1) / lanes;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::uint64_t block = 0; block < blocks; ++block) try_block(search, begin, skipped, block);
  }
  [[nodiscard]] Check check() const override {
    return input_->check(found_);
  }

 private:
  void try_block(const Search& search, Key begin, std::uint64_t skipped, std::uint64_t block) {
    std::array<std::uint32_t, lanes> x{};
    std::array<std::uint32_t, lanes> y{};
    encrypt_lanes(begin.plus(block * lanes), search.whitened(), x.data(), y.data());
    for (std::size_t k = 0; k < lanes; ++k) {
      if (x[k] == search.cipher.a) note(search, block * lanes + k - skipped, y[k] == search.cipher.b);
    }
  }
  // Numbers below zero are large ones.
  void note(const Search& search, std::uint64_t number, bool matches) {
    if (number >= search.keys) return;
#pragma omp critical(rc5_72_found)
    {
      found_.halves.push_back(number);
      if (matches) found_.matches.push_back(number);
    }
  }

  std::shared_ptr<const SearchInput> input_;
  int threads_;
  Found found_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const SearchInput> input, int threads) {
  return std::make_unique<SearchHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::rc5_72
