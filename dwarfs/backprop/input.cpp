#include <fmt/format.h>

#include <cmath>
#include <exception>

#include "dwarfs/backprop/input.hpp"
#include "dwarfs/roundoff.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::backprop {

namespace {

// Odd numbers below 2^bits, times `unit`; with signs or without.
void fill_odd(std::vector<float>& values, int bits, float unit, bool with_sign, std::uint64_t seed) {
  std::vector<std::uint8_t> bytes(values.size());
  Random(seed).fill_bytes(bytes);
  const unsigned mask = (1U << static_cast<unsigned>(bits)) - 1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float odd = static_cast<float>((bytes[i] & mask) | 1U) * unit;
    values[i] = with_sign && (bytes[i] & 128U) != 0 ? -odd : odd;
  }
}

// The most bits, up to 7, of inputs and weights with which the absolute values of all products of a unit
// together are at most 2^24 of their smallest; 0 if there are none.
int exact_bits(const Shape& shape) {
  const auto largest_sum = [&](int bits) {
    const double largest = std::ldexp(1.0, bits) - 1;
    return largest * (static_cast<double>(shape.inputs) * largest + std::ldexp(1.0, bits));
  };
  int bits = 7;
  while (bits > 1 && largest_sum(bits) > 0x1p24) --bits;
  return largest_sum(bits) > 0x1p24 ? 0 : bits;
}

}  // namespace

Shape shape_of(const Problem& problem) {
  return {problem.integer("inputs"), problem.integer("hidden"), problem.integer("outputs")};
}

// The sum of n products of numbers uniform in (0, 1) and (-1, 1) has the standard deviation sqrt(n) / 3.
Network random_network(const Shape& shape, std::uint64_t seed) {
  Network network;
  network.shape = shape;
  const int exact = exact_bits(shape);
  const int bits = std::max(1, exact);
  network.exact = exact > 0 || random_sums_are_exact(static_cast<double>(shape.rows()), 2);
  const float unit = std::ldexp(1.0F, -bits);
  const float scale = std::ldexp(1.0F, -static_cast<int>(std::log2(static_cast<double>(shape.inputs)) / 2));
  try {
    network.inputs.resize(static_cast<std::size_t>(shape.inputs));
    network.targets.resize(static_cast<std::size_t>(shape.outputs));
    network.weights_1.resize(static_cast<std::size_t>(shape.rows() * shape.hidden));
    network.weights_2.resize(static_cast<std::size_t>((shape.hidden + 1) * shape.outputs));
    fill_odd(network.inputs, bits, unit, false, seed_of_part(seed, 0));
    fill_odd(network.weights_1, bits, unit * scale, true, seed_of_part(seed, 1));
    Random random(seed_of_part(seed, 2));
    random.fill_uniform(network.targets, 0, 1);
    const float range = 1 / std::sqrt(static_cast<float>(shape.hidden));
    random.fill_uniform(network.weights_2, -range, range);
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw PointFailure(
        Status::out_of_memory,
        fmt::format("backprop: {} x {} and {} x {} weights, {} bytes, do not fit the host's memory",
                    shape.rows(), shape.hidden, shape.hidden + 1, shape.outputs,
                    4 * (shape.rows() * shape.hidden + (shape.hidden + 1) * shape.outputs)));
  }
  return network;
}

}  // namespace dwarfsweep::backprop
