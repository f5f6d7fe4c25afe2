// Coefficients of a block as variable-length codes: CAVLC, ITU-T H.264, 9.2.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dwarfs/h264/bits.hpp"

namespace dwarfsweep::h264 {

/// nC of a block of chroma DC coefficients; of others it is what `expected_coefficients` gives.
constexpr int chroma_dc_context = -1;

/// The context of a block from the coefficients of its left and upper neighbours, -1 where there is none.
int expected_coefficients(int left, int above);

/// Writes the levels of a block, lowest frequency first, and returns how many of them are not 0.
int write_coefficients(BitWriter& stream, std::span<const std::int32_t> levels, int context);

}  // namespace dwarfsweep::h264
