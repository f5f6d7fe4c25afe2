#include "dwarfs/fft_1d/roots.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dwarfsweep::fft_1d {
namespace {

using Index = std::int64_t;

enum class Rows { multiples, powers_of_two };

// exp(-2 pi i m k / 2^bits) for k < 2^k_bits and m = 0, 1, 2, 3, ... or 1, 2, 4, 8, ..., as numbers from
// `begin` on.
void fill(std::vector<float>& roots, Index begin, Rows rows, Index count, int k_bits, int bits) {
  const double turn = -2 * std::numbers::pi / static_cast<double>(Index{1} << bits);
#pragma omp parallel for
  for (Index at = 0; at < count << k_bits; ++at) {
    const Index row = at >> k_bits;
    const Index k = at & ((Index{1} << k_bits) - 1);
    const Index numerator = (rows == Rows::multiples ? row : Index{1} << row) * k;
    const double angle = turn * static_cast<double>(numerator);
    roots[static_cast<std::size_t>(2 * (begin + at))] = static_cast<float>(std::cos(angle));
    roots[static_cast<std::size_t>(2 * (begin + at) + 1)] = static_cast<float>(std::sin(angle));
  }
}

}  // namespace

std::vector<float> roots_of(const Config& config, const Pass& pass) {
  if (config.string("roots") != "table") return {};
  const bool alone = config.integer("work_group") == 1;
  const int points_bits = alone ? (pass.bits + 1) / 2 : log_of(points_of(config, pass));
  // Of w, a number's place among a work-item's: all roots, or in groups those of its bits.
  const Rows of_points = alone ? Rows::multiples : Rows::powers_of_two;
  const Index points = alone ? Index{1} << points_bits : points_bits;
  const Index items = Index{1} << (pass.bits - points_bits);  // of a column
  const Index of_stages = alone ? 0 : Index{2} << pass.bits;
  const Index of_pass = pass.before == 0 ? 0 : (points + items) << pass.before;
  std::vector<float> roots(static_cast<std::size_t>(2 * (of_stages + of_pass)));
  for (int before = points_bits; !alone && before < pass.bits; before += points_bits) {
    const int bits = std::min(points_bits, pass.bits - before);
    fill(roots, Index{2} << before, Rows::multiples, Index{1} << bits, before, bits + before);
  }
  if (pass.before > 0) {
    fill(roots, of_stages, of_points, points, pass.before, pass.before + points_bits);
    fill(roots, of_stages + (points << pass.before), Rows::multiples, items, pass.before,
         pass.before + pass.bits);
  }
  return roots;
}

}  // namespace dwarfsweep::fft_1d
