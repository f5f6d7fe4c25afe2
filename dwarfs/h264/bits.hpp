// A stream of bits as H.264 has it: numbers, Exp-Golomb codes, and NAL units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dwarfsweep::h264 {

/// The bits of one NAL unit's payload. Sections of ITU-T H.264.
class BitWriter {
 public:
  /// The lowest `count` bits, the highest of them first; at most 32.
  void bits(std::uint32_t value, int count) {
    for (int i = count - 1; i >= 0; --i) bit((value >> i) & 1U);
  }
  /// A code as the standard prints it, in the characters 0 and 1.
  void code(std::string_view digits) {
    for (const char digit : digits) bit(digit == '1' ? 1U : 0U);
  }
  /// ue(v), 9.1.
  void unsigned_golomb(std::uint32_t value);
  /// se(v), 9.1.1.
  void signed_golomb(std::int32_t value) {
    unsigned_golomb(value > 0 ? 2 * static_cast<std::uint32_t>(value) - 1
                              : 2 * static_cast<std::uint32_t>(-value));
  }
  /// Zeros to the next whole byte.
  void align() {
    while (used_ != 0) bit(0);
  }
  /// rbsp_trailing_bits, 7.3.2.11.
  void end() {
    bit(1);
    align();
  }
  /// The unit in whole bytes: with start code, header, and bytes against false start codes (7.3.1, annex B).
  [[nodiscard]] std::string nal_unit(int reference, int type) const;

 private:
  void bit(std::uint32_t value) {
    current_ = static_cast<std::uint8_t>(2 * current_ + value);
    if (++used_ < 8) return;
    bytes_.push_back(static_cast<char>(current_));
    current_ = 0;
    used_ = 0;
  }

  std::string bytes_;
  std::uint8_t current_ = 0;
  int used_ = 0;
};

}  // namespace dwarfsweep::h264
