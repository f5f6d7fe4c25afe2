#include "dwarfs/des/standard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>

#include "harness/rounding.hpp"

namespace dwarfsweep::des {
namespace {

// --- the tables of FIPS 46-3, as printed: bit numbers from 1, rows and columns of the S-boxes ---

constexpr std::array<std::uint8_t, 64> initial_permutation = {
    58, 50, 42, 34, 26, 18, 10, 2,  60, 52, 44, 36, 28, 20, 12, 4,  62, 54, 46, 38, 30, 22,
    14, 6,  64, 56, 48, 40, 32, 24, 16, 8,  57, 49, 41, 33, 25, 17, 9,  1,  59, 51, 43, 35,
    27, 19, 11, 3,  61, 53, 45, 37, 29, 21, 13, 5,  63, 55, 47, 39, 31, 23, 15, 7};

constexpr std::array<std::uint8_t, 48> expansion = {
    32, 1,  2,  3,  4,  5,  4,  5,  6,  7,  8,  9,  8,  9,  10, 11, 12, 13, 12, 13, 14, 15, 16, 17,
    16, 17, 18, 19, 20, 21, 20, 21, 22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1};

constexpr std::array<std::uint8_t, 32> permutation = {16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23,
                                                      26, 5, 18, 31, 10, 2,  8,  24, 14, 32, 27,
                                                      3,  9, 19, 13, 30, 6,  22, 11, 4,  25};

constexpr std::array<std::uint8_t, 56> permuted_choice_1 = {
    57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18, 10, 2,  59, 51, 43,
    35, 27, 19, 11, 3,  60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,  62, 54,
    46, 38, 30, 22, 14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4};

constexpr std::array<std::uint8_t, 48> permuted_choice_2 = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,  26, 8,  16, 7,  27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};

constexpr std::array<std::uint8_t, 16> left_shifts = {1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1};

constexpr std::array<std::array<std::uint8_t, 64>, 8> substitutions = {{
    {14, 4,  13, 1, 2,  15, 11, 8, 3, 10, 6, 12, 5,  9,  0,  7,  0,  15, 7,  4,  14, 2,
     13, 1,  10, 6, 12, 11, 9,  5, 3, 8,  4, 1,  14, 8,  13, 6,  2,  11, 15, 12, 9,  7,
     3,  10, 5,  0, 15, 12, 8,  2, 4, 9,  1, 7,  5,  11, 3,  14, 10, 0,  6,  13},
    {15, 1,  8,  14, 6,  11, 3,  4, 9,  7,  2, 13, 12, 0,  5,  10, 3,  13, 4,  7, 15, 2,
     8,  14, 12, 0,  1,  10, 6,  9, 11, 5,  0, 14, 7,  11, 10, 4,  13, 1,  5,  8, 12, 6,
     9,  3,  2,  15, 13, 8,  10, 1, 3,  15, 4, 2,  11, 6,  7,  12, 0,  5,  14, 9},
    {10, 0,  9,  14, 6, 3,  15, 5,  1,  13, 12, 7, 11, 4,  2,  8,  13, 7, 0,  9, 3, 4,
     6,  10, 2,  8,  5, 14, 12, 11, 15, 1,  13, 6, 4,  9,  8,  15, 3,  0, 11, 1, 2, 12,
     5,  10, 14, 7,  1, 10, 13, 0,  6,  9,  8,  7, 4,  15, 14, 3,  11, 5, 2,  12},
    {7, 13, 14, 3, 0, 6,  9, 10, 1,  2, 8,  5, 11, 12, 4,  15, 13, 8,  11, 5, 6, 15,
     0, 3,  4,  7, 2, 12, 1, 10, 14, 9, 10, 6, 9,  0,  12, 11, 7,  13, 15, 1, 3, 14,
     5, 2,  8,  4, 3, 15, 0, 6,  10, 1, 13, 8, 9,  4,  5,  11, 12, 7,  2,  14},
    {2,  12, 4, 1,  7,  10, 11, 6, 8, 5,  3, 15, 13, 0,  14, 9,  14, 11, 2,  12, 4,  7,
     13, 1,  5, 0,  15, 10, 3,  9, 8, 6,  4, 2,  1,  11, 10, 13, 7,  8,  15, 9,  12, 5,
     6,  3,  0, 14, 11, 8,  12, 7, 1, 14, 2, 13, 6,  15, 0,  9,  10, 4,  5,  3},
    {12, 1,  10, 15, 9,  2,  6, 8,  0, 13, 3,  4,  14, 7,  5, 11, 10, 15, 4, 2, 7, 12,
     9,  5,  6,  1,  13, 14, 0, 11, 3, 8,  9,  14, 15, 5,  2, 8,  12, 3,  7, 0, 4, 10,
     1,  13, 11, 6,  4,  3,  2, 12, 9, 5,  15, 10, 11, 14, 1, 7,  6,  0,  8, 13},
    {4, 11, 2,  14, 15, 0,  8,  13, 3, 12, 9,  7, 5,  10, 6,  1,  13, 0,  11, 7,  4, 9,
     1, 10, 14, 3,  5,  12, 2,  15, 8, 6,  1,  4, 11, 13, 12, 3,  7,  14, 10, 15, 6, 8,
     0, 5,  9,  2,  6,  11, 13, 8,  1, 4,  10, 7, 9,  5,  0,  15, 14, 2,  3,  12},
    {13, 2, 8,  4, 6, 15, 11, 1,  10, 9,  3, 14, 5,  0,  12, 7,  1,  15, 13, 8, 10, 3,
     7,  4, 12, 5, 6, 11, 0,  14, 9,  2,  7, 11, 4,  1,  9,  12, 14, 2,  0,  6, 10, 13,
     15, 3, 5,  8, 2, 1,  14, 7,  4,  10, 8, 13, 15, 12, 9,  0,  3,  5,  6,  11},
}};

// `word` of `from` bits through a table that says where each bit comes from.
template <std::size_t to>
std::uint64_t permuted(const std::array<std::uint8_t, to>& table, std::uint64_t word, unsigned from) {
  std::uint64_t result = 0;
  for (const std::uint8_t bit : table) result = result << 1U | (word >> (from - bit) & 1U);
  return result;
}

std::uint64_t unpermuted(const std::array<std::uint8_t, 64>& table, std::uint64_t word) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < 64; ++i) result |= (word >> (63 - i) & 1U) << (64 - table[i]);
  return result;
}

