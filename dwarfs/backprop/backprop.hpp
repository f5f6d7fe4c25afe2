// What the files of backprop declare to each other: its space and how a point is laid out, its cases, its
// host version.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dwarfs/backprop/input.hpp"
#include "harness/program/macros.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::backprop {

// What is small in a step of backprop, on the host: for the CPU reference, and for points with finish=host.

/// The state of a step, except for the first layer's weights.
struct SecondLayer {
  explicit SecondLayer(const Network& its_network) : network(its_network) { reset(); }

  /// Before the step.
  void reset();
  /// `sums` are sums of inputs times weights: a row of `stride` numbers for each group.
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

// The axes of backprop, its default configurations, which points are legal, and how a point lies over the
// weights.

Space make_space();

/// How groups lie over the first layer's weights; kernels_cl/backprop/backprop.cl has the index map.
struct Layout {
  Layout(const Config& config, const Shape& shape, const Capabilities& device);

  std::int64_t stride = 0;   ///< floats from a row of weights to the next
  std::int64_t vectors = 0;  ///< of a row
  std::int64_t lanes = 0;    ///< columns of a group
  std::int64_t blocks = 0;   ///< adjacent groups on a row
  std::int64_t chunks = 0;   ///< runs of rows, by which groups are given work
  std::int64_t groups = 0;   ///< that share the chunks
};

/// The lanes that shuffle if the point has reduction=sub_group; their number divides the group.
Lanes lanes_of(const Config& config, const Capabilities& device);

// backprop on a device.

std::unique_ptr<Case> make_case(const Setup& setup);

// A step of backprop on the host's cores: the CPU reference.

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const BackpropInput> input, int threads);

}  // namespace dwarfsweep::backprop
