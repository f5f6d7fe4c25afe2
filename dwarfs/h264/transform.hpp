// The 4 x 4 integer transform of H.264, its quantisation, and their inverse (ITU-T H.264, 8.5).
#pragma once

#include <array>
#include <cstdint>

namespace dwarfsweep::h264 {

using Block = std::array<std::int32_t, 16>;  ///< of 4 x 4, row by row

/// Coefficients of differences.
Block transformed(const Block& differences);
/// Differences of scaled coefficients, rounded.
Block restored(const Block& coefficients);

/// Levels of the coefficients from `first` on (1: all but DC), row by row. The dead zone is that of inter
/// prediction: a sixth of a step is rounded up.
Block quantised(const Block& coefficients, int qp, int first);
/// Scaled coefficients of levels.
Block scaled(const Block& levels, int qp);

using ChromaDc = std::array<std::int32_t, 4>;  ///< of the four blocks, row by row
ChromaDc quantised_dc(const ChromaDc& coefficients, int qp);
ChromaDc scaled_dc(const ChromaDc& levels, int qp);

/// The quantiser of chroma, for that of luma.
int chroma_qp(int qp);

/// Places of a block in the order of frequencies.
constexpr std::array<int, 16> zigzag = {0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15};

}  // namespace dwarfsweep::h264
