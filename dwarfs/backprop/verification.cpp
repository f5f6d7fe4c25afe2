// The check of a step of backprop, in double precision. Shares no code with the kernels or the host's
// versions.
//
// u = 2^-24 is the unit roundoff of float, gamma_n the bound of n roundings (roundoff.hpp). Bounds are of
// first order; what is of second order is covered by the constants, which are rounded up.
//
// - Sums of inputs times weights. Generated ones are exact; else a sum of n products in any order has an
// error of at most
//   gamma_n times the sum of absolute values (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd
//   ed., 3.1).
// - The sigmoid 1 / (1 + exp(-t)) has a slope of at most 1/4. OpenCL's exp is right to 3 ulp, 6 u, of which
// at most all
//   reaches 1 + exp; the addition adds u, the division 2.5 ulp, 5 u: 12 u in all, relative to the result.
// - An error o (1 - o) (t - o): with f = |1 - 2 o| |t - o| + o (1 - o), the absolute value of its slope is at
// most f, and
//   the rounding of two differences and two products is 4 u of the result; (1 - 2 o) and f change by at most
//   3 times the error of o.
// - h (1 - h) S: the same with the slope |1 - 2 h| |S|, and h (1 - h) times the error of S.
// - A change rate e x + momentum c: rate |x| times the error of e, 3 u of the first product, 2 u of the
// second, u of the sum;
//   the new weight rounds once more.
// - What is flushed to zero is below 2^-126 for each operation.
#include "dwarfs/backprop/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <stdexcept>
#include <string>

#include "dwarfs/roundoff.hpp"

namespace dwarfsweep::backprop {
namespace {

constexpr double u = unit_roundoff;

Bounded sigmoid(const Bounded& t) {
  const double value = 1 / (1 + std::exp(-t.value));
  return {value, t.error / 4 + 12 * u * value + 4 * FLT_MIN};
}

Bounded output_error(const Bounded& o, double target) {
  const double distance = std::abs(target - o.value);
  const double value = o.value * (1 - o.value) * (target - o.value);
  const double slope = std::abs(1 - 2 * o.value) * distance + o.value * (1 - o.value);
  return {value, o.error * (slope + 3 * o.error) + 5 * u * std::abs(value) + 4 * FLT_MIN};
}

Bounded hidden_error(const Bounded& h, const Bounded& sum) {
  const double weight = h.value * (1 - h.value);
  const double value = weight * sum.value;
  const double slope = std::abs(1 - 2 * h.value) + h.error;
  return {value, h.error * slope * std::abs(sum.value) + (weight + h.error) * sum.error +
                     5 * u * std::abs(value) + 4 * FLT_MIN};
}

// Row by row, as the weights lie in memory; in blocks of columns, one for each thread.
std::vector<Bounded> hidden_sums(const Network& network) {
  const std::int64_t inputs = network.shape.inputs;
  const std::int64_t hidden = network.shape.hidden;
  std::vector<Bounded> sums(static_cast<std::size_t>(hidden));
  std::vector<double> magnitudes(sums.size());
  constexpr std::int64_t block = 64;
#pragma omp parallel for schedule(static)
  for (std::int64_t begin = 0; begin < hidden; begin += block) {
    for (std::int64_t row = 0; row <= inputs; ++row) {
      const double x = row == 0 ? 1 : network.inputs[row - 1];
      for (std::int64_t j = begin; j < std::min(hidden, begin + block); ++j) {
        const double product = x * network.weights_1[row * hidden + j];
        sums[j].value += product;
        magnitudes[j] += std::abs(product);
      }
    }
  }
  if (network.exact) return sums;
  const auto terms = static_cast<double>(inputs + 1);
  for (std::size_t j = 0; j < sums.size(); ++j)
    sums[j].error = rounding_bound(terms) * magnitudes[j] + 2 * terms * FLT_MIN;
  return sums;
}

// The sum of one output unit, from the bias and the hidden units.
Bounded output_sum(const Network& network, const std::vector<Bounded>& hidden, std::size_t k) {
  const std::size_t outputs = network.targets.size();
  double value = network.weights_2[k];
  double magnitude = std::abs(value);
  double error = 0;
  for (std::size_t j = 0; j < hidden.size(); ++j) {
    const double weight = network.weights_2[(j + 1) * outputs + k];
    value += weight * hidden[j].value;
    magnitude += std::abs(weight) * (hidden[j].value + hidden[j].error);
    error += std::abs(weight) * hidden[j].error;
  }
  const auto terms = static_cast<double>(hidden.size() + 1);
  return {value, error + rounding_bound(terms) * magnitude + 2 * terms * FLT_MIN};
}

Bounded error_sum(const Network& network, const std::vector<Bounded>& output_errors, std::size_t j) {
  const std::size_t outputs = output_errors.size();
  double value = 0;
  double magnitude = 0;
  double error = 0;
  for (std::size_t k = 0; k < outputs; ++k) {
    const double weight = network.weights_2[(j + 1) * outputs + k];
    value += weight * output_errors[k].value;
    magnitude += std::abs(weight) * (std::abs(output_errors[k].value) + output_errors[k].error);
    error += std::abs(weight) * output_errors[k].error;
  }
  const auto terms = static_cast<double>(outputs);
  return {value, error + rounding_bound(terms) * magnitude + 2 * terms * FLT_MIN};
}

// What is furthest off its bound.
struct Worst {
  double ratio = -1;  // error in units of the bound
  std::size_t index = 0;
  double found = 0;
  Bounded wanted;

