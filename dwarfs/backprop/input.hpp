// What backprop trains, and the check of a step.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/space/problem.hpp"

namespace dwarfsweep::backprop {

// What backprop trains: one hidden layer, one example.

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

/// A number, and by how much a right result may be off.
struct Bounded {
  double value = 0;
  double error = 0;
};

/// The results of a step, except for the new weights.
struct Step {
  std::vector<Bounded> hidden, output;
  std::vector<Bounded> hidden_errors, output_errors;
};

Step reference_step(const Network& network);

/// A weight after the step: before it, its last change, the error of the unit it leads to, the value of the
/// one it comes from.
Bounded new_weight(const Network& network, float weight, float change, const Bounded& error,
                   const Bounded& value);

struct Results {
  std::span<const float> hidden, output, weights_1, weights_2;
};

class Verifier {
 public:
  /// `network` must outlive the verifier.
  explicit Verifier(const Network& network) : network_(network) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// Error and tolerance are those of the weight of the first layer that is furthest off, by its tolerance.
  [[nodiscard]] Check check(const Results& results) const;

 private:
  const Network& network_;
  mutable std::once_flag prepared_;
  mutable Step step_;
};

// A network together with the check of a step.

class BackpropInput final : public Input {
 public:
  explicit BackpropInput(Network network) : network_(std::move(network)), verifier_(network_) {}

  [[nodiscard]] const Network& network() const { return network_; }
  [[nodiscard]] const Shape& shape() const { return network_.shape; }
  [[nodiscard]] Check check(const Results& results) const { return verifier_.check(results); }

 private:
  Network network_;
  Verifier verifier_;
};

}  // namespace dwarfsweep::backprop
