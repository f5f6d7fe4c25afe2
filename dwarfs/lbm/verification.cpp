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

namespace dwarfsweep::lbm {
namespace {

constexpr double unit = 0x1p-24;

double square(double x) {
  return x * x;
}

struct Moments {
  double density = 0;
  std::array<double, 3> velocity{};
};

Moments moments_of(const std::array<double, directions>& f, Flag flag) {
  Moments moments;
  for (std::size_t i = 0; i < directions; ++i) {
    moments.density += f[i];
    moments.velocity[0] += lattice[i].x * f[i];
    moments.velocity[1] += lattice[i].y * f[i];
    moments.velocity[2] += lattice[i].z * f[i];
  }
  for (double& component : moments.velocity) component /= moments.density;
  if (flag == Flag::accelerated) moments.velocity = lid_velocity;
  return moments;
}

double speed_squared(const Moments& moments) {
  return square(moments.velocity[0]) + square(moments.velocity[1]) + square(moments.velocity[2]);
}

std::array<double, directions> populations(const std::vector<double>& f, std::size_t cell,
                                           std::size_t cells) {
  std::array<double, directions> own{};
  for (std::size_t i = 0; i < directions; ++i) own[i] = f[i * cells + cell];
  return own;
}

}  // namespace

void Verifier::make_step(const std::vector<double>& from, std::vector<double>& to) const {
  const std::size_t cells = grid_.cells();
  const double omega = grid_.omega;
#pragma omp parallel for schedule(static)
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto flag = static_cast<Flag>(flags_[cell]);
    const std::array<double, directions> f = populations(from, cell, cells);
    const Moments moments = moments_of(f, flag);
    const auto& [ux, uy, uz] = moments.velocity;
    for (std::size_t i = 0; i < directions; ++i) {
      const Direction& c = lattice[i];
      const double cu = c.x * ux + c.y * uy + c.z * uz;
      const double equilibrium =
          c.weight * moments.density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * speed_squared(moments));
      const double after = flag == Flag::obstacle ? f[c.opposite] : f[i] + omega * (equilibrium - f[i]);
      to[i * cells + neighbour(grid_, cell, c)] = after;
    }
  }
}

void Verifier::note_extremes(const std::vector<double>& f) const {
  const std::size_t cells = grid_.cells();
  Extremes e = extremes_;
  double speed = 0, population = 0, deviation = 0, density = e.density;
#pragma omp parallel for schedule(static) reduction(max                                           \
                                                    : speed, population, deviation) reduction(min \
                                                                                              : density)
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::array<double, directions> own = populations(f, cell, cells);
    const auto flag = static_cast<Flag>(flags_[cell]);
    for (std::size_t i = 0; i < directions; ++i) {
      population = std::max(population, std::abs(own[i]) / lattice[i].weight);
      deviation = std::max(deviation, std::abs(own[i] / lattice[i].weight - 1));
    }
    if (flag == Flag::obstacle) continue;
    const Moments moments = moments_of(own, flag);
    speed = std::max(speed, std::sqrt(speed_squared(moments)));
    density = std::min(density, moments.density);
  }
  extremes_ = {std::max(e.speed, speed), std::max(e.population, population), std::max(e.deviation, deviation),
               density};
}

void Verifier::compute_expected() const {
  std::vector<double> now(f_.begin(), f_.end());
  std::vector<double> next(now.size());
  note_extremes(now);
  for (int step = 0; step < grid_.steps; ++step) {
    make_step(now, next);
    now.swap(next);
    note_extremes(now);
  }
  expected_.assign(now.begin(), now.end());
  for (const double value : now) mass_ += value;
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
