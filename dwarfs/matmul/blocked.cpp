// The variant blocked of matmul: the host side of kernels_cl/matmul/blocked.cl.
#include <algorithm>
#include <cmath>

#include "dwarfs/matmul/cases.hpp"
#include "dwarfs/matmul/matmul.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::matmul {
namespace {

constexpr std::int64_t pack_terms = 256;
constexpr std::int64_t min_even_share = 64;  // terms; no tile has fewer in a step

// As many shares of the terms as give every unit of the device a group, two on a GPU; none where most have
// one already: on an H200 a product of 2048 in 128 groups takes 376 us whole and 397 us in two shares.
std::int64_t automatic_splits(const Setup& setup, std::int64_t groups, std::int64_t terms) {
  const Capabilities& device = setup.device().capabilities;
  const auto units = static_cast<std::int64_t>(device.compute_units);
  const std::int64_t wanted = (device.is_gpu ? 2 : 1) * units;
  if (device.is_gpu ? 4 * groups >= 3 * units : 2 * groups > wanted) return 1;
  return std::max<std::int64_t>(1, std::min(ceil_div(wanted, groups), terms / min_share));
}

// Groups that divide all terms evenly: as many as run at the same time, but fewer if each would have too few
// terms, or if more groups would share a tile than each has steps. One group adds all shares of a tile; this
// assumes that a share takes as long as a step. With 36 groups for a tile, each with four steps, an H200
// takes 24 us for 10 x 164 results of 2333 terms.
std::int64_t even_groups(const Setup& setup, std::int64_t resident, std::int64_t tiles, std::int64_t terms,
                         std::int64_t tile_k) {
  const auto units = static_cast<std::int64_t>(setup.device().capabilities.compute_units);
  const auto shares = static_cast<std::int64_t>(std::ceil(std::sqrt(ceil_div(terms, tile_k))));
  return std::max<std::int64_t>(1,
                                std::min({units * resident, tiles * terms / min_even_share, tiles * shares}));
}

class BlockedCase final : public ProductCase {
 public:
  BlockedCase(const Setup& setup, const BlockedShape& blocked)
      : ProductCase(setup, {blocked.group_y(), blocked.group_x(), blocked.term_multiple()}),
        blocked_(blocked),
        tiles_(padded().cols / blocked.group_x() *
               ceil_div(padded().rows, blocked.group_y() * blocked.granularity)) {
    if (blocked_.resident > 0)
      groups_ = even_groups(setup, blocked_.resident, tiles_, padded().terms, blocked_.tile_k);
    const std::int64_t asked = groups_ > 0 ? 1 : setup.integer("splits");
    const std::int64_t splits = asked > 0 ? asked : automatic_splits(setup, tiles_, padded().terms);
    share_ = round_up(ceil_div(padded().terms, splits), blocked_.tile_k);
    shares_ = ceil_div(padded().terms, share_);
    const Macros macros = setup.macros()
                              .define("PACK_TERMS", pack_terms)
                              .define("PACK_EDGE", pack_edge)
                              .define("REDUCE_GROUP", reduce_group)
                              .define("REDUCE_PARTS", std::int64_t{1})
                              .allow_inter_group_sync(groups_ > 0);
    if (blocked_.packs_a) pack_a_ = setup.kernel("pack_a", "pack", macros);
    if (blocked_.packs_b) pack_b_ = setup.kernel("pack_b", "pack", macros);
    multiply_ = setup.kernel(groups_ > 0 ? "matmul_evenly" : "matmul", "matmul", macros);
    if (shares_ > 1) reduce_ = setup.kernel("reduce", "reduce", macros);
    const auto scratch = [&](const char* name, bool needed, std::size_t count) {
      return workspace().allocate<float>(name, needed ? count : 0, Role::scratch);
    };
    packed_a_ = scratch("packed a", blocked_.packs_a, a().count);
    packed_b_ = scratch("packed b", blocked_.packs_b, b().count);
    partial_ = scratch("partial results", shares_ > 1 || groups_ > 0, shared_results());
    left_ = workspace().allocate<cl_uint>("shares left", static_cast<std::size_t>(groups_ > 0 ? tiles_ : 0),
                                          Role::input);
  }

  void upload() override {
    ProductCase::upload();
    workspace().upload(std::vector<cl_uint>(left_.count), left_);
  }

