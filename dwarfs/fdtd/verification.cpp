// The check of a result of fdtd against the steps in double precision. Shares no code with the kernels or
// with the host version; kernels_cl/fdtd/fdtd.cl has the formulas.
//
// Two bounds hold the result: one for each value, and one for the energy of all errors together. The second
// finds errors that are spread over a large grid and small in each cell.
//
// Energy. Let D be the time step and C the difference operator of the H update, whose adjoint the E update
// has. With a = (1 - Ca) / (1 + Ca) and w = D / (Cb (1 + a)), for any Ca and Cb, a step does not increase
//   Q(E, H) = sum w E^2 + H . (H + D C E):
// the difference of two steps is - sum w a (E_n+1 + E_n)^2. Since |C E|^2 <= 8 |E|^2, w >= 1 and 2 D^2 =
// 0.81,
//   Q >= 0.18 sum w E^2,   Q >= 0.18 |H|^2,   Q(E, 0) = sum w E^2,   Q(0, H) = |H|^2.
// (0.19 without the rounding of Ca, Cb.)
//
// Roundings, with u = 2^-24. A new H errs by at most u (|H| + 2 D |difference of E|); that error is one of
// the state before the step. A new E errs by at most gamma_6 (|Ca E| + Cb times the sum of four |H|): no
// order of its sums, with or without fused operations, rounds a term more than six times. In the norm sqrt(Q)
// these are, since sums of four neighbours have at most sqrt(8) times the norm and |C| <= sqrt(8):
//   E: gamma_6 (|E|_w + sqrt(8) D |H|) <= 6.1 u (1 + 1.8) sqrt(Q / 0.18) <= 41 u sqrt(Q)
//   H: u (1 + 2 * 1.8) sqrt(Q / 0.18) <= 11 u sqrt(Q)
// In all less than 60 u sqrt(Q) a step. The source adds s to one E: sqrt(w) |s| to the norm, and one
// rounding, which 60 covers. Thus after n steps the norm of all errors is at most
//   (sqrt(Q_0) + sum sqrt(w) |s|) (exp(60 u n) - 1).
//
// Each value. An error that a step commits with k steps to go reaches a value only from the 2 (k + 1)^2 + 2
// (k + 1) + 1 cells around it (each step, one of its neighbours), or those of the grid. Q of the errors of
// these cells bounds what arrives. With M_E and M_H the largest absolute values of the reference in any step,
//   sqrt(cells max over media (w (gamma_6 (|Ca| M_E + 4 Cb M_H))^2) / 0.18) + sqrt(2 cells / 0.18) u (M_H + 4
//   D M_E)
// for each k, in sum c M. The roundings are those of the computed values, which exceed M by the error itself:
// c M / (1 - c). Where c is not small, what the energy allows in one cell is less.
#include "dwarfs/fdtd/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dwarfsweep::fdtd {
namespace {

constexpr double u = 0x1p-24;
constexpr double gamma_6 = 6 * u / (1 - 6 * u);
constexpr double least_share = 0.18;

/// The weight of E^2 in the energy.
double weight_of(const Coefficients& material) {
  const double loss = (1 - double{material.ca}) / (1 + double{material.ca});
  return double{time_step} / (double{material.cb} * (1 + loss));
}

struct State {
  std::vector<double>&ez, &hx, &hy;
};

/// The largest absolute values of a state.
struct Largest {
  double e = 0, h = 0;
};

// A step, written as the formulas are, row by row. Ez of the outermost cells is not touched.
Largest make_step(const Grid& grid, const Medium& medium, int step, const State& s) {
  const double d = time_step;
  const std::size_t ny = grid.ny;
  std::array<double, 256> ca{}, cb{};
  for (std::size_t m = 0; m < ca.size(); ++m) {
    ca[m] = medium.materials[m].ca;
    cb[m] = medium.materials[m].cb;
  }
  double largest_h = 0;
#pragma omp parallel for schedule(static) reduction(max : largest_h)
  for (std::size_t i = 0; i < grid.nx; ++i) {
    const double* const ez = s.ez.data() + i * ny;
    double* const hx = s.hx.data() + i * ny;
    double* const hy = s.hy.data() + i * ny;
    for (std::size_t j = 0; j + 1 < ny; ++j) hx[j] -= d * (ez[j + 1] - ez[j]);
    if (i + 1 < grid.nx)
      for (std::size_t j = 0; j < ny; ++j) hy[j] += d * (ez[j + ny] - ez[j]);
    for (std::size_t j = 0; j < ny; ++j) largest_h = std::max({largest_h, std::abs(hx[j]), std::abs(hy[j])});
  }
  double largest_e = 0;
#pragma omp parallel for schedule(static) reduction(max : largest_e)
  for (std::size_t i = 1; i < grid.nx - 1; ++i) {
    double* const ez = s.ez.data() + i * ny;
    const double* const hx = s.hx.data() + i * ny;
    const double* const hy = s.hy.data() + i * ny;
    const double* const hy_above = hy - ny;
    const std::uint8_t* const index = medium.index.data() + i * ny;
    for (std::size_t j = 1; j + 1 < ny; ++j) {
      const double curl = hy[j] - hy_above[j] - hx[j] + hx[j - 1];
      ez[j] = ca[index[j]] * ez[j] + cb[index[j]] * curl;
      largest_e = std::max(largest_e, std::abs(ez[j]));
    }
  }
  if (grid.has_source) {
    double& at = s.ez[grid.source_row() * ny + grid.source_column()];
    at += double{source_in_step(step)};
    largest_e = std::max(largest_e, std::abs(at));
  }
  return {largest_e, largest_h};
}

double largest_of(const std::vector<float>& values) {
  double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
  for (std::size_t i = 0; i < values.size(); ++i) largest = std::max(largest, std::abs(double{values[i]}));
  return largest;
}

/// Q of fields, or of the errors of fields.
double energy_of(const Grid& grid, const Medium& medium, const State& s) {
  std::array<double, 256> weights{};
  for (std::size_t m = 0; m < Medium::conductor; ++m)
    weights[m] = medium.materials[m].cb > 0 ? weight_of(medium.materials[m]) : 0;
  const std::size_t ny = grid.ny;
  double energy = 0;
#pragma omp parallel for schedule(static) reduction(+ : energy)
  for (std::size_t i = 0; i < grid.nx; ++i) {
    for (std::size_t j = 0; j < ny; ++j) {
      const std::size_t at = i * ny + j;
      const double next_hx = s.hx[at] - (j + 1 < ny ? double{time_step} * (s.ez[at + 1] - s.ez[at]) : 0);
      const double next_hy =
          s.hy[at] + (i + 1 < grid.nx ? double{time_step} * (s.ez[at + ny] - s.ez[at]) : 0);
      energy += weights[medium.index[at]] * s.ez[at] * s.ez[at] + s.hx[at] * next_hx + s.hy[at] * next_hy;
    }
  }
  return energy;
}

/// c M of the header.
double bound_of_values(const Grid& grid, const Medium& medium, double largest_e, double largest_h) {
  double of_e = 0;
  for (const Coefficients& material : medium.materials) {
    if (material.cb <= 0) continue;
    const double error =
        gamma_6 * (std::abs(double{material.ca}) * largest_e + 4 * double{material.cb} * largest_h);
    of_e = std::max(of_e, std::sqrt(weight_of(material)) * error);
  }
  const double of_h = std::sqrt(2) * u * (largest_h + 4 * double{time_step} * largest_e);
  double sum = 0;
  for (int k = 0; k < grid.steps; ++k) {
    const double reach = k + 1;
    const double cells = std::min(2 * reach * reach + 2 * reach + 1, static_cast<double>(grid.cells()));
    sum += std::sqrt(cells / least_share) * (of_e + of_h);
  }
  return sum;
}

}  // namespace

