// A micro-benchmark of staging through local memory, by the arithmetic for each byte: what it declares about
// itself. The kernels are described in kernels_cl/staging/staging.cl. It is run only when asked for by name;
// `run` prints GB/s and, for the variant `split`, the ratio to `plain`, for each number of multiply-adds.
//
// Work: items are floats read. Operations per float with m multiply-adds: 2 m, and the addition to a sum.
#include <fmt/format.h>

#include <numeric>

#include "dwarfs/staging/staging.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace {

using staging::StagingInput;

bool has_small_groups(const Capabilities& device) {
  return device.work_group_items > 0 && device.work_group_items < 640;
}

Space make_space() {
  const std::vector<std::string> split = {"split"};
  Space space;
  space
      .axis({"variant",
             "plain: work-items copy, then compute; split: some only copy, the others only compute",
             {"plain", "split"},
             "plain"})
      .axis({"work_group", "work-items that compute", {64, 128, 256, 512}, 512})
      .axis({"granularity", "vectors of a tile for each of them", {1, 2, 4}, 1})
      .axis({"vector_width", "floats of a load", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loop over multiply-adds", {1, 2, 4, 8, 16}, 8})
      .axis(
          {"element",
           "neighbouring vectors of a tile whose other vectors are as far away as a group has tiles; 0: all "
           "are neighbours",
           {0, 8, 32, 128},
           0,
           {},
           {8, 32, 128}})
      .axis({"groups", "work-groups for each unit of the device", {1, 2, 4, 8, 16}, 2})
      .axis({"loaders", "work-items that only copy", {32, 64, 128, 256}, 128, split})
      .axis({"buffering",
             "double: the next tile is copied while this one is computed",
             {"single", "double"},
             "single",
             split})
      .axis({"barrier",
             "how work-items that only copy meet the others: at a barrier of the group; named: at barriers "
             "of each "
             "buffer",
             {"group", "named"},
             "group",
             split,
             {"named"}})
      .axis({"prefetch",
             "1: work-items that only copy read the next tile into registers before they wait",
             {0, 1},
             0,
             split,
             {1}})
      .constrain("barrier=named requires a device whose compiler accepts PTX",
                 [](const Point& p) { return p.config.string("barrier") == "group" || p.device.inline_ptx; })
      .constrain("prefetch=1 requires at most 64 floats of a tile for each loader",
                 [](const Point& p) {
                   const std::int64_t vectors = ceil_div(p["work_group"] * p["granularity"], p["loaders"]);
                   return p["prefetch"] == 0 || vectors * p["vector_width"] <= 64;
                 })
      .constrain("element must be at most work_group times granularity, the vectors of a tile",
                 [](const Point& p) { return p["element"] <= p["work_group"] * p["granularity"]; })
      .default_setting("split", {{"buffering", "double"}})
      .default_setting("plain", {{"work_group", 256}}, has_small_groups)
      .default_setting("split", {{"work_group", 128}, {"loaders", 64}}, has_small_groups)
      .group_items([](const Point& p) { return static_cast<std::uint64_t>(staging::group_items(p.config)); })
      .local_bytes([](const Point& p) {
        const std::int64_t buffers = p.config.string("buffering") == "double" ? 2 : 1;
        return static_cast<std::uint64_t>(4 * buffers * p["work_group"] * p["granularity"] *
                                          p["vector_width"]);
      });
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "staging";
  info.title = "staging through local memory, by multiply-adds for each float";
  info.pattern = "micro-benchmarks";
  for (const int count : staging::all_multiply_adds) {
    info.kernels.push_back(fmt::format("m{}", count));
    info.checks.results.push_back(fmt::format("sums_{}", count));
  }
  info.item = "floats";
  info.keys = {{"n", "floats that are read", 1 << 16, 1, 0x1p31},
               {"multiply_adds", "the most for each float; kernels with more are left out", 256, 1, 256}};
  info.sizes = {{"tiny", {{"n", 1 << 12}}},
                {"small", {{"n", 1 << 16}}},
                {"medium", {{"n", 1 << 20}}},
                {"large", {{"n", 1 << 26}}},
                {"paper", {{"n", 1 << 25}}}};
  info.demand = [](const Problem& problem) {
    const double n = problem.real("n");
    const auto& counts = staging::all_multiply_adds;
    const double operations = n * (9 + 2 * std::accumulate(counts.begin(), counts.end(), 0.0));
    return Demand{4 * n, 4 * n * static_cast<double>(counts.size()), operations,
                  static_cast<double>(counts.size())};
  };
  info.checks.odd_problems = {{{"n", 1}, {"multiply_adds", 1}}, {{"n", 1517}, {"multiply_adds", 5}}};
  return info;
}

class StagingDwarf final : public Dwarf {
 public:
  StagingDwarf() : Dwarf(make_info(), make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return staging::generate(problem, seed);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return staging::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return staging::make_host_case(std::static_pointer_cast<const StagingInput>(loaded.input), threads);
  }
  // The paper does not state how much data there was.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap problem{{"n", 1 << 25}};
    const ValueMap split{{"variant", "split"}};
    std::vector<PaperSetting> settings = {
        {"cudadma_2011 Figure 2", problem, {}},
        {"cudadma_2011 Figure 8", problem, {}},
        {"cudadma_2011 Figure 8", problem, split},
        {"cudadma_2011 Abstract", problem, {}},
        {"cudadma_2011 Abstract", problem, split},
        {"cudadma_2011 Section 4", problem, split.with("barrier", "named")},
        {"cudadma_2011 Section 4", problem, split.with("prefetch", 1)},
        {"cudadma_2011 Section 4", problem, split.with("barrier", "named").with("prefetch", 1)}};
    for (const int element : {8, 32, 128}) {
      settings.push_back({"cudadma_2011 Section 5", problem, {{"element", element}}});
      settings.push_back({"cudadma_2011 Section 5", problem, split.with("element", element)});
    }
    return settings;
  }
};

}  // namespace

const Dwarf& staging_dwarf() {
  static const StagingDwarf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