  void see(std::size_t at, double value, const Bounded& expected) {
    const double error = std::abs(value - expected.value);
    const double its = std::isnan(error) ? HUGE_VAL : error == 0 ? 0 : error / expected.error;
    if (its <= ratio) return;
    *this = {its, at, value, expected};
  }
};

// `expected(index)` for all; the check fails where one is further off than its bound.
template <typename Expected>
void compare(const std::string& name, std::span<const float> found, Expected expected, Check& check) {
  Worst worst;
#pragma omp parallel
  {
    Worst mine;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < found.size(); ++i) mine.see(i, found[i], expected(i));
#pragma omp critical
    if (mine.ratio > worst.ratio || (mine.ratio == worst.ratio && mine.index < worst.index)) worst = mine;
  }
  check.max_error = std::abs(worst.found - worst.wanted.value);
  check.tolerance = worst.wanted.error;
  if (worst.ratio <= 1) return;
  check.ok = false;
  check.message = fmt::format("{}[{}] is {}, wanted {} within {}", name, worst.index, worst.found,
                              worst.wanted.value, worst.wanted.error);
}

}  // namespace

Step reference_step(const Network& network) {
  Step step;
  for (const Bounded& sum : hidden_sums(network)) step.hidden.push_back(sigmoid(sum));
  for (std::size_t k = 0; k < network.targets.size(); ++k) {
    step.output.push_back(sigmoid(output_sum(network, step.hidden, k)));
    step.output_errors.push_back(output_error(step.output[k], network.targets[k]));
  }
  for (std::size_t j = 0; j < step.hidden.size(); ++j)
    step.hidden_errors.push_back(hidden_error(step.hidden[j], error_sum(network, step.output_errors, j)));
  return step;
}

Bounded new_weight(const Network& network, float weight, float change, const Bounded& error,
                   const Bounded& value) {
  const double rate = network.rate;
  const double product = rate * error.value * value.value;
  const double kept = static_cast<double>(network.momentum) * change;
  const double result = weight + product + kept;
  const double off =
      rate * (error.error * (std::abs(value.value) + value.error) + std::abs(error.value) * value.error);
  return {result, off + 4 * u * std::abs(product) + 3 * u * std::abs(kept) + u * (std::abs(result) + off) +
                      4 * FLT_MIN};
}

Check Verifier::check(const Results& results) const {
  std::call_once(prepared_, [this] { step_ = reference_step(network_); });
  const auto hidden = step_.hidden.size();
  const auto outputs = step_.output.size();
  if (hidden == 0 || outputs == 0) throw std::logic_error("backprop: a network without units");
  Check check;
  check.ok = true;
  compare(
      "hidden", results.hidden, [&](std::size_t i) { return step_.hidden[i]; }, check);
  if (check.ok)
    compare(
        "output", results.output, [&](std::size_t i) { return step_.output[i]; }, check);
  const auto changed = [](const std::vector<float>& changes, std::size_t i) {
    return changes.empty() ? 0 : changes[i];
  };
  const auto second = [&](std::size_t i) {
    const Bounded value = i < outputs ? Bounded{1, 0} : step_.hidden[i / outputs - 1];
    return new_weight(network_, network_.weights_2[i], changed(network_.changes_2, i),
                      step_.output_errors[i % outputs], value);
  };
  if (check.ok) compare("weights_2", results.weights_2, second, check);
  const auto first = [&](std::size_t i) {
    const double value = i < hidden ? 1 : network_.inputs[i / hidden - 1];
    return new_weight(network_, network_.weights_1[i], changed(network_.changes_1, i),
                      step_.hidden_errors[i % hidden], {value, 0});
  };
  if (check.ok) compare("weights_1", results.weights_1, first, check);
  return check;
}

}  // namespace dwarfsweep::backprop
