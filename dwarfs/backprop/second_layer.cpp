#include "dwarfs/backprop/backprop.hpp"

#include <cmath>

namespace dwarfsweep::backprop {
namespace {

float sigmoid(float t) {
  return 1 / (1 + std::exp(-t));
}

}  // namespace

void SecondLayer::reset() {
  weights = network.weights_2;
  changes = network.changes_2;
  changes.resize(weights.size());
  hidden.assign(static_cast<std::size_t>(network.shape.hidden), 0);
  errors = hidden;
  output.assign(static_cast<std::size_t>(network.shape.outputs), 0);
  output_errors = output;
}

void SecondLayer::step(std::span<const float> sums, std::size_t groups, std::size_t stride) {
  std::fill(hidden.begin(), hidden.end(), 0.0F);
  for (std::size_t group = 0; group < groups; ++group) {
    for (std::size_t j = 0; j < hidden.size(); ++j) hidden[j] += sums[group * stride + j];
  }
  for (float& unit : hidden) unit = sigmoid(unit);
  compute_outputs();
  compute_errors();
  update();
}

void SecondLayer::compute_outputs() {
  const std::size_t outputs = output.size();
  for (std::size_t k = 0; k < outputs; ++k) output[k] = weights[k];
  for (std::size_t j = 0; j < hidden.size(); ++j) {
    for (std::size_t k = 0; k < outputs; ++k) output[k] += hidden[j] * weights[(j + 1) * outputs + k];
  }
  for (float& unit : output) unit = sigmoid(unit);
}

void SecondLayer::compute_errors() {
  const std::size_t outputs = output.size();
  for (std::size_t k = 0; k < outputs; ++k)
    output_errors[k] = output[k] * (1 - output[k]) * (network.targets[k] - output[k]);
  for (std::size_t j = 0; j < hidden.size(); ++j) {
    float sum = 0;
    for (std::size_t k = 0; k < outputs; ++k) sum += output_errors[k] * weights[(j + 1) * outputs + k];
    errors[j] = hidden[j] * (1 - hidden[j]) * sum;
  }
}

void SecondLayer::update() {
  const std::size_t outputs = output.size();
  for (std::size_t j = 0; j <= hidden.size(); ++j) {
    const float value = j == 0 ? 1 : hidden[j - 1];
    for (std::size_t k = 0; k < outputs; ++k) {
      float& change = changes[j * outputs + k];
      change = network.rate * output_errors[k] * value + network.momentum * change;
      weights[j * outputs + k] += change;
    }
  }
}

}  // namespace dwarfsweep::backprop
