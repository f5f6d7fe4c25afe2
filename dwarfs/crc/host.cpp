#include "dwarfs/crc/crc.hpp"

#include <algorithm>
#include <array>

#include "dwarfs/crc/gf2.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::crc {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 16>;

// The first byte is the lowest, on any machine; compilers turn this into one load on such machines.
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

// The CRC register, `value` before these bytes, after them. Two halves at a time: each step depends on the
// one before, so that one chain alone takes twice as long (measured; four chains gain nothing more).
std::uint32_t remainder_after(const Tables& tables, std::uint32_t value,
                              std::span<const std::uint8_t> bytes) {
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
    if (input_->code() == Code::crc8) {
      crc_ = crc8(stream, threads_);
      return;
    }
    if (threads_ == 1) {
      crc_ = remainder_after(tables_, all_ones, stream) ^ all_ones;
      return;
    }
    const std::size_t part_bytes = round_up(stream.size() / threads_ + 1, 64);
#pragma omp parallel for num_threads(static_cast <int>(threads_)) schedule(static)
    for (std::size_t i = 0; i < threads_; ++i) parts_[i] = remainder_after(tables_, 0, part(i, part_bytes));
    std::uint32_t joined = all_ones;
    for (std::size_t i = 0; i < threads_; ++i) {
      joined = product(joined, shift_by(part(i, part_bytes).size())) ^ parts_[i];
    }
    crc_ = joined ^ all_ones;
  }

  [[nodiscard]] Check check() const override {
    return input_->reference().compare(crc_);
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

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const CrcInput> input, int threads) {
  return std::make_unique<CrcHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::crc
