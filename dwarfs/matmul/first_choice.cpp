// matmul where no point is known: the register tiles of `blocked`, as wide as shape and device allow.
#include <algorithm>
#include <cmath>

#include "dwarfs/matmul/input.hpp"
#include "dwarfs/matmul/matmul.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::matmul {
namespace {

constexpr std::int64_t max_height = 32;
// Up to so many terms, small tiles are faster than large ones that several groups share. An H200 takes 7.5 us
// instead of 10.7 for 10 x 2 results of 119 terms, and 6.0 instead of 8.1 for 1097 x 3 of 7 terms, but 38
// instead of 24 for 10 x 164 of 2333 terms.
constexpr std::int64_t few_terms = 256;
// Of the default's tiles of 128 x 256 results over that of even_tiles(), where all units have as much to do,
// without packing: on an H200 46 and 39 TFLOP/s.
constexpr double whole_tiles_speed = 1.19;
// Products of even_tiles() in the time in which an element of an operand is packed: on an H200 66 us for
// the 19.4 million elements of 111 x 32442 results of 596 terms, 67 and 79 us at 200 x 40000 x 500 and 300 x
// 20001 x 1000. Where few rows or columns use an element, that is much: even_tiles() take 148, 273 and 333 us
// there, instead of 179, 340 and 420.
constexpr double products_of_packing = 50;
// Tiles of 64 x 32 results read half as much again for each.
constexpr double narrow_tiles_cost = 1.5;

// Groups of 64 x 64 results or half as many columns, and as many groups as run at the same time, which divide
// all terms evenly: at any shape all units have the same to do. Nothing is packed: where this is wanted, that
// takes longer than what it saves.
ValueMap even_tiles(int tile_x) {
  return {{"variant", "blocked"}, {"work_group", 8},  {"vector_width", 4}, {"padding", 4},
          {"unroll", 8},          {"tile_x", tile_x}, {"tile_y", 8},       {"tile_k", 16},
          {"lanes", 4},           {"band", 4},        {"packing", "none"}, {"buffering", "prefetch"},
          {"resident", 4}};
}

// What a GPU computes of the products that it could, if each of its units has a group at a time: the others
// are those of columns and rows that do not exist, or units have no group left.
double used(const BlockedShape& tile, const Shape& shape, const Capabilities& device, bool evenly) {
  const std::int64_t tiles_x = ceil_div(shape.cols, tile.group_x());
  const std::int64_t tiles_y = ceil_div(shape.rows, tile.group_y());
  const auto groups = static_cast<double>(tiles_x * tiles_y);
  const double existing = static_cast<double>(shape.rows) * static_cast<double>(shape.cols) /
                          (groups * static_cast<double>(tile.group_x() * tile.group_y()));
  const double units = std::max<std::uint32_t>(1, device.compute_units);
  return evenly ? existing : existing * groups / (units * std::ceil(groups / units));
}

double packed_elements(const BlockedShape& tile, const Shape& shape) {
  const std::int64_t shared = (tile.packs_a ? shape.rows : 0) + (tile.packs_b ? shape.cols : 0);
  return static_cast<double>(shared) * static_cast<double>(shape.terms);
}

// Tiles of a stack, for work-items alone. A stack loads its part of B once, which takes about as long as half
// a tile's products, and the last stacks leave other units idle.
std::int64_t stack_height(const BlockedShape& tile, const Shape& shape, const Capabilities& device) {
  const auto units = static_cast<double>(std::max<std::uint32_t>(1, device.compute_units));
  const std::int64_t below = ceil_div(shape.rows, tile.group_y());
  const auto tiles = static_cast<double>(below * ceil_div(shape.cols, tile.group_x()));
  const auto cost = [&](std::int64_t height) {
    const auto tall = static_cast<double>(height);
    return tiles / tall / 2 / units + tall * (units - 1) / units;
  };
  std::int64_t height = 1;
  while (height < std::min(below, max_height) && cost(2 * height) < cost(height)) height *= 2;
  return height;
}

// The registers' tile, or one of half as many columns where those that it adds are thrown away. B is packed
// where that pays: not if it stays in a second-level cache as it is, nor for few rows.
ValueMap choice_for_cpu(const Space& space, const Config& blocked, const Shape& shape,
                        const Capabilities& device) {
  const BlockedShape widest(blocked);
  const std::int64_t half = widest.tile_x / 2;
  const bool narrow = half >= 2 * widest.vector_width &&
                      32 * round_up(shape.cols, widest.tile_x) > 33 * round_up(shape.cols, half);
  ValueMap choice{{"variant", "blocked"}};
  if (narrow) choice = choice.with("tile_x", half).with("tile_y", 8);
  const bool packs = shape.rows > 512 && shape.cols * shape.terms > (1 << 18);
  if (!packs) choice = choice.with("packing", "none");
  const BlockedShape tile(space.set(blocked, choice, device));
  return choice.with("granularity", stack_height(tile, shape, device));
}

// Up to so many rows or columns, a GPU reads the operands in place; up to half as many more columns, if rows
// are few too.
constexpr std::int64_t few_rows = 12;
constexpr std::int64_t few_cols = 16;
constexpr std::int64_t few_rows_of_columns = 1024;
// And up to so many terms, if the results stay in a cache: an H200 takes 3 us for 206 x 2314 results of 48
// terms, and 9 with groups that stage.
constexpr std::int64_t fewest_terms = 64;
constexpr std::int64_t cached_results = 1 << 23;
// Up to so many terms, writing the results takes the time if no cache holds them: an H200 takes 508 us
// instead of 686 for 20000 x 20000 results of 10 terms, but 158 instead of 155 for 8000 x 8000 of 30.
constexpr std::int64_t streamed_terms = 16;
// Up to so many products, a GPU reads the operands in place at any shape: copying them to local memory takes
// longer than what it saves. An H200 takes 11 us instead of 21 for 40 x 33 results of 1431 terms, and 14
// instead of 31 for 64 x 64 of 4000.
constexpr double few_products = 1 << 24;
// The limit is higher if the results are few and not tall: 25 us instead of 35 for 150 x 150 results of 5000
// terms, 12.6 instead of 17 for 500 x 500 of 200, but 25 instead of 18 for 1000 x 100 of 600, and 27 instead
// of 20 for 600 x 600 of 300.
constexpr double some_products = 1 << 27;
constexpr std::int64_t few_results = 1 << 18;
// Up to so many terms, writing tall results takes the time, and tiles of a single row write whole lines: 18
// us instead of 30 for 350082 x 10 results of one term.
constexpr std::int64_t written_terms = 4;
// Up to so many rows, tiles are as flat, if they are not much wider than what there is.
constexpr std::int64_t flat_rows = 32;
constexpr std::int64_t flat_cols = 64;
// Sums of so many terms have work for more work-items than those that read a line of A.
constexpr std::int64_t long_sums = 4096;
// From so many on, and with enough tiles for all work-items, a loop over terms that is unrolled twice is
// faster for tiles of four columns: 346 us instead of 430 for 227996 x 9 results of 862 terms, and 117
// instead of 123 for 300000 x 4 of 300, but 41 instead of 40 for 100000 x 12 of 100.
constexpr std::int64_t paired_terms = 256;
// What a GPU reads again for each layer of tiles takes as long as the products of so many rows.
constexpr std::int64_t rows_of_a_read = 12;

// The height of tiles whose rows cover those of C with the least to compute and to read.
std::int64_t height_of(std::int64_t rows) {
  std::int64_t best = 1;
  const auto cost = [&](std::int64_t height) {
    return ceil_div(rows, height) * std::max(height, rows_of_a_read);
  };
  for (const std::int64_t height : {2, 4, 6, 8, 12, 14, 16}) {
    if (height < 2 * rows && cost(height) < cost(best)) best = height;
  }
  return best;
}

ValueMap thin_settings(const Capabilities& device) {
  const ValueMap thin{{"variant", "thin"}};
  return device.orders_groups() ? thin.with("finish", "group") : thin;
}

// Small groups and loops that are not unrolled where tiles are tall: nine of 64 work-items with 102
// registers, which CUDA's compiler counts, fit a unit of an H200, but only one of 256 with the 183 that it
// counts in a loop unrolled four times. Along the rows it takes 42 us instead of 55 for 11 x 17130 results of
// 792 terms, where 134 large groups took two turns of 132 units, and a tenth longer than before where no
// large group had to wait: 11 x 11664 of 276 terms, 11 x 424 of 5739. Along the columns 23 us instead of 45
// for 4856 x 5 results of 1903 terms, and 27 instead of 34 for 100000 x 8 of 100.
//
// Where a whole warp shares the terms of a tile, its loads of B are in as many lines as there are work-items,
// and the tallest tiles make up for that: an H200 takes 22 us instead of 46 for 391 x 17 results of 9202
// terms.
ValueMap thin_tiles(const Shape& shape, const Capabilities& device) {
  ValueMap thin = thin_settings(device);
  if (shape.rows <= shape.cols) {
    const std::int64_t height = height_of(shape.rows);
    thin = thin.with("tile_x", 4).with("tile_y", height);
    return height > 4 ? thin.with("work_group", 8).with("unroll", height > 6 ? 1 : 2) : thin;
  }
  if (shape.terms <= written_terms && shape.cols > 8) return thin.with("tile_x", 4).with("tile_y", 1);
  const bool has_long_sums = shape.terms >= long_sums;
  std::int64_t width = 1;
  while (width < std::min<std::int64_t>(8, shape.cols)) width *= 2;
  if (shape.cols > 8 && round_up(shape.cols, 4) < round_up(shape.cols, 8)) width = 4;
  const auto tiles_of = [&](std::int64_t height) { return ceil_div(shape.rows, height); };
  const bool warps_share =
      tiles_of(8) * ceil_div(shape.cols, width) * line / 4 < items_of_a_unit * device.compute_units;
  if (shape.cols > 8 && warps_share && has_long_sums)
    return thin.with("tile_x", 4).with("tile_y", 16).with("unroll", 2);
  const bool pairs_terms = width == 4 && !warps_share && shape.terms >= paired_terms;
  const bool low = width < 8 && tiles_of(8) < 2 * static_cast<std::int64_t>(device.compute_units);
  return thin.with("tile_x", width)
      .with("tile_y", low ? 4 : 8)
      .with("work_group", has_long_sums ? 16 : 8)
      .with("unroll", pairs_terms ? 2 : 1);
}

// Groups of 32 x 64 results. The sums are so short that loading ahead gains nothing. An H200 takes 8.3 us
// instead of 12 for 20000 x 50 results of 5 terms, and 25 instead of 66 for 40000 x 150 of 20.
ValueMap short_tiles(int tiles) {
  return {{"variant", "blocked"}, {"work_group", 8}, {"granularity", tiles},
          {"vector_width", 4},    {"padding", 4},    {"unroll", 4},
          {"tile_x", 8},          {"tile_y", 4},     {"band", 4},
          {"packing", "none"}};
}

}  // namespace

ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const Config blocked = space.default_config("blocked", device);
  const Shape shape = shape_of(problem);
  if (!device.is_gpu) return choice_for_cpu(space, blocked, shape, device);
  const auto units = static_cast<std::int64_t>(device.compute_units);
  if (shape.terms <= few_terms && ceil_div(shape.rows, 16) * ceil_div(shape.cols, 16) <= 2 * units)
    return {{"variant", "tiled"}};
  const bool thin = shape.rows <= shape.cols
                        ? shape.rows <= (shape.cols <= flat_cols ? flat_rows : few_rows)
                        : 2 * shape.cols <= (shape.rows <= few_rows_of_columns ? 3 : 2) * few_cols;
  if (thin) return thin_tiles(shape, device);
  const std::int64_t results = shape.rows * shape.cols;
  const double products = static_cast<double>(results) * static_cast<double>(shape.terms);
  const BlockedShape whole(blocked);
  const bool fills = ceil_div(shape.rows, 32) * ceil_div(shape.cols, 64) >= units;
  if (whole.staged && shape.terms <= fewest_terms && results <= cached_results && shape.rows >= shape.cols &&
      fills)
    return short_tiles(1);
  if (whole.staged && shape.terms <= streamed_terms && results > cached_results) return short_tiles(2);
  const bool small = results <= few_results && shape.rows <= 2 * shape.cols;
  if (products <= (small ? some_products : few_products)) return thin_settings(device).with("unroll", 1);
  if (shape.terms <= fewest_terms && results <= cached_results)
    return {{"variant", "thin"}, {"unroll", 1}, {"splits", 1}};
  const bool can_divide = device.orders_groups() && whole.staged;
  const auto fits = [&](int tile) { return tile <= whole.tile_x * whole.tile_y; };
  if (can_divide && shape.rows <= flat_rows && fits(16 * 4)) return even_tiles(16).with("tile_y", 4);
  const auto used_evenly = [&](int tile_x) {
    return used(BlockedShape(space.set(space.baseline(), even_tiles(tile_x), device)), shape, device, true);
  };
  const int tile_x = used_evenly(4) > narrow_tiles_cost * used_evenly(8) ? 4 : 8;
  const double whole_tiles_cost = products / (whole_tiles_speed * used(whole, shape, device, false)) +
                                  products_of_packing * packed_elements(whole, shape);
  if (can_divide && fits(8 * tile_x) && products / used_evenly(tile_x) < whole_tiles_cost)
    return even_tiles(tile_x);
  return {{"variant", "blocked"}};
}

}  // namespace dwarfsweep::matmul