std::uint64_t rotated_halves(std::uint64_t bits, unsigned by) {
  constexpr std::uint64_t mask = (1U << 28U) - 1;
  const auto rotated = [=](std::uint64_t half) { return (half << by | half >> (28 - by)) & mask; };
  return rotated(bits >> 28U) << 28U | rotated(bits & mask);
}

std::uint64_t round_function(std::uint64_t right, std::uint64_t round_key) {
  const std::uint64_t mixed = permuted(expansion, right, 32) ^ round_key;
  std::uint64_t substitute = 0;
  for (int box = 1; box <= 8; ++box) {
    substitute = substitute << 4U | substituted(box, static_cast<unsigned>(mixed >> (48 - 6 * box) & 63U));
  }
  return permuted(permutation, substitute, 32);
}

// --- the same with tables made from those above: for many blocks ---

class TableCipher {
 public:
  TableCipher() {
    for (std::size_t byte = 0; byte < 8; ++byte) {
      for (std::uint64_t value = 0; value < 256; ++value) {
        const std::uint64_t placed = value << (56 - 8 * byte);
        initial_[byte][value] = permuted(initial_permutation, placed, 64);
        final_[byte][value] = unpermuted(initial_permutation, placed);
      }
    }
    for (int box = 1; box <= 8; ++box) {
      for (unsigned six = 0; six < 64; ++six) {
        const std::uint64_t placed = std::uint64_t{substituted(box, six)} << (32 - 4 * box);
        boxes_[static_cast<std::size_t>(box - 1)][six] =
            static_cast<std::uint32_t>(permuted(permutation, placed, 32));
      }
    }
  }

  using Keys =
      std::array<std::array<std::uint8_t, 8>, 16>;  ///< six bits per round and S-box, in order of use

  static Keys keys_for(std::uint64_t key, bool decrypt) {
    const auto rounds = round_keys(key);
    Keys keys{};
    for (std::size_t r = 0; r < 16; ++r) {
      for (std::size_t box = 0; box < 8; ++box) {
        keys[r][box] = static_cast<std::uint8_t>(rounds[decrypt ? 15 - r : r] >> (42 - 6 * box) & 63U);
      }
    }
    return keys;
  }

