// k-means (data mining). The method is in kernels_cl/kmeans/kmeans.cl, the tolerances in verification.cpp.
//
// The first `clusters` points are the first centroids. A tie goes to the lowest cluster; a cluster without
// points keeps its centroid. With several iterations `assignments` are those of the last step, and the
// centroids those it makes; `reduce` and `fused` enqueue all steps without waiting for any.
//
// Work. Items are points times iterations. In total a step reads each feature of each point and the centroids
// once and writes the centroids and an assignment per point, as each step needs the centroids of all points
// before it; it does a subtraction, a multiplication and an addition per feature of a point and cluster, and
// one addition per feature of a point. Distances by products are counted alike, though they need a
// multiply-add alone: of a peak in multiply-adds, two operations each, differences reach 3/4 at most, in two
// instructions, and products 3/2. `assign` of `fused` does all but the division; `update` of `reduce` reads
// the points and their assignments again. In `assign_only` the update is the host's: the total includes it,
// no kernel does.
#include "dwarfs/kmeans/kmeans.hpp"
#include "dwarfs/kmeans/geometry.hpp"
#include "dwarfs/kmeans/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace {

using kmeans::KmeansInput;

// One pass by products, in vectors that rows are made of.
ValueMap one_pass_by_products(const Problem& problem) {
  const std::int64_t features = problem.integer("features");
  return {{"variant", "fused"},   {"work_group", 64},
          {"granularity", 4},     {"vector_width", features % 4 == 2 ? 2 : 4},
          {"unroll", 4},          {"padding", features % 2 == 0 ? 0 : 4},
          {"layout", "aos"},      {"memory", "local"},
          {"unroll_clusters", 4}, {"groups_per_unit", 8},
          {"buffering", "local"}, {"distances", "products"}};
}

// If there are too few points for all compute units, sums over so many features take most of the time. With
// one point per work-item, more work-items share them: an H200 takes 81 us instead of 122 for 257 x 1886, k
// 47, and 87 instead of 117 for 500 x 2000, k 20, but 56 instead of 52 for 300 x 800, k 100.
constexpr std::int64_t long_sums = 1000;

ValueMap for_few_points(const ValueMap& settings, const Problem& problem) {
  const bool is_long = problem.integer("features") >= long_sums;
  return settings.with("vector_width", is_long ? 1 : 2).with("unroll", is_long ? 8 : 4);
}

// Few clusters: few points for each group, so that few points give all compute units some, and long chunks,
// whose loads are under way together. An H200 takes 120 us instead of 493 for 12169 x 974, k 10.
ValueMap small_blocks(const Problem& problem) {
  return for_few_points({{"variant", "blocked"},
                         {"granularity", 1},
                         {"padding", 4},
                         {"chunk", 64},
                         {"unroll_clusters", 2},
                         {"cluster_lanes", 16},
                         {"buffering", "local"}},
                        problem);
}

// Up to four clusters, and more features than a group keeps sums of: groups of 16 points, or of four if there
// are few points, so that all units have a group. An H200 takes 54 us for 3008 x 1077, k 3, and 162 with a
// point for each work-item; for 433 x 266, k 4 43 and 61, for 297 x 793, k 1 53 and 57.
ValueMap smallest_blocks(const Problem& problem, const Capabilities& device) {
  const bool few = problem.integer("points") <= 16 * static_cast<std::int64_t>(device.compute_units);
  return {{"variant", "blocked"},
          {"work_group", 64},
          {"granularity", 1},
          {"vector_width", 1},
          {"padding", 4},
          {"layout", "aos"},
          {"memory", "local"},
          {"unroll_clusters", 1},
          {"buffering", "prefetch"},
          {"distances", "products"},
          {"cluster_lanes", few ? 16 : 4},
          {"chunk", 32}};
}

// Many clusters: as many points for each group as give all compute units two groups, or one with twice the
// work-items. An H200 takes 2.14 ms for 16829 x 1000, k 2443 with groups of 128 points, one for each of its
// 132 units, 2.39 with 64 and 2.53 with 32; for 8921 x 496, k 1638 0.71, 0.67 and 0.69 ms with 64, 32 and 16.
ValueMap blocks_for(const Problem& problem, const Capabilities& device) {
  const Space& space = kmeans::space();
  const auto units = static_cast<std::int64_t>(device.compute_units);
  const auto groups = [&](const ValueMap& settings) {
    const kmeans::Geometry geometry(space.set(space.baseline(), settings, device), problem, device);
    return ceil_div(problem.integer("points"), geometry.tile_points);
  };
  const ValueMap blocked{{"variant", "blocked"}, {"padding", 4}};
  const ValueMap large = blocked.with("work_group", 256);
  const bool fits = !space.why_rejected({space.set(space.baseline(), large, device), problem, device});
  if (fits && groups(large) <= units && 4 * groups(large) > 3 * units) return large;
  if (groups(blocked) >= 2 * units) return blocked;
  const ValueMap half = blocked.with("granularity", 1).with("chunk", 16);
  return groups(half) >= 2 * units ? half : for_few_points(half.with("chunk", 32), problem);
}