  void launch(Launcher& launcher) override {
    const auto cols = static_cast<cl_int>(padded().cols);
    const auto terms = static_cast<cl_int>(padded().terms);
    if (blocked_.packs_a) {
      launcher.run(pack_a_, pack_range_a(), pack_group(), a(), packed_a_, terms);
    }
    if (blocked_.packs_b) {
      launcher.run(pack_b_, pack_range_b(), pack_group(), b(), packed_b_, cols, terms);
    }
    const auto rows = static_cast<cl_int>(padded().rows);
    const auto items = static_cast<std::size_t>(blocked_.items());
    const Buffer<float>& left = blocked_.packs_a ? packed_a_ : a();
    const Buffer<float>& right = blocked_.packs_b ? packed_b_ : b();
    if (groups_ > 0) {
      launcher.run(multiply_, items * static_cast<std::size_t>(groups_), items, left, right, c(), partial_,
                   left_, rows, cols, terms);
      return;
    }
    launcher.run(multiply_,
                 Range(items * static_cast<std::size_t>(tiles_), static_cast<std::size_t>(shares_)),
                 Range(items, 1), left, right, shares_ > 1 ? partial_ : c(), rows, cols, terms,
                 static_cast<cl_int>(share_));
    if (shares_ == 1) return;
    const std::size_t vectors = c().count / static_cast<std::size_t>(blocked_.vector_width);
    launcher.run(reduce_, round_up(vectors, static_cast<std::size_t>(reduce_group)),
                 static_cast<std::size_t>(reduce_group), partial_, c(), cl_ulong{vectors},
                 static_cast<cl_int>(shares_));
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto m = static_cast<double>(shape().rows);
    const auto n = static_cast<double>(shape().cols);
    const auto k = static_cast<double>(shape().terms);
    const double packed = (blocked_.packs_a ? m * k : 0) + (blocked_.packs_b ? k * n : 0);
    std::vector<Work> work = shared_work(shares_);
    if (groups_ > 0) work.front().bytes += 8 * static_cast<double>(partial_.count);
    if (packed > 0) work.insert(work.begin(), {"pack", 8 * packed, 0, packed});
    return work;
  }

 private:
  // Of shares of whole matrices; of two tiles for each group that divides all evenly.
  [[nodiscard]] std::size_t shared_results() const {
    if (groups_ == 0) return c().count * static_cast<std::size_t>(shares_);
    return static_cast<std::size_t>(2 * groups_ * blocked_.group_x() * blocked_.group_y());
  }
  [[nodiscard]] Range pack_group() const {
    const auto edge = static_cast<std::size_t>(blocked_.alone() ? 1 : pack_edge);
    return {edge, edge};
  }
  // Alone, a work-item has a stretch of the terms of a tile.
  [[nodiscard]] Range pack_range_a() const {
    if (!blocked_.alone()) {
      return {static_cast<std::size_t>(padded().terms), static_cast<std::size_t>(padded().rows)};
    }
    return {static_cast<std::size_t>(ceil_div(padded().terms, pack_terms)),
            static_cast<std::size_t>(padded().rows / blocked_.group_y())};
  }
  [[nodiscard]] Range pack_range_b() const {
    if (!blocked_.alone()) {
      return {static_cast<std::size_t>(round_up(padded().cols / blocked_.vector_width, pack_edge)),
              static_cast<std::size_t>(padded().terms)};
    }
    return {static_cast<std::size_t>(ceil_div(padded().terms, pack_terms)),
            static_cast<std::size_t>(padded().cols / blocked_.group_x())};
  }

  BlockedShape blocked_;
  std::int64_t tiles_;  // stacks of tiles
  std::int64_t share_;  // terms of a group
  std::int64_t shares_;
  std::int64_t groups_ = 0;  // that divide all terms evenly; 0: groups have tiles
  Kernel pack_a_, pack_b_, multiply_, reduce_;
  Buffer<float> packed_a_, packed_b_, partial_;
  Buffer<cl_uint> left_;
};

}  // namespace

std::unique_ptr<Case> blocked_case(const Setup& setup) {
  return std::make_unique<BlockedCase>(setup, BlockedShape(setup.config));
}

}  // namespace dwarfsweep::matmul
