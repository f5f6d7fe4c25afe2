// The check of a result of lbm against steps in double precision. Shares no code with the kernels or with the
// host version.
//
// Notation: u = 2^-24, W the weights, and of the reference, over all steps and cells: p the largest f / W, r
// the least density, m the largest speed. An error e of a cell is measured by |e|^2 = sum e_i^2 / W_i.
//
// One step. The kernels add the 19 f in pairs, at most seven additions deep, and the ten of a component of
// the momentum, whose weights sum to 1/3, at most five deep.
//   rho is off by 7 u p, a component of the momentum by 5 u p / 3;
//   a component of the velocity by d = u (5 p / (3 r) + 14 m): the division errs by 2.5 ulp, a product by u;
//   c.u, of two components, by e = 2 d + 1.5 u m, and it is at most 1.42 m;
//   b = 3 c.u + 4.5 (c.u)^2 - 1.5 u.u, at most B = 4.3 m + 10.6 m^2, by
//     (3 + 12.8 m) e + 5.3 m d + 6 u B, the last for the roundings of the products and sums;
//   f_eq / W = rho (1 + b) by p (7 u (1 + B) + that of b) + 7 u p (1 + B), the last for the constants and
//     products, omega W among them;
//   f' = (1 - omega) f + omega f_eq by omega times that, and (3 |1 - omega| + 2) u p.
// So each f' / W is off by at most the sum of the last two, which is called s, and |e| <= s, because the
// weights sum to 1. What is flushed to zero adds 36 * 64 * 2^-126. Nothing rounds in obstacles.
//
// How steps spread an error. Moving and bouncing back permute numbers of equal weight: |e|, summed over
// cells, stays. The collision, linearised, keeps the part P of an error that changes density and momentum,
// and multiplies the rest by 1 - omega; at a velocity u, it adds to the rest omega Q P with
// |Q| <= sqrt(6) |u| + 2.13 u.u (from the fourth moments of the weights; less for accelerated cells). So
// |e| grows by at most the norm A of the matrix (1, 0; omega |Q|, |1 - omega|) in a step. After k steps, an
// error has come from a cube of edge 2 k + 1, of n_k cells. After n steps
//   |f_i - expected| <= W_i s + sqrt(W_i) (sum over k = 1 .. n-1 of A^k s sqrt(n_k) + A^n t sqrt(n_n)),
// with the error t of storing the first state, and over the whole grid of N cells
//   sqrt(sum |e|^2 / N) <= sum over k of A^k s + A^n t,
// which is much stricter against errors that all cells have. Each step changes the mean density by at most s.
// 1.01 covers the higher orders, and that the computed steps are not exactly the reference's.
//
// Storage. shifted: f - W is rounded at first, u times the largest |f / W - 1|, called D; plus W at the end,
// u p. half: after each step, and at first, 2^15 (f - W) is rounded to 11 bits: 2^-11 D (the error of f
// itself is taken to be below 0.01 W), and as a subnormal 2^-40, 36 times that over W.
#include "dwarfs/lbm/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace dwarfsweep::lbm {
namespace {

constexpr double unit = 0x1p-24;

/// Density, velocity and its square of each cell of a row.
struct RowMoments {
  explicit RowMoments(std::size_t nx) : density(nx), square(nx), after(nx) {
    for (auto& component : velocity) component.resize(nx);
  }

