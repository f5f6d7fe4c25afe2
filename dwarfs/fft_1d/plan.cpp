#include "dwarfs/fft_1d/plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::fft_1d {

namespace {

// Columns of a group that are neighbours in the arrays: not more than there are.
std::int64_t columns_of(const Config& config, const Pass& pass, int log_n) {
  const std::int64_t items = (std::int64_t{1} << pass.bits) / points_of(config, pass);
  const std::int64_t most = std::max<std::int64_t>(1, config.integer("work_group") / items);
  if (!pass.across) return most;
  const std::int64_t read = std::int64_t{1} << (log_n - pass.bits);
  const std::int64_t written = pass.before == 0 ? read : std::int64_t{1} << pass.before;
  return std::min({most, read, written});
}

// What a column takes of local memory, in numbers; `banks` of them are stored at once.
std::int64_t line_of(const Config& config, const Pass& pass, std::int64_t banks) {
  const std::int64_t radix = std::int64_t{1} << pass.bits;
  const std::int64_t points = points_of(config, pass);
  const std::int64_t together =
      pass.across ? std::max<std::int64_t>(1, banks / pass.columns) : std::min(banks, radix / points);
  const std::int64_t step = points == 16 ? together : 1;
  const std::int64_t last = radix - 1 + (radix - 1) / 16 * config.integer("padding");
  return ((last / step + 1) | 1) * step;
}

}  // namespace

int log_of(std::int64_t number) {
  return std::bit_width(static_cast<std::uint64_t>(number)) - 1;
}

std::int64_t points_of(const Config& config, const Pass& pass) {
  const std::int64_t most = config.string("variant") == "staged" ? 16 : config.integer("granularity");
  return std::min(most, std::int64_t{1} << pass.bits);
}

Shape shape_of(const Problem& problem) {
  return {log_of(problem.integer("n")), problem.integer("batch"), problem.string("direction") == "inverse"};
}

// global and staged have passes of one radix, and what is left over last; stockham's are about equal.
std::vector<Pass> passes_of(const Config& config, int log_n) {
  const std::string& variant = config.string("variant");
  const int most = variant == "staged" ? 7 : log_of(config.integer("radix"));
  const int count = ceil_div(log_n, most);
  std::vector<Pass> passes;
  for (int i = 0, before = 0; i < count; ++i) {
    const int left = log_n - before;
    const int bits = variant == "stockham" ? ceil_div(left, count - i) : std::min(left, most);
    Pass pass{bits, before, 1, count > 1};
    if (variant != "global" && config.integer("work_group") > 1)
      pass.columns = columns_of(config, pass, log_n);
    passes.push_back(pass);
    before += bits;
  }
  return passes;
}

Groups::Groups(const Config& config, const Pass& pass) {
  const std::string& variant = config.string("variant");
  const std::int64_t granularity = config.integer("granularity");
  const std::int64_t radix = std::int64_t{1} << pass.bits;
  local_bytes = 0;
  if (variant == "global") {
    items = config.integer("work_group");
    columns = items * granularity;
    return;
  }
  if (variant == "stockham" && config.integer("work_group") == 1) {
    items = 1;
    columns = config.integer("vector_width") * config.integer("unroll");
    return;
  }
  items = pass.columns * radix / points_of(config, pass);
  columns = pass.columns;
  const bool in_parts = variant == "stockham" && config.string("exchange") == "parts";
  const std::int64_t line = line_of(config, pass, in_parts ? 32 : 16);
  local_bytes = static_cast<std::uint64_t>(line * columns) * (in_parts ? 1 : 2) * sizeof(float);
  if (variant == "staged") {
    items += ceil_div(columns * radix, granularity);
    local_bytes *= 2;
  }
  columns *= config.integer("unroll");
}

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
