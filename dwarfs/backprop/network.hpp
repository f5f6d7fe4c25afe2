// What backprop trains: one hidden layer, one example.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/space/problem.hpp"

namespace dwarfsweep::backprop {

struct Shape {
  std::int64_t inputs = 0, hidden = 0, outputs = 0;

  [[nodiscard]] std::int64_t rows() const { return inputs + 1; }  ///< of the first layer's weights
};

Shape shape_of(const Problem& problem);

/// Weights are row-major, a row for each unit they come from; row 0 is the bias.
struct Network {
  Shape shape;
  float rate = 0.3F, momentum = 0.3F;
  std::vector<float> inputs, targets;
  std::vector<float> weights_1, weights_2;  ///< (inputs + 1) x hidden, (hidden + 1) x outputs
  std::vector<float> changes_1, changes_2;  ///< the last ones, as many; empty: none yet, all zero
  bool exact = false;  ///< every sum of inputs times weights, partial and in whatever order, is a float
};

/// Inputs in (0, 1), weights that leave the hidden units between 0 and 1, sums that are exact. Throws
/// PointFailure where the host's memory does not suffice.
Network random_network(const Shape& shape, std::uint64_t seed);

}  // namespace dwarfsweep::backprop