  void set(const double* row, std::size_t stride, const std::uint8_t* flags) {
    std::fill(density.begin(), density.end(), 0);
    for (auto& component : velocity) std::fill(component.begin(), component.end(), 0);
    const std::size_t nx = density.size();
    for (std::size_t i = 0; i < directions; ++i) {
      const double c[3] = {double(lattice[i].x), double(lattice[i].y), double(lattice[i].z)};
      const double* const f = row + i * stride;
      for (std::size_t x = 0; x < nx; ++x) density[x] += f[x];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (c[axis] == 0) continue;
        for (std::size_t x = 0; x < nx; ++x) velocity[axis][x] += c[axis] * f[x];
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (std::size_t x = 0; x < nx; ++x) velocity[axis][x] /= density[x];
    for (std::size_t x = 0; x < nx; ++x) {
      if (static_cast<Flag>(flags[x]) == Flag::accelerated)
        for (std::size_t axis = 0; axis < 3; ++axis) velocity[axis][x] = lid_velocity[axis];
    }
    for (std::size_t x = 0; x < nx; ++x)
      square[x] =
          velocity[0][x] * velocity[0][x] + velocity[1][x] * velocity[1][x] + velocity[2][x] * velocity[2][x];
  }

  std::vector<double> density, square;
  std::array<std::vector<double>, 3> velocity;
  std::vector<double> after;  ///< room for a direction's numbers after the collision
};

}  // namespace

void Verifier::note_extremes(const double* row, const std::uint8_t* flags, const std::vector<double>& density,
                             const std::vector<double>& square, Extremes& e) const {
  const std::size_t nx = density.size();
  for (std::size_t i = 0; i < directions; ++i) {
    const double* const f = row + i * grid_.cells();
    double population = 0, deviation = 0;
    for (std::size_t x = 0; x < nx; ++x) {
      population = std::max(population, std::abs(f[x]));
      deviation = std::max(deviation, std::abs(f[x] - lattice[i].weight));
    }
    e.population = std::max(e.population, population / lattice[i].weight);
    e.deviation = std::max(e.deviation, deviation / lattice[i].weight);
  }
  double largest = 0;
  for (std::size_t x = 0; x < nx; ++x) {
    if (static_cast<Flag>(flags[x]) == Flag::obstacle) continue;
    largest = std::max(largest, square[x]);
    e.density = std::min(e.density, density[x]);
  }
  e.speed = std::max(e.speed, std::sqrt(largest));
}

// Row by row: a step, and the extremes of the state before it. Without `to` only these.
void Verifier::make_step(const double* from, double* to) const {
  const std::size_t cells = grid_.cells();
  const auto nx = static_cast<std::size_t>(grid_.nx);
  const double omega = grid_.omega;
#pragma omp parallel
  {
    RowMoments moments(nx);
    Extremes extremes;
#pragma omp for schedule(static) nowait
    for (std::int64_t row = 0; row < grid_.ny * grid_.nz; ++row) {
      const double* const f = from + row * grid_.nx;
      const std::uint8_t* const flags = flags_.data() + row * grid_.nx;
      moments.set(f, cells, flags);
      note_extremes(f, flags, moments.density, moments.square, extremes);
      for (std::size_t i = 0; i < directions && to != nullptr; ++i) {
        const Direction& c = lattice[i];
        const double* const own = f + i * cells;
        const double* const opposite = f + c.opposite * cells;
        for (std::size_t x = 0; x < nx; ++x) {
          const double cu =
              c.x * moments.velocity[0][x] + c.y * moments.velocity[1][x] + c.z * moments.velocity[2][x];
          const double equilibrium =
              c.weight * moments.density[x] * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * moments.square[x]);
          const double collided = own[x] + omega * (equilibrium - own[x]);
          moments.after[x] = static_cast<Flag>(flags[x]) == Flag::obstacle ? opposite[x] : collided;
        }
        // To the row at (y, z) + c, where the cells move by c along the row.
        const std::int64_t y = wrapped(row % grid_.ny + c.y, grid_.ny);
        const std::int64_t z = wrapped(row / grid_.ny + c.z, grid_.nz);
        double* const end = to + i * cells + (z * grid_.ny + y) * grid_.nx;
        const auto shift = static_cast<std::size_t>(wrapped(c.x, grid_.nx));
        std::copy(moments.after.begin(), moments.after.end() - static_cast<std::ptrdiff_t>(shift),
                  end + shift);
        std::copy(moments.after.end() - static_cast<std::ptrdiff_t>(shift), moments.after.end(), end);
      }
    }
#pragma omp critical
    extremes_ = {
        std::max(extremes_.speed, extremes.speed), std::max(extremes_.population, extremes.population),
        std::max(extremes_.deviation, extremes.deviation), std::min(extremes_.density, extremes.density)};
  }
}

void Verifier::compute_expected() const {
  const std::size_t count = f_.size();
  // Not from vectors, whose zeros one thread would write.
  auto now = std::make_unique_for_overwrite<double[]>(count);
  auto next = std::make_unique_for_overwrite<double[]>(count);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < count; ++i) now[i] = f_[i];
  for (int step = 0; step < grid_.steps; ++step) {
    make_step(now.get(), next.get());
    now.swap(next);
  }
  make_step(now.get(), nullptr);
  next.reset();
  expected_.resize(count);
  double mass = 0;
#pragma omp parallel for schedule(static) reduction(+ : mass)
  for (std::size_t i = 0; i < count; ++i) {
    mass += now[i];
    expected_[i] = static_cast<float>(now[i]);
  }
  mass_ = mass;
}

