// Random numbers for the keys of a problem: those at which kernels are most likely to be wrong. To be called
// within a generator (rc::gen::exec).
#pragma once

#include <cstdint>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep::property {

/// From `least` to `most`: the least ones, a multiple of one of `marks` or one next to it, a power of two or
/// one next to it, a prime, or any number; small ones as often as large ones.
std::int64_t draw_number(std::int64_t least, std::int64_t most, const std::vector<std::int64_t>& marks);

/// The preset, 0, 1, -1, a bound, or a multiple of 1/64 from -4 to 4; within the key's range.
double draw_real(const ProblemKey& key);

/// The largest prime up to `number`; `number` below 2.
std::int64_t prime_up_to(std::int64_t number);

/// The integer part of the n-th root.
std::int64_t root(std::int64_t number, std::size_t n);

}  // namespace dwarfsweep::property
