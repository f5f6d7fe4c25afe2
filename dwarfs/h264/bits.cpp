#include "dwarfs/h264/bits.hpp"

#include <bit>

namespace dwarfsweep::h264 {

void BitWriter::unsigned_golomb(std::uint32_t value) {
  const int length = std::bit_width(value + 1);
  bits(0, length - 1);
  bits(value + 1, length);
}

std::string BitWriter::nal_unit(int reference, int type) const {
  std::string unit("\0\0\0\1", 4);
  unit.push_back(static_cast<char>(32 * reference + type));
  int zeros = 0;
  for (const char byte : bytes_) {
    if (zeros >= 2 && static_cast<std::uint8_t>(byte) <= 3) {
      unit.push_back('\3');
      zeros = 0;
    }
    unit.push_back(byte);
    zeros = byte == 0 ? zeros + 1 : 0;
  }
  return unit;
}

}  // namespace dwarfsweep::h264