void Verifier::compute_expected() const {
  ez_.assign(start_.ez.begin(), start_.ez.end());
  hx_.assign(start_.hx.begin(), start_.hx.end());
  hy_.assign(start_.hy.begin(), start_.hy.end());
  const State state{ez_, hx_, hy_};
  double norm = std::sqrt(std::max(0.0, energy_of(grid_, medium_, state)));
  double largest_e = largest_of(start_.ez);
  double largest_h = std::max(largest_of(start_.hx), largest_of(start_.hy));
  const std::size_t source = grid_.source_row() * grid_.ny + grid_.source_column();
  const double source_weight = weight_of(medium_.materials[medium_.index[source]]);
  for (int step = 0; step < grid_.steps; ++step) {
    const Largest largest = make_step(grid_, medium_, step, state);
    if (grid_.has_source) norm += std::sqrt(source_weight) * std::abs(double{source_in_step(step)});
    largest_e = std::max(largest_e, largest.e);
    largest_h = std::max(largest_h, largest.h);
  }
  constexpr double flushed = 0x1p-100;  // more than all steps flush to zero
  energy_bound_ = norm * std::expm1(60 * u * grid_.steps) + flushed;
  const double of_energy = energy_bound_ / std::sqrt(least_share);
  const double sum = bound_of_values(grid_, medium_, largest_e, largest_h);
  const double c = sum / std::max({largest_e, largest_h, flushed});
  tolerance_ = c < 0.5 ? std::min(of_energy, sum / (1 - c) + flushed) : of_energy;
}