// With at least so many features, products are faster on a CPU: they need half the operations, which
// outweighs packing the centroids and checking for rounding. Two cores with AVX-512 take 8.5 ms instead
// of 10.4 for 5000 points of 200 features and 700 clusters, 205 us instead of 297 for 3000 x 150, k 8, and as
// long at 20000 x 64, k 100; but 1.7 ms instead of 1.5 for 30000 x 8, k 300.
constexpr std::int64_t products_from = 64;

// The points are read once where a group can keep its sums: on a GPU those of few clusters in registers, of
// some more in local memory, with distances by products (H200, 194761 x 68, k 11: 46 us against 82; 819200 x
// 34, k 5: 69 against 48). Otherwise distances take the time: a GPU wants blocks of them in registers, small
// ones if points or clusters are few, a CPU wide vectors of points, a work-item for each tile.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const Space& space = kmeans::space();
  const auto fits = [&](const Config& config) { return !space.why_rejected({config, problem, device}); };
  const std::int64_t clusters = problem.integer("clusters");
  const ValueMap products = one_pass_by_products(problem);
  const bool some = device.is_gpu && clusters <= 16 && fits(space.set(space.baseline(), products, device));
  if (some && clusters > 8) return products;
  if (fits(space.default_config("fused", device))) return {{"variant", "fused"}};
  if (some) return products;
  if (device.is_gpu && clusters <= 4) return smallest_blocks(problem, device);
  if (device.is_gpu) {
    const kmeans::Geometry whole(space.default_config("blocked", device), problem, device);
    const std::int64_t groups = ceil_div(problem.integer("points"), whole.tile_points);
    const bool few = clusters <= 32 && groups < 2 * static_cast<std::int64_t>(device.compute_units);
    return few ? small_blocks(problem) : blocks_for(problem, device);
  }
  if (problem.integer("features") >= products_from)
    return {{"variant", "blocked"}, {"distances", "products"}};
  return {{"variant", "reduce"}, {"work_group", 1},    {"granularity", 2},    {"vector_width", 16},
          {"layout", "tiled"},   {"memory", "global"}, {"unroll_clusters", 8}};
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "kmeans";
  info.title = "k-means clustering, Lloyd's iteration";
  info.pattern = "data mining";
  info.kernels = {"assign", "update"};
  info.item = "points";
  info.keys = {{"points", "to cluster", 8192, 1, 1 << 30},
               {"features", "of a point", 34, 1, 4096},
               {"clusters", "at most as many as points", 5, 1, 65536},
               {"iterations", "steps", 1, 1, 1000, {}, KeyRole::detail}};
  const auto sized = [](int points) {
    return ValueMap{{"points", points}, {"features", 34}, {"clusters", 5}};
  };
  // The points take 34 KiB, 1.1 MiB, 8.5 MiB and 136 MiB.
  info.sizes = {{"tiny", sized(256)},
                {"small", sized(8192)},
                {"medium", sized(65536)},
                {"large", sized(1 << 20)},
                {"paper", sized(819200)}};
  info.input_formats =
      "one file of points: text (an identifier, then features, a line each) or binary (int32 points, int32 "
      "features, float32 row by row)";
  info.demand = [](const Problem& problem) {
    const double values = problem.real("points") * problem.real("features");
    const double steps = problem.real("iterations");
    return Demand{4 * values, 4 * values * steps, 3 * values * problem.real("clusters") * steps, 2 * steps};
  };
  info.first_choice = first_choice;
  info.checks.odd_problems = {{{"points", 501}, {"features", 7}, {"clusters", 5}, {"iterations", 1}},
                              {{"points", 333}, {"features", 34}, {"clusters", 3}, {"iterations", 4}}};
  info.checks.refused_problems = {{{"points", 2000000000}, {"features", 64}}};
  info.checks.large_problems = {{{"points", 10000000}, {"features", 32}}};
  info.checks.single_item_settings = {{{"work_group", 1}}};
  info.checks.small_local_settings = {{{"memory", "local"}}};
  info.checks.random_problems.fit = [](const ValueMap& drawn) {
    return drawn.with("clusters", std::min(drawn.integer("clusters"), drawn.integer("points")));
  };
  info.checks.results = {"assignments", "centroids"};
  info.checks.varying_results = {"assignments"};  // of a point as far from two centroids
  return info;
}

class Kmeans final : public Dwarf {
 public:
  Kmeans() : Dwarf(make_info(), kmeans::space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return kmeans::generated_input(kmeans::shape_of(problem), seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    require_files("kmeans", info().input_formats, files, 1);
    return kmeans::load_points(request, files.front(), info().keys);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return kmeans::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return kmeans::make_host_case(std::static_pointer_cast<const KmeansInput>(loaded.input), threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    return {{"performance_study_2008 Figure 12",
             {{"points", 819200}, {"features", 34}, {"clusters", 5}},
             {{"variant", "reduce"},
              {"layout", "soa"},
              {"memory", "constant"},
              {"source", "image"},
              {"finish", "host"},
              {"partial_sums", "per_block"}}}};
  }
};

}  // namespace

const Dwarf& kmeans_dwarf() {
  static const Kmeans dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
