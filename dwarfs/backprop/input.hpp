// A network together with the check of a step.
#pragma once

#include <utility>

#include "dwarfs/backprop/network.hpp"
#include "dwarfs/backprop/verification.hpp"

namespace dwarfsweep::backprop {

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
