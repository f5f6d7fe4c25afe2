// What is small in a step of backprop, on the host: for the CPU reference, and for points with finish=host.
#pragma once

#include <span>
#include <vector>

#include "dwarfs/backprop/network.hpp"

namespace dwarfsweep::backprop {

/// The state of a step but for the first layer's weights.
struct SecondLayer {
  explicit SecondLayer(const Network& its_network) : network(its_network) { reset(); }

  /// Before the step.
  void reset();
  /// `sums` are those of inputs times weights, a row of `stride` for each of so many groups.
  void step(std::span<const float> sums, std::size_t groups, std::size_t stride);

  const Network& network;
  std::vector<float> weights, changes;  ///< of the second layer
  std::vector<float> hidden, errors;    ///< of the hidden units
  std::vector<float> output, output_errors;

 private:
  void compute_outputs();
  void compute_errors();
  void update();
};

}  // namespace dwarfsweep::backprop