double Verifier::error_of_step() const {
  const double p = extremes_.population;
  const double m = extremes_.speed;
  const double omega = grid_.omega;
  const double velocity = unit * (5 * p / (3 * std::min(extremes_.density, 1.0)) + 14 * m);
  const double product = 2 * velocity + 1.5 * unit * m;
  const double bracket = 4.3 * m + 10.6 * m * m;
  const double of_bracket = (3 + 12.8 * m) * product + 5.3 * m * velocity + 6 * unit * bracket;
  const double equilibrium = p * (14 * unit * (1 + bracket) + of_bracket);
  return 1.01 * (omega * equilibrium + (3 * std::abs(1 - omega) + 2) * unit * p + 36 * 64 * 0x1p-126);
}

Verifier::Bounds Verifier::bounds(Storage storage) const {
  const double m = extremes_.speed;
  const double rounded = storage == Storage::half ? 0x1p-11 * (extremes_.deviation + 0.01) + 36 * 0x1p-40 : 0;
  const double first = storage == Storage::shifted ? unit * extremes_.deviation : rounded;
  const double last =
      unit * extremes_.population * (storage == Storage::plain ? 1 : 2);  // also of `expected_`
  const double step = error_of_step() + 1.01 * rounded;
  // The norm of (1, 0; a, b): the root of the larger eigenvalue of its square.
  const double a = grid_.omega * (std::sqrt(6) * m + 2.13 * m * m);
  const double b = std::abs(1 - static_cast<double>(grid_.omega));
  const double trace = 1 + a * a + b * b;
  const double growth = std::sqrt((trace + std::sqrt(trace * trace - 4 * b * b)) / 2);
  const auto cells_of = [&](int k) {
    const std::int64_t edge = 2 * std::int64_t{k} + 1;
    return static_cast<double>(std::min(edge, grid_.nx)) * static_cast<double>(std::min(edge, grid_.ny)) *
           static_cast<double>(std::min(edge, grid_.nz));
  };
  Bounds bounds;
  double grown = 1;
  for (int k = 0; k < grid_.steps; ++k) {
    if (k > 0) bounds.spread += grown * step * std::sqrt(cells_of(k));
    bounds.rms += grown * step;
    grown *= growth;
  }
  bounds.spread += grown * first * std::sqrt(cells_of(grid_.steps));
  bounds.last_step = step + last;
  bounds.rms += grown * first + last;
  bounds.mass = grid_.steps * step + first + last;
  return bounds;
}

Check Verifier::check(std::span<const float> f, Storage storage) const {
  std::call_once(once_, [this] { compute_expected(); });
  const Bounds allowed = bounds(storage);
  const std::size_t cells = grid_.cells();
  double squares = 0, mass = 0;
  Check check{true, 0, 0, ""};
  for (std::size_t i = 0; i < directions; ++i) {
    const double weight = lattice[i].weight;
    const double tolerance = weight * allowed.last_step + std::sqrt(weight) * allowed.spread;
    check.tolerance = std::max(check.tolerance, tolerance);
    double largest = 0, sum = 0, squared = 0;
#pragma omp parallel for schedule(static) reduction(max : largest) reduction(+ : sum, squared)
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::size_t at = i * cells + cell;
      const double error = std::abs(static_cast<double>(f[at]) - static_cast<double>(expected_[at]));
      largest = error <= tolerance ? std::max(largest, error) : HUGE_VAL;  // NaN fails
      sum += f[at];
      squared += error * error;
    }
    squares += squared / weight;
    mass += sum;
    if (largest < HUGE_VAL) {
      check.max_error = std::max(check.max_error, largest);
      continue;
    }
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::size_t at = i * cells + cell;
      const double error = std::abs(static_cast<double>(f[at]) - static_cast<double>(expected_[at]));
      if (error <= tolerance) continue;
      const auto number = static_cast<std::int64_t>(cell);
      return {false, error, tolerance,
              fmt::format("f[{}][{}][{}][{}] is {}, expected {} +- {:.2g}", i, number / (grid_.nx * grid_.ny),
                          number / grid_.nx % grid_.ny, number % grid_.nx, f[at], expected_[at], tolerance)};
    }
  }
  const auto count = static_cast<double>(cells);
  if (const double rms = std::sqrt(squares / count); !(rms <= allowed.rms))
    return {
        false, rms, allowed.rms,
        fmt::format("the error of all cells is {:.3g}, the root of its mean square by weights, expected at "
                    "most {:.3g}",
                    rms, allowed.rms)};
  if (const double drift = std::abs(mass - mass_) / count; !(drift <= allowed.mass))
    return {false, drift, allowed.mass,
            fmt::format("the mean density changed by {:.3g}, expected at most {:.3g}", drift, allowed.mass)};
  return check;
}

}  // namespace dwarfsweep::lbm