  [[nodiscard]] std::uint64_t crypt(std::uint64_t block, const Keys& keys) const {
    const std::uint64_t start = through(initial_, block);
    auto left = static_cast<std::uint32_t>(start >> 32U);
    auto right = static_cast<std::uint32_t>(start);
    for (std::size_t r = 0; r < 16; r += 2) {
      left ^= rounded(right, keys[r]);
      right ^= rounded(left, keys[r + 1]);
    }
    return through(final_, std::uint64_t{right} << 32U | left);
  }

 private:
  using ByteTables = std::array<std::array<std::uint64_t, 256>, 8>;

  static std::uint64_t through(const ByteTables& tables, std::uint64_t word) {
    std::uint64_t result = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) result |= tables[byte][word >> (56 - 8 * byte) & 255U];
    return result;
  }
  [[nodiscard]] std::uint32_t rounded(std::uint32_t right, const std::array<std::uint8_t, 8>& key) const {
    std::uint32_t result = 0;
    for (std::size_t box = 0; box < 8; ++box) {
      // The S-box's last bit is bit 4 * box + 5 of the right half, after bit 32 again bit 1.
      const std::uint32_t six = std::rotl(right, static_cast<int>(4 * box + 5)) & 63U;
      result ^= boxes_[box][six ^ key[box]];
    }
    return result;
  }

  ByteTables initial_{}, final_{};
  std::array<std::array<std::uint32_t, 64>, 8> boxes_{};
};

const TableCipher& table_cipher() {
  static const TableCipher cipher;
  return cipher;
}

void crypt_words(std::span<const std::uint64_t> from, std::span<std::uint64_t> to,
                 const TableCipher::Keys& keys, int threads) {
  const TableCipher& cipher = table_cipher();
#pragma omp parallel for num_threads(threads) schedule(static)
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = to_memory(cipher.crypt(to_block(from[i]), keys));
}

// --- on the host's own cores ---

class EcbHostCase final : public HostCase {
 public:
  EcbHostCase(std::shared_ptr<const DesInput> input, int threads)
      : input_(std::move(input)),
        threads_(threads),
        keys_(TableCipher::keys_for(input_->key(), input_->mode() == Mode::decrypt)),
        result_(input_->data().size()) {}

  void reset() override { std::fill(result_.begin(), result_.end(), 0); }
  void run() override { crypt_words(input_->data(), result_, keys_, threads_); }
  [[nodiscard]] Check check() const override { return input_->compare(result_); }

 private:
  std::shared_ptr<const DesInput> input_;
  int threads_;
  TableCipher::Keys keys_;
  std::vector<std::uint64_t> result_;
};

class SearchHostCase final : public HostCase {
 public:
  SearchHostCase(std::shared_ptr<const DesInput> input, int threads)
      : input_(std::move(input)), threads_(threads) {}

  void reset() override { found_.clear(); }
  void run() override {
    const Search& search = input_->search();
    const TableCipher& cipher = table_cipher();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::uint64_t index = 0; index < search.keys; ++index) {
      const std::uint64_t key = key_of_chosen_bits(searched_bits(search.base, index));
      if (cipher.crypt(search.plaintext, TableCipher::keys_for(key, false)) != search.ciphertext) continue;
#pragma omp critical(des_found)
      found_.push_back(index);
    }
  }
  [[nodiscard]] Check check() const override {
    return input_->compare_found(found_);
  }

 private:
  std::shared_ptr<const DesInput> input_;
  int threads_;
  std::vector<std::uint64_t> found_;
};

}  // namespace

unsigned substituted(int box, unsigned six_bits) {
  const unsigned row = (six_bits >> 4U & 2U) | (six_bits & 1U);
  const unsigned column = six_bits >> 1U & 15U;
  return substitutions.at(static_cast<std::size_t>(box - 1)).at(row * 16 + column);
}

std::array<std::uint64_t, 16> round_keys(std::uint64_t key) {
  std::uint64_t bits = chosen_bits(key);
  std::array<std::uint64_t, 16> keys{};
  for (std::size_t r = 0; r < 16; ++r) {
    bits = rotated_halves(bits, left_shifts[r]);
    keys[r] = permuted(permuted_choice_2, bits, 56);
  }
  return keys;
}

