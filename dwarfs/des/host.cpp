#include "dwarfs/des/des.hpp"

#include <algorithm>
#include <bit>

#include "dwarfs/des/standard.hpp"
#include "dwarfs/des/standard_tables.hpp"

namespace dwarfsweep::des {
namespace {

// The cipher with look-up tables: for the bytes of a block at either end, and for each S-box with permutation
// P.
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
    const RoundKeys rounds = round_keys_in_use(key, decrypt);
    Keys keys{};
    for (std::size_t r = 0; r < 16; ++r) {
      for (std::size_t box = 0; box < 8; ++box) {
        keys[r][box] = static_cast<std::uint8_t>(rounds[r] >> (42 - 6 * box) & 63U);
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

class EcbHostCase final : public HostCase {
 public:
  EcbHostCase(std::shared_ptr<const DesInput> input, int threads)
      : input_(std::move(input)),
        threads_(threads),
        keys_(TableCipher::keys_for(input_->key(), input_->mode() == Mode::decrypt)),
        result_(input_->data().size()) {}

  void reset() override { std::fill(result_.begin(), result_.end(), 0); }
  void run() override {
    const TableCipher& cipher = table_cipher();
    const auto& data = input_->data();
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::size_t i = 0; i < data.size(); ++i)
      result_[i] = to_memory(cipher.crypt(to_block(data[i]), keys_));
  }
  [[nodiscard]] Check check() const override {
    return input_->reference().compare(result_);
  }

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
    return compare_found(input_->search(), found_);
  }

 private:
  std::shared_ptr<const DesInput> input_;
  int threads_;
  std::vector<std::uint64_t> found_;
};

}  // namespace

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const DesInput> input, int threads) {
  if (input->mode() == Mode::search) return std::make_unique<SearchHostCase>(std::move(input), threads);
  return std::make_unique<EcbHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::des
