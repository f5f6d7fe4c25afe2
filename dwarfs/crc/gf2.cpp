#include "dwarfs/crc/gf2.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/rounding.hpp"

namespace dwarfsweep::crc {
namespace {

constexpr std::uint32_t polynomial = 0xEDB88320;  // IEEE 802.3, without x^32, bit-reversed
constexpr std::uint32_t all_ones = 0xFFFFFFFF;
constexpr std::uint32_t one = 0x80000000;
constexpr std::uint64_t order_of_x = 0xFFFFFFFF;

constexpr std::uint32_t times_x(std::uint32_t a) {
  return (a >> 1U) ^ ((a & 1U) != 0 ? polynomial : 0U);
}

// The 256 products of a byte at bit `place` of a word with `factor`. The map is linear: single bits suffice.
void fill_products(std::span<std::uint32_t> table, unsigned place, std::uint32_t factor) {
  table[0] = 0;
  for (std::uint32_t byte = 1; byte < 256; ++byte) {
    const std::uint32_t lowest = byte & (~byte + 1U);
    table[byte] = byte == lowest ? product(byte << place, factor) : table[byte ^ lowest] ^ table[lowest];
  }
}

using Tables = std::array<std::array<std::uint32_t, 256>, 16>;

// The first byte is the lowest, on any machine; compilers make one load of it where that is so.
std::uint32_t load_word(const std::uint8_t* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8U |
         static_cast<std::uint32_t>(bytes[2]) << 16U | static_cast<std::uint32_t>(bytes[3]) << 24U;
}

// `first` is the table of the word's last byte.
std::uint32_t look_up(const Tables& tables, std::size_t first, std::uint32_t word) {
  return tables[first + 3][word & 0xFFU] ^ tables[first + 2][word >> 8U & 0xFFU] ^
         tables[first + 1][word >> 16U & 0xFFU] ^ tables[first][word >> 24U];
}

std::uint32_t slice_16(const Tables& tables, std::uint32_t value, const std::uint8_t* at) {
  return look_up(tables, 12, load_word(at) ^ value) ^ look_up(tables, 8, load_word(at + 4)) ^
         look_up(tables, 4, load_word(at + 8)) ^ look_up(tables, 0, load_word(at + 12));
}

// The register after these bytes. Two halves at a time: each step waits for the one before, so that one chain
// alone takes twice as long (measured; four chains gain nothing more).
std::uint32_t sliced(const Tables& tables, std::uint32_t value, std::span<const std::uint8_t> bytes) {
  const std::size_t half = bytes.size() / 32 * 16;
  const std::uint8_t* at = bytes.data();
  std::uint32_t second = 0;
  for (std::size_t i = 0; i < half; i += 16) {
    value = slice_16(tables, value, at + i);
    second = slice_16(tables, second, at + half + i);
  }
  value = product(value, shift_by(half)) ^ second;
  for (const std::uint8_t byte : bytes.subspan(2 * half))
    value = tables[0][(value ^ byte) & 0xFFU] ^ (value >> 8U);
  return value;
}

class CrcHostCase final : public HostCase {
 public:
  CrcHostCase(std::shared_ptr<const CrcInput> input, int threads)
      : input_(std::move(input)), threads_(static_cast<std::size_t>(threads)), parts_(threads_) {
    const auto words = slicing_tables(tables_.size());
    for (std::size_t k = 0; k < tables_.size(); ++k) std::copy_n(&words[k * 256], 256, tables_[k].begin());
  }

  void reset() override { crc_ = 0; }

  void run() override {
    const auto stream = input_->stream();
    if (threads_ == 1) {
      crc_ = sliced(tables_, all_ones, stream) ^ all_ones;
      return;
    }
    const std::size_t part_bytes = round_up(stream.size() / threads_ + 1, 64);
#pragma omp parallel for num_threads(static_cast <int>(threads_)) schedule(static)
    for (std::size_t i = 0; i < threads_; ++i) parts_[i] = sliced(tables_, 0, part(i, part_bytes));
    std::uint32_t joined = all_ones;
    for (std::size_t i = 0; i < threads_; ++i) {
      joined = product(joined, shift_by(part(i, part_bytes).size())) ^ parts_[i];
    }
    crc_ = joined ^ all_ones;
  }

  [[nodiscard]] Check check() const override {
    return input_->compare(crc_);
  }

 private:
  [[nodiscard]] std::span<const std::uint8_t> part(std::size_t index, std::size_t part_bytes) const {
    const auto stream = input_->stream();
    const std::size_t begin = std::min(index * part_bytes, stream.size());
    return stream.subspan(begin, std::min(part_bytes, stream.size() - begin));
  }

  std::shared_ptr<const CrcInput> input_;
  std::size_t threads_;
  Tables tables_{};
  std::vector<std::uint32_t> parts_;
  std::uint32_t crc_ = 0;
};

}  // namespace

std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (std::uint32_t mask = one; mask != 0; mask >>= 1U) {
    if ((a & mask) != 0) sum ^= b;
    b = times_x(b);
  }
  return sum;
}

std::uint32_t shift_by(std::uint64_t bytes) {
  std::uint32_t result = one;
  std::uint32_t square = one >> 8U;
  for (bytes %= order_of_x; bytes != 0; bytes >>= 1U) {
    if ((bytes & 1U) != 0) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

std::uint64_t inverse_shift(std::uint64_t bytes) {
  return order_of_x - bytes % order_of_x;
}

std::uint32_t constant_part(std::uint64_t bytes) {
  return product(all_ones, shift_by(bytes)) ^ all_ones;
}

std::vector<std::uint32_t> slicing_tables(std::size_t slices) {
  std::vector<std::uint32_t> tables(slices * 256);
  for (std::size_t k = 0; k < slices; ++k) fill_products({&tables[k * 256], 256}, 0, shift_by(k + 1));
  return tables;
}

std::vector<std::uint32_t> power_tables() {
  std::vector<std::uint32_t> tables(std::size_t{32} * 1024);
  for (std::size_t i = 0; i < 32; ++i) {
    const std::uint32_t factor = shift_by(std::uint64_t{1} << i);
    for (std::size_t k = 0; k < 4; ++k) {
      fill_products({&tables[i * 1024 + k * 256], 256}, static_cast<unsigned>(8 * k), factor);
    }
  }
  return tables;
}

std::uint32_t reference_crc(std::span<const std::uint8_t> bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1U) != 0 ? (rest >> 1U) ^ 0xEDB88320U : rest >> 1U;
    table[byte] = rest;
  }
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) crc = table[(crc ^ byte) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

CrcInput::CrcInput(std::vector<std::uint8_t> stream) : data_(std::move(stream)), bytes_(data_.size()) {
  data_.resize(std::max(block_bytes, round_up(bytes_, block_bytes)));
}

std::uint32_t CrcInput::wanted() const {
  std::call_once(once_, [this] { wanted_ = reference_crc(stream()); });
  return wanted_;
}

Check CrcInput::compare(std::uint32_t got) const {
  if (got == wanted()) return {true, 0, 0, ""};
  return {false, 1, 0,
          fmt::format("the CRC-32 of {} bytes is {:#010x}, wanted {:#010x}", bytes_, got, wanted())};
}

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CrcInput> input, int threads) {
  return std::make_unique<CrcHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::crc