std::uint64_t crypt_by_the_letter(std::uint64_t block, std::uint64_t key, bool decrypt) {
  const auto keys = round_keys(key);
  const std::uint64_t start = permuted(initial_permutation, block, 64);
  std::uint64_t left = start >> 32U;
  std::uint64_t right = start & 0xFFFFFFFFU;
  for (std::size_t r = 0; r < 16; ++r) {
    const std::uint64_t next = left ^ round_function(right, keys[decrypt ? 15 - r : r]);
    left = right;
    right = next;
  }
  return unpermuted(initial_permutation, right << 32U | left);
}

std::uint64_t chosen_bits(std::uint64_t key) {
  return permuted(permuted_choice_1, key, 64);
}

std::uint64_t key_of_chosen_bits(std::uint64_t bits) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 56; ++i) key |= (bits >> (55 - i) & 1U) << (64 - permuted_choice_1[i]);
  for (unsigned byte = 0; byte < 64; byte += 8) {
    if (std::popcount(key >> byte & 0xFEU) % 2 == 0) key |= std::uint64_t{1} << byte;
  }
  return key;
}

std::uint64_t to_block(std::uint64_t memory) {
  std::array<std::uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), &memory, 8);
  std::uint64_t block = 0;
  for (const std::uint8_t byte : bytes) block = block << 8U | byte;
  return block;
}

const std::array<std::uint8_t, 56> search_order = {0,  1,  2,  3,  4,  5,  6,  7,  8,  18, 25, 35, 54, 22,
                                                   9,  10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 23, 24,
                                                   26, 27, 28, 29, 30, 31, 32, 33, 34, 36, 37, 38, 39, 40,
                                                   41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 55};

std::uint64_t searched_bits(std::uint64_t base, std::uint64_t index) {
  for (std::size_t i = 0; i < search_order.size(); ++i) base ^= (index >> i & 1U) << (55U - search_order[i]);
  return base;
}

DesInput::DesInput(Mode mode, std::uint64_t key, std::vector<std::uint64_t> data)
    : mode_(mode), key_(key), data_(std::move(data)) {}

DesInput::DesInput(const Search& search)
    : mode_(Mode::search),
      key_(key_of_chosen_bits(searched_bits(search.base, search.planted))),
      search_(search) {}

Check DesInput::compare(std::span<const std::uint64_t> got) const {
  std::call_once(once_, [this] {
    wanted_.resize(data_.size());
    const auto keys = TableCipher::keys_for(key_, mode_ == Mode::decrypt);
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    crypt_words(data_, wanted_, keys, data_.size() < 10'000 ? 1 : threads);
  });
  if (got.size() != wanted_.size()) {
    return {false, 1, 0, fmt::format("{} blocks came back, wanted {}", got.size(), wanted_.size())};
  }
  const auto [at, wanted] = std::mismatch(got.begin(), got.end(), wanted_.begin());
  if (at == got.end()) return {true, 0, 0, ""};
  return {
      false, 1, 0,
      fmt::format("block {} is {:016x}, wanted {:016x}", at - got.begin(), to_block(*at), to_block(*wanted))};
}

Check DesInput::compare_found(std::span<const std::uint64_t> indices) const {
  for (const std::uint64_t index : indices) {
    const std::uint64_t key = key_of_chosen_bits(searched_bits(search_.base, index));
    const bool right =
        index < search_.keys && crypt_by_the_letter(search_.plaintext, key, false) == search_.ciphertext;
    if (!right) return {false, 1, 0, fmt::format("key {} ({:016x}) was reported and is none", index, key)};
  }
  const auto times = std::count(indices.begin(), indices.end(), search_.planted);
  if (times == 1) return {true, 0, 0, ""};
  return {false, 1, 0,
          fmt::format("key {} ({:016x}) was reported {} times among {}, wanted once", search_.planted, key_,
                      times, indices.size())};
}

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const DesInput> input, int threads) {
  if (input->mode() == Mode::search) return std::make_unique<SearchHostCase>(std::move(input), threads);
  return std::make_unique<EcbHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::des
