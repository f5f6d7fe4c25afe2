#include "dwarfs/h264/transform.hpp"

#include <cstdlib>
#include <utility>

namespace dwarfsweep::h264 {
namespace {

// For qp % 6: places with both indices even, both odd, and others.
constexpr std::int32_t multipliers[6][3] = {{13107, 5243, 8066}, {11916, 4660, 7490}, {10082, 4194, 6554},
                                            {9362, 3647, 5825},  {8192, 3355, 5243},  {7282, 2893, 4559}};
constexpr std::int32_t scales[6][3] = {{10, 16, 13}, {11, 18, 14}, {13, 20, 16},
                                       {14, 23, 18}, {16, 25, 20}, {18, 29, 23}};

int class_of(int place) {
  const bool odd_row = place / 4 % 2 == 1;
  const bool odd_column = place % 2 == 1;
  return odd_row != odd_column ? 2 : odd_row ? 1 : 0;
}

// By `bits` bits; of what is cut off, a third of a half rounds up.
std::int32_t divided(std::int64_t value, int bits) {
  const std::int64_t magnitude = (std::abs(value) + (std::int64_t{1} << bits) / 6) >> bits;
  return static_cast<std::int32_t>(value < 0 ? -magnitude : magnitude);
}

ChromaDc hadamard(const ChromaDc& v) {
  return {v[0] + v[1] + v[2] + v[3], v[0] - v[1] + v[2] - v[3], v[0] + v[1] - v[2] - v[3],
          v[0] - v[1] - v[2] + v[3]};
}

}  // namespace

Block transformed(const Block& differences) {
  Block result = differences;
  for (const auto& [lines, step] : {std::pair{4, 1}, std::pair{1, 4}}) {
    for (int line = 0; line < 4; ++line) {
      std::int32_t* v = result.data() + line * lines;
      const std::int32_t outer_sum = v[0] + v[3 * step];
      const std::int32_t outer = v[0] - v[3 * step];
      const std::int32_t inner_sum = v[step] + v[2 * step];
      const std::int32_t inner = v[step] - v[2 * step];
      v[0] = outer_sum + inner_sum;
      v[step] = 2 * outer + inner;
      v[2 * step] = outer_sum - inner_sum;
      v[3 * step] = outer - 2 * inner;
    }
  }
  return result;
}

Block restored(const Block& coefficients) {
  Block result = coefficients;
  for (const auto& [lines, step] : {std::pair{4, 1}, std::pair{1, 4}}) {
    for (int line = 0; line < 4; ++line) {
      std::int32_t* v = result.data() + line * lines;
      const std::int32_t even_sum = v[0] + v[2 * step];
      const std::int32_t even = v[0] - v[2 * step];
      const std::int32_t odd = (v[step] >> 1) - v[3 * step];
      const std::int32_t odd_sum = v[step] + (v[3 * step] >> 1);
      v[0] = even_sum + odd_sum;
      v[step] = even + odd;
      v[2 * step] = even - odd;
      v[3 * step] = even_sum - odd_sum;
    }
  }
  for (std::int32_t& value : result) value = (value + 32) >> 6;
  return result;
}

Block quantised(const Block& coefficients, int qp, int first) {
  Block levels{};
  for (int i = first; i < 16; ++i) {
    levels[i] = divided(std::int64_t{coefficients[i]} * multipliers[qp % 6][class_of(i)], 15 + qp / 6);
  }
  return levels;
}

Block scaled(const Block& levels, int qp) {
  Block result{};
  for (int i = 0; i < 16; ++i) result[i] = levels[i] * scales[qp % 6][class_of(i)] * (1 << (qp / 6));
  return result;
}

ChromaDc quantised_dc(const ChromaDc& coefficients, int qp) {
  ChromaDc levels = hadamard(coefficients);
  for (std::int32_t& level : levels)
    level = divided(std::int64_t{level} * multipliers[qp % 6][0], 16 + qp / 6);
  return levels;
}

ChromaDc scaled_dc(const ChromaDc& levels, int qp) {
  ChromaDc result = hadamard(levels);
  for (std::int32_t& value : result) value = (value * scales[qp % 6][0] * (1 << (qp / 6))) >> 1;
  return result;
}

int chroma_qp(int qp) {
  constexpr int from_30[] = {29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36,
                             36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39};
  return qp < 30 ? qp : from_30[qp - 30];
}

}  // namespace dwarfsweep::h264
