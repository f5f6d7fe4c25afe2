// The check of a reconstruction. Shares no code with the kernels or with the host version.
//
// For the first voxel, the last one and random ones (all of a small problem) the sums are done again in
// double precision. Everywhere else the result must be finite.
//
// Bound. u = 2^-24 is the unit roundoff of float. The phase in turns is a sum of three products, in radians
// it takes a rounded constant and a product more: it is off by at most 2 pi 5 u M, M = |kx x| + |ky y| + |kz
// z|. Sine and cosine, whose slope is at most 1, add `function_error`, which depends on how they are
// computed; a weight (at most two products and a sum: three roundings) and its product add 4 u. A term of
// weight W
// (|phi|^2; with fhd (|phi_r| + |phi_i|) (|d_r| + |d_i|), the magnitudes in both parts of conj(phi) d) is off
// by
//   W (2 pi 5 u M + function_error + 4 u).
// Sums run over the samples in order, and start again in each launch. The error of each addition is at most u
// times the partial sum behind it (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., 4.2),
// which is the difference of two of the sums from the first sample on, and those are known here: with P the
// largest of them, and at most three additions per sample, launches included, that is 3 n u (2 P + W). It is
// much sharper than a bound by the sum of all |W|, since phases cancel: a lost sample shows. What is flushed
// to zero adds 2^-126 for each operation. All of it is of first order; 2^-8 of it covers the rest.
#include "dwarfs/mri/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numbers>

#include "harness/statistics/random.hpp"

namespace dwarfsweep::mri {
namespace {

constexpr double unit = 0x1p-24;
constexpr double most_pairs = 0x1p20;  // with at most this many pairs, all voxels are compared
constexpr std::size_t sampled_voxels = 200;

}  // namespace

void Verifier::add_samples(Sum& sum) const {
  const float* x = scan_.voxels.data() + 3 * sum.voxel;
  for (std::size_t i = 0; i < scan_.sample_count(); ++i) {
    const float* k = scan_.samples.data() + 3 * i;
    const double phi_r = scan_.phi[2 * i];
    const double phi_i = scan_.phi[2 * i + 1];
    double turns = 0;
    double size = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double product = static_cast<double>(k[axis]) * x[axis];
      turns += product;
      size += std::abs(product);
    }
    const double angle = 2 * std::numbers::pi * turns;
    const double cosine = std::cos(angle);
    const double sine = std::sin(angle);
    const double with_r = scan_.fhd ? scan_.data[2 * i] : phi_r;
    const double with_i = scan_.fhd ? scan_.data[2 * i + 1] : phi_i;
    const double real = phi_r * with_r + phi_i * with_i;
    const double imaginary = phi_r * with_i - phi_i * with_r;  // 0 with q
    sum.parts[0] += real * cosine - imaginary * sine;
    sum.parts[1] += imaginary * cosine + real * sine;
    const double weight = scan_.fhd
                              ? (std::abs(phi_r) + std::abs(phi_i)) * (std::abs(with_r) + std::abs(with_i))
                              : phi_r * phi_r + phi_i * phi_i;
    sum.weight += weight;
    sum.most_weight = std::max(sum.most_weight, weight);
    sum.moved += weight * size;
    sum.partial = std::max({sum.partial, std::abs(sum.parts[0]), std::abs(sum.parts[1])});
  }
}

void Verifier::prepare() const {
  const std::size_t voxels = scan_.voxel_count();
  const bool all = static_cast<double>(voxels) * static_cast<double>(scan_.sample_count()) <= most_pairs;
  sums_.resize(all ? voxels : std::min(voxels, sampled_voxels));
  Random random(seed_of_part(voxels, scan_.sample_count()));
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sums_[i].voxel = all || i == 0 ? i : i == 1 ? voxels - 1 : static_cast<std::size_t>(random.below(voxels));
  }
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sums_.size(); ++i) add_samples(sums_[i]);
}

double Verifier::tolerance_of(const Sum& sum, double function_error) const {
  const auto samples = static_cast<double>(scan_.sample_count());
  const double terms = 2 * std::numbers::pi * 5 * unit * sum.moved + (function_error + 4 * unit) * sum.weight;
  const double additions = 3 * samples * unit * (2 * (sum.partial + terms) + sum.most_weight);
  return (terms + additions) * (1 + 0x1p-8) + 16 * samples * FLT_MIN;
}

Check Verifier::check(std::span<const float> result, double function_error) const {
  std::call_once(prepared_, [this] { prepare(); });
  Check check;
  check.ok = true;
  double worst = -1;  // error in units of its tolerance
  for (const Sum& sum : sums_) {
    const double tolerance = tolerance_of(sum, function_error);
    for (std::size_t part = 0; part < 2; ++part) {
      const double found = result[2 * sum.voxel + part];
      const double error = std::abs(found - sum.parts[part]);
      if (!(error / tolerance <= worst)) {
        worst = error / tolerance;
        check.max_error = error;
        check.tolerance = tolerance;
      }
      if (error <= tolerance) continue;
      check.ok = false;
      check.message =
          fmt::format("{} part of voxel {} is {}, wanted {} within {}", part == 0 ? "real" : "imaginary",
                      sum.voxel, found, sum.parts[part], tolerance);
      return check;
    }
  }
  const auto bad =
      std::find_if(result.begin(), result.end(), [](float value) { return !std::isfinite(value); });
  if (bad != result.end()) {
    check.ok = false;
    check.message = fmt::format("voxel {} is {}", (bad - result.begin()) / 2, *bad);
  }
  return check;
}

}  // namespace dwarfsweep::mri
