// The check of a result of hotspot against the formulas as published, in double precision. Shares no code
// with the kernels or with the host version; kernels_cl/hotspot/hotspot.cl has the formulas.
#include "dwarfs/hotspot/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dwarfsweep::hotspot {
namespace {

// The simulation in double precision, a step at a time.
class Reference {
 public:
  Reference(const Parameters& parameters, const std::vector<float>& temperature,
            const std::vector<float>& power)
      : p_(parameters),
        constants_(constants_of(p_)),
        cell_(p_, constants_),
        power_(power),
        temperature_(temperature.begin(), temperature.end()),
        next_(p_.cells()) {
    for (const float value : power)
      largest_power_ = std::max(largest_power_, std::abs(static_cast<double>(value)));
    note_largest();
  }

  void step() {
#pragma omp parallel for
    for (std::size_t row = 0; row < p_.rows; ++row) step_row(row);
    temperature_.swap(next_);
    note_largest();
  }

  [[nodiscard]] const std::vector<double>& temperature() const {
    return temperature_;
  }
  [[nodiscard]] double largest_temperature() const {
    return largest_temperature_;
  }
  /// A bound on the sum of the absolute values of what any step so far added to a temperature.
  [[nodiscard]] double largest_increment() const {
    const double from_temperatures =
        (4 / cell_.resistance_x + 4 / cell_.resistance_y + 1 / cell_.resistance_z) * largest_temperature_;
    return cell_.time_step / cell_.capacitance *
           (largest_power_ + from_temperatures + constants_.ambient / cell_.resistance_z);
  }

 private:
  void step_row(std::size_t row) {
    const double* here = temperature_.data() + row * p_.cols;
    const double* above = row == 0 ? here : here - p_.cols;
    const double* below = row + 1 == p_.rows ? here : here + p_.cols;
    for (std::size_t column = 0; column < p_.cols; ++column) {
      const double own = here[column];
      const double west = column == 0 ? own : here[column - 1];
      const double east = column + 1 == p_.cols ? own : here[column + 1];
      const double flow = static_cast<double>(power_[row * p_.cols + column]) +
                          (above[column] + below[column] - 2 * own) / cell_.resistance_y +
                          (west + east - 2 * own) / cell_.resistance_x +
                          (constants_.ambient - own) / cell_.resistance_z;
      next_[row * p_.cols + column] = own + cell_.time_step / cell_.capacitance * flow;
    }
  }
  void note_largest() {
    double largest = largest_temperature_;
#pragma omp parallel for reduction(max : largest) schedule(static)
    for (std::size_t i = 0; i < temperature_.size(); ++i)
      largest = std::max(largest, std::abs(temperature_[i]));
    largest_temperature_ = largest;
  }

  const Parameters& p_;
  Constants constants_;
  Cell cell_;
  const std::vector<float>& power_;
  std::vector<double> temperature_, next_;
  double largest_temperature_ = 0, largest_power_ = 0;
};

// The tolerance. With u = 2^-24, a step in single precision is T plus the increment own T + vertical (n + s)
// + horizontal (w + e) + (gain power + offset). A term of the increment carries at most eight roundings
// whatever the order: of its weight, of the sum of two neighbours or the inner sum of power and offset, of
// its product, and of the additions of five terms. So a step commits at most 8 u (1 + 8 u) times the sum of
// the terms' absolute values, and u times the new T. No step amplifies the error of earlier steps: T's
// weights, 1 included, are not negative and add up to less than 1. After n steps the error is at most n times
// that; 1.01 covers the higher orders, and that the computed temperatures are not exactly the reference's.
// `expected_` is rounded itself: u more.
constexpr double unit_roundoff = 0x1p-24;

}  // namespace

Verifier::Verifier(const Parameters& parameters, const std::vector<float>& temperature,
                   const std::vector<float>& power)
    : parameters_(parameters), temperature_(temperature), power_(power) {}

void Verifier::compute_expected() const {
  Reference reference(parameters_, temperature_, power_);
  for (int i = 0; i < parameters_.steps; ++i) reference.step();
  const double per_step = 1.01 * (8 * reference.largest_increment() + reference.largest_temperature());
  tolerance_ = unit_roundoff * (parameters_.steps * per_step + reference.largest_temperature());
  expected_.assign(reference.temperature().begin(), reference.temperature().end());
}

Check Verifier::check(std::span<const float> output) const {
  std::call_once(once_, [this] { compute_expected(); });
  const double tolerance = tolerance_;
  double largest = 0;
  bool is_right = true;
#pragma omp parallel for reduction(max : largest) reduction(&& : is_right) schedule(static)
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const double error = std::abs(static_cast<double>(output[i]) - static_cast<double>(expected_[i]));
    is_right = is_right && error <= tolerance;  // false for a NaN
    largest = std::max(largest, error);
  }
  if (is_right) return {true, largest, tolerance, ""};
  Check check;
  check.ok = true;
  check.tolerance = tolerance;
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    const double error = std::abs(static_cast<double>(output[i]) - static_cast<double>(expected_[i]));
    if (error <= check.max_error) continue;
    check.max_error = error;
    if (error <= tolerance_) continue;  // false for a NaN
    check.ok = false;
    check.message =
        fmt::format("cell ({}, {}): got {}, wanted {}, off by {:.3g} where {:.3g} is allowed",
                    i / parameters_.cols, i % parameters_.cols, output[i], expected_[i], error, tolerance_);
    if (std::isnan(error)) break;
  }
  return check;
}

}  // namespace dwarfsweep::hotspot
