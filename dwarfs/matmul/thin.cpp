// The variant thin of matmul: the host side of kernels_cl/matmul/thin.cl.
#include <algorithm>
#include <bit>

#include "dwarfs/matmul/cases.hpp"
#include "dwarfs/matmul/matmul.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::matmul {
namespace {

constexpr std::int64_t min_steps = 2;            // of a work-item, along the terms
constexpr std::int64_t max_shares = 256;         // more take too long to add
constexpr std::int64_t launch_steps = 32;        // take less time than `reduce`,
constexpr std::int64_t finish_steps = 8;         // and these than what the last group adds
constexpr std::size_t reduce_parts = 8;          // work-items that add the shares of a result
constexpr std::int64_t flat = 4;                 // rows of a tile whose sums leave room for many loads
constexpr std::int64_t beyond_caches = 1 << 24;  // numbers of B

std::int64_t power_of_two_from(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value)));
}

// How the work of a launch is divided.
struct Division {
  std::int64_t slices;  // work-items of a tile
  std::int64_t groups;  // for each share of the terms
  std::int64_t shares;
};

// As many slices as fill the device with groups, then as many shares as still fit it at the same time: few
// more groups would run for as long again. None if a quarter of it is busy, and steps are few. Work-items
// side by side read columns along the rows, half a line at least, else the terms of a line in each of several
// rows. Of more terms, B would be in as many lines as there are work-items. Flat tiles, which large groups
// share, take four lines of a B that no cache holds: an H200 takes 249 us instead of 286 for 1 x 13426
// results of 16412 terms, and 60 instead of 86 for 2 x 1000 of 50000.
Division divide(const ThinShape& thin, const Shape& padded, std::int64_t splits, const Setup& setup) {
  const std::int64_t tiles = thin.along_rows ? padded.cols / thin.tile_x : padded.rows / thin.tile_y;
  const std::int64_t layers = thin.along_rows ? padded.rows / thin.tile_y : padded.cols / thin.tile_x;
  const auto groups = [&](std::int64_t slices) { return ceil_div(tiles, thin.items / slices) * layers; };
  const auto units = static_cast<std::int64_t>(setup.device().capabilities.compute_units);
  const std::int64_t resident = thin.tile_x * thin.tile_y == 64 ? items_of_a_unit / 2 : items_of_a_unit;
  const std::int64_t wanted = units * (resident / thin.items);
  const std::int64_t vectors = padded.terms / thin.vector_width;
  const bool wide = thin.tile_y <= flat && padded.cols * padded.terms >= beyond_caches;
  const std::int64_t columns = wide ? 4 * line : line / 2;
  const std::int64_t across = std::max<std::int64_t>(1, columns / thin.tile_x);
  const std::int64_t most =
      thin.along_rows ? thin.items / std::min(across, power_of_two_from(tiles)) : thin.items;
  std::int64_t slices = thin.along_rows ? 1 : std::min(line / thin.vector_width, power_of_two_from(vectors));
  while (2 * slices <= most && groups(slices) < wanted && vectors >= 2 * slices * min_steps) slices *= 2;
  std::int64_t shares = splits;
  const std::int64_t steps = ceil_div(vectors, slices);
  if (shares == 0 && 4 * groups(slices) * thin.items >= units * items_of_a_unit &&
      steps <= (thin.finishes ? finish_steps : launch_steps)) {
    shares = 1;
  } else if (shares == 0) {
    shares = std::max<std::int64_t>(1, std::min({wanted / groups(slices), steps / min_steps, max_shares}));
    shares = ceil_div(steps, ceil_div(steps, shares));  // no fewer steps with more
  }
  return {slices, groups(slices), shares};
}

class ThinCase final : public ProductCase {
 public:
  ThinCase(const Setup& setup, const ThinShape& thin)
      : ProductCase(setup, {thin.tile_y, thin.tile_x, thin.vector_width}), items_(thin.items) {
    const Division division = divide(thin, padded(), setup.integer("splits"), setup);
    groups_ = division.groups;
    share_ = round_up(ceil_div(padded().terms, division.shares), thin.vector_width);
    shares_ = ceil_div(padded().terms, share_);
    groups_finish_ = shares_ > 1 && thin.finishes;
    const Macros macros = setup.macros()
                              .define("ALONG_ROWS", thin.along_rows ? 1 : 0)
                              .define("SLICES", division.slices)
                              .define("ACROSS", thin.items / division.slices)
                              .define("SINGLE", padded().cols == 1 ? 1 : 0)
                              .define("PARTIAL", shares_ > 1 ? 1 : 0)
                              .define("REDUCE_GROUP", reduce_group)
                              .define("REDUCE_PARTS", static_cast<std::int64_t>(reduce_parts))
                              .allow_inter_group_sync(groups_finish_);
    multiply_ = setup.kernel("matmul", "matmul", macros);
    if (shares_ > 1 && !groups_finish_) reduce_ = setup.kernel("reduce", "reduce", macros);
    partial_ = workspace().allocate<float>(
        "partial results", shares_ > 1 ? c().count * static_cast<std::size_t>(shares_) : 0, Role::scratch);
    counts_ = workspace().allocate<cl_uint>("counts", static_cast<std::size_t>(groups_finish_ ? groups_ : 0),
                                            Role::input);
  }

  void upload() override {
    ProductCase::upload();
    workspace().upload(std::vector<cl_uint>(counts_.count), counts_);
  }

  void launch(Launcher& launcher) override {
    const auto items = static_cast<std::size_t>(items_);
    launcher.run(
        multiply_, Range(items * static_cast<std::size_t>(groups_), static_cast<std::size_t>(shares_)),
        Range(items, 1), a(), b(), c(), partial_, counts_, static_cast<cl_int>(padded().rows),
        static_cast<cl_int>(padded().cols), static_cast<cl_int>(padded().terms), static_cast<cl_int>(share_));
    if (shares_ == 1 || groups_finish_) return;
    launcher.run(reduce_, round_up(reduce_parts * c().count, static_cast<std::size_t>(reduce_group)),
                 static_cast<std::size_t>(reduce_group), partial_, c(), cl_ulong{c().count},
                 static_cast<cl_int>(shares_));
  }

  [[nodiscard]] std::vector<Work> work() const override {
    std::vector<Work> work = shared_work(groups_finish_ ? 1 : shares_);
    if (groups_finish_) work.front().bytes += 8 * static_cast<double>(partial_.count);
    return work;
  }

 private:
  std::int64_t items_;
  std::int64_t groups_ = 0;
  std::int64_t share_ = 0;  // terms of a group
  std::int64_t shares_ = 0;
  bool groups_finish_ = false;
  Kernel multiply_, reduce_;
  Buffer<float> partial_;
  Buffer<cl_uint> counts_;
};

}  // namespace

std::unique_ptr<Case> thin_case(const Setup& setup) {
  return std::make_unique<ThinCase>(setup, ThinShape(setup.config, setup.input<MatmulInput>()->shape()));
}

}  // namespace dwarfsweep::matmul
