#include "dwarfs/hotspot/input.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "dwarfs/x86_levels.hpp"
#include "harness/random.hpp"

namespace dwarfsweep::hotspot {
namespace {

// The network of resistors and capacitors that stands for the chip; one cell.
struct Cell {
  Cell(const Parameters& p, const Constants& c) {
    const double height = c.chip_height / static_cast<double>(p.rows);
    const double width = c.chip_width / static_cast<double>(p.cols);
    capacitance = c.capacitance_factor * c.specific_heat * c.thickness * width * height;
    resistance_x = width / (2 * c.conductivity * c.thickness * height);
    resistance_y = height / (2 * c.conductivity * c.thickness * width);
    resistance_z = c.thickness / (c.conductivity * height * width);
    const double max_slope =
        c.max_power_density / (c.capacitance_factor * c.thickness * c.specific_heat);  // K / s
    time_step = c.precision / max_slope;
  }

  double capacitance, resistance_x, resistance_y, resistance_z;
  double time_step;  // s
};

}  // namespace

Parameters parameters_of(const Problem& problem) {
  return {static_cast<std::size_t>(problem.integer("rows")),
          static_cast<std::size_t>(problem.integer("cols")), static_cast<int>(problem.integer("steps"))};
}

Constants constants_of(const Parameters& parameters) {
  Constants constants;
  // An explicit step is stable while no cell passes on more than it has: its own weight must not be negative.
  const auto passed_on = [&] {
    const Cell cell(parameters, constants);
    return cell.time_step / cell.capacitance *
           (2 / cell.resistance_x + 2 / cell.resistance_y + 1 / cell.resistance_z);
  };
  while (passed_on() > 1) constants.precision /= 2;
  return constants;
}

Weights weights_of(const Parameters& parameters) {
  const Constants constants = constants_of(parameters);
  const Cell cell(parameters, constants);
  const double gain = cell.time_step / cell.capacitance;
  const double x = gain / cell.resistance_x;
  const double y = gain / cell.resistance_y;
  const double z = gain / cell.resistance_z;
  return {static_cast<float>(-2 * x - 2 * y - z), static_cast<float>(y), static_cast<float>(x),
          static_cast<float>(gain), static_cast<float>(z * constants.ambient)};
}

HotspotInput::HotspotInput(const Parameters& parameters, std::vector<float> temperature,
                           std::vector<float> power)
    : parameters_(parameters), temperature_(std::move(temperature)), power_(std::move(power)) {}

std::shared_ptr<const HotspotInput> random_input(const Parameters& parameters, std::uint64_t seed) {
  const Constants constants = constants_of(parameters);
  const double area = constants.chip_height * constants.chip_width / static_cast<double>(parameters.cells());
  std::vector<float> temperature(parameters.cells());
  Random(seed_of_part(seed, 0)).fill_uniform(temperature, 320, 345);
  std::vector<float> power(parameters.cells());
  Random(seed_of_part(seed, 1))
      .fill_uniform(power, 0, static_cast<float>(300 * constants.max_power_density * area));
  return std::make_shared<HotspotInput>(parameters, std::move(temperature), std::move(power));
}

// --- the reference: the formulas as published, in double precision ---

namespace {

class Reference {
 public:
  explicit Reference(const HotspotInput& input)
      : p_(input.parameters()),
        constants_(constants_of(p_)),
        cell_(p_, constants_),
        power_(input.power()),
        temperature_(input.temperature().begin(), input.temperature().end()),
        next_(p_.cells()) {
    for (const float value : input.power())
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
    for (const double value : temperature_)
      largest_temperature_ = std::max(largest_temperature_, std::abs(value));
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
// the terms' absolute values, and u times the new T. No step makes the error of those before larger: T's
// weights, 1 included, are not negative and add up to less than 1. After n steps the error is at most n times
// that; 1.01 covers the higher orders, and that the computed temperatures are not exactly the reference's.
// `expected_` is rounded itself: u more.
constexpr double unit_roundoff = 0x1p-24;

}  // namespace

void HotspotInput::compute_reference() const {
  Reference reference(*this);
  for (int i = 0; i < parameters_.steps; ++i) reference.step();
  const double per_step = 1.01 * (8 * reference.largest_increment() + reference.largest_temperature());
  tolerance_ = unit_roundoff * (parameters_.steps * per_step + reference.largest_temperature());
  expected_.assign(reference.temperature().begin(), reference.temperature().end());
}

Check HotspotInput::check(std::span<const float> output) const {
  std::call_once(once_, [this] { compute_reference(); });
  Check check;
  check.ok = true;
  check.tolerance = tolerance_;
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

// --- the host's own version: a pass over memory per step ---

namespace {

struct Rows {
  const float* above;
  const float* here;
  const float* below;
  const float* power;
};

FOR_EACH_X86_LEVEL void update_row(const Rows& rows, std::size_t cols, const Weights& weights,
                                   float* result) {
  const float* above = rows.above;
  const float* here = rows.here;
  const float* below = rows.below;
  const float* power = rows.power;
  const Weights w = weights;
  const auto updated = [=](std::size_t i, float west, float east) {
    return here[i] + (w.own * here[i] + w.vertical * (above[i] + below[i]) + w.horizontal * (west + east) +
                      (w.gain * power[i] + w.offset));
  };
  const std::size_t last = cols - 1;
  result[0] = updated(0, here[0], here[std::min<std::size_t>(1, last)]);
#pragma omp simd
  for (std::size_t i = 1; i < last; ++i) result[i] = updated(i, here[i - 1], here[i + 1]);
  if (last > 0) result[last] = updated(last, here[last - 1], here[last]);
}

class Simulation {
 public:
  Simulation(const HotspotInput& input, int threads)
      : input_(input),
        p_(input.parameters()),
        weights_(weights_of(p_)),
        threads_(threads),
        next_(p_.cells()) {}

  void reset() { temperature_ = input_.temperature(); }
  [[nodiscard]] const std::vector<float>& temperature() const { return temperature_; }

  void run() {
#pragma omp parallel num_threads(threads_)
    for (int i = 0; i < p_.steps; ++i) {
      const float* from = (i % 2 == 0 ? temperature_ : next_).data();
      float* to = (i % 2 == 0 ? next_ : temperature_).data();
#pragma omp for schedule(static)
      for (std::size_t row = 0; row < p_.rows; ++row) step_row(row, from, to);
    }
    if (p_.steps % 2 == 1) temperature_.swap(next_);
  }

 private:
  void step_row(std::size_t row, const float* from, float* to) const {
    const std::size_t begin = row * p_.cols;
    const float* here = from + begin;
    update_row({row == 0 ? here : here - p_.cols, here, row + 1 == p_.rows ? here : here + p_.cols,
                input_.power().data() + begin},
               p_.cols, weights_, to + begin);
  }

  const HotspotInput& input_;
  const Parameters& p_;
  Weights weights_;
  int threads_;
  std::vector<float> temperature_, next_;
};

class HotspotHostCase final : public HostCase {
 public:
  HotspotHostCase(std::shared_ptr<const HotspotInput> input, int threads)
      : input_(std::move(input)), simulation_(*input_, threads) {}

  void reset() override { simulation_.reset(); }
  void run() override { simulation_.run(); }
  [[nodiscard]] Check check() const override { return input_->check(simulation_.temperature()); }

 private:
  std::shared_ptr<const HotspotInput> input_;
  Simulation simulation_;
};

}  // namespace

std::vector<float> simulated_on_host(const HotspotInput& input) {
  Simulation simulation(input, 1);
  simulation.reset();
  simulation.run();
  return simulation.temperature();
}

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const HotspotInput> input, int threads) {
  return std::make_unique<HotspotHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::hotspot