Check Verifier::check(const Fields& result) const {
  std::call_once(once_, [this] { compute_expected(); });
  Check check{true, 0, tolerance_, ""};
  std::vector<double> errors[3];
  const std::pair<const std::vector<float>*, const std::vector<double>*> compared[] = {
      {&result.ez, &ez_}, {&result.hx, &hx_}, {&result.hy, &hy_}};
  constexpr const char* names[] = {"ez", "hx", "hy"};
  for (std::size_t f = 0; f < 3; ++f) {
    const std::vector<float>& got = *compared[f].first;
    const std::vector<double>& wanted = *compared[f].second;
    const auto allowed_at = [&](std::size_t at) {
      const bool stays_zero = f == 0 && medium_.index[at] == Medium::conductor;
      return stays_zero ? 0 : tolerance_;
    };
    errors[f].resize(grid_.cells());
    std::size_t first_wrong = grid_.cells();
    double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest) reduction(min : first_wrong)
    for (std::size_t at = 0; at < grid_.cells(); ++at) {
      errors[f][at] = got[at] - wanted[at];
      const double error = std::abs(errors[f][at]);
      largest = std::max(largest, error);
      if (!(error <= allowed_at(at))) first_wrong = std::min(first_wrong, at);  // also for a NaN
    }
    check.max_error = std::max(check.max_error, largest);
    if (first_wrong == grid_.cells()) continue;
    check.ok = false;
    check.message =
        fmt::format("{}[{}, {}]: got {}, wanted {}, off by {:.3g} where {:.3g} is allowed", names[f],
                    first_wrong / grid_.ny, first_wrong % grid_.ny, got[first_wrong], wanted[first_wrong],
                    std::abs(errors[f][first_wrong]), allowed_at(first_wrong));
    return check;
  }
  const double norm = std::sqrt(std::max(0.0, energy_of(grid_, medium_, {errors[0], errors[1], errors[2]})));
  check.ok = norm <= energy_bound_;
  if (!check.ok) {
    check.message =
        fmt::format("the errors of all values together have the norm {:.3g} where {:.3g} is allowed", norm,
                    energy_bound_);
  }
  return check;
}

}  // namespace dwarfsweep::fdtd
