// Temperature of a chip over time (structured grid): what the dwarf tells of itself. The method is in
// kernels_cl/hotspot/hotspot.cl, its host side in hotspot_cases, the reference in hotspot_reference.
//
// Work. Items are cell steps. A launch that makes one or more steps reads temperature and power once and
// writes temperature once, 12 bytes per cell; so variants that make several steps per launch have fewer
// bytes. A cell step is 11 operations as the folded formula at the head of the kernel file stands.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dwarfs/hotspot/cases.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/matrix.hpp"
#include "harness/host_memory.hpp"

namespace dwarfsweep {
namespace {

using hotspot::default_strip;
using hotspot::HotspotInput;
using hotspot::may_shuffle;
using hotspot::Parameters;
using hotspot::shuffling_lanes;
using hotspot::stored_columns;
using hotspot::strip_items;

void add_constraints(Space& space) {
  const auto streams = [](const Point& p) { return p.variant() == "streaming"; };
  space.constrain("a tile's edge is 8, 16, 32 or 64", [=](const Point& p) {
    return streams(p) || (p["work_group"] >= 8 && p["work_group"] <= 64);
  });
  space.constrain("a work-item cannot have more rows than the tile",
                  [=](const Point& p) { return streams(p) || p["granularity"] <= p["work_group"]; });
  space.constrain("a vector cannot be wider than the tile",
                  [=](const Point& p) { return streams(p) || p["vector_width"] <= p["work_group"]; });
  space.constrain("the loop over rows cannot be unrolled further than it runs",
                  [=](const Point& p) { return streams(p) || p["unroll"] <= p["granularity"]; });
  space.constrain(
      "a tile loses a cell on each side per step, and nothing of it would be left",
      [](const Point& p) { return p.variant() != "pyramid" || 2 * p["pyramid_height"] < p["work_group"]; });
  space.constrain("a strip stores at least 16 rows, fewer would hardly pay for those that it loads besides",
                  [=](const Point& p) { return !streams(p) || p["granularity"] >= 16; });
  space.constrain(
      "a strip loses a column on each side per step, and nothing of it would be left", [=](const Point& p) {
        return !streams(p) || p["work_group"] == 1 ||
               stored_columns(strip_items(p.config, may_shuffle(p.config)), p["vector_width"], p["depth"]) >
                   0;
      });
  space.constrain(
      "only the strip of a single work-item can be chosen: several have one vector each",
      [=](const Point& p) { return !streams(p) || p["work_group"] == 1 || p["strip"] == default_strip; });
  space.constrain("a single work-item keeps whole rows in private memory, for which only CPUs have a cache",
                  [=](const Point& p) { return !streams(p) || p["work_group"] > 1 || !p.device.is_gpu; });
  space.constrain("shuffles are among 32 work-items, whose multiple a group has to be", [=](const Point& p) {
    return !streams(p) || p.config.string("exchange") != "shuffle" || may_shuffle(p.config);
  });
}

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "single_step: a step per launch; pyramid: several in local memory; streaming: several in "
             "registers or private memory, marching down strips of columns",
             {"single_step", "pyramid", "streaming"},
             "single_step"})
      .axis({"work_group",
             "single_step, pyramid: edge of a tile; streaming: work-items of a group",
             {1, 8, 16, 32, 64, 128, 256},
             16})
      .axis({"granularity",
             "single_step, pyramid: rows per work-item; streaming: rows that a group stores",
             {1, 4, 16, 32, 64, 96, 128, 192, 256, 512, 1024},
             1})
      .axis({"vector_width", "neighbouring columns computed at once", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll",
             "of the loop over rows; streaming with one work-item: of the loop over vectors of a row",
             {1, 2, 4},
             1})
      .axis({"padding",
             "0: columns beyond the grid are found cell by cell; 1: rows are aligned and go on mirrored "
             "beside it",
             {0, 1},
             0})
      .axis({"pyramid_height", "the most steps per launch", {1, 2, 3, 4, 5, 6, 7, 8}, 1, {"pyramid"}})
      .axis({"depth", "the most steps per launch", {1, 2, 4, 6, 8, 12}, 4, {"streaming"}})
      .axis({"strip",
             "columns that a single work-item stores",
             {128, default_strip, 512, 1024},
             default_strip,
             {"streaming"}})
      .axis({"prefetch", "how many rows ahead of its use a row is loaded", {1, 2, 4}, 1, {"streaming"}})
      .axis({"exchange",
             "neighbouring columns through local memory, or by shuffles among 32 lanes, or (auto) so if "
             "possible",
             {"auto", "local", "shuffle"},
             "auto",
             {"streaming"}})
      .axis(submission_axis())
      .default_setting("pyramid", {{"work_group", 16}, {"pyramid_height", 2}})
      .default_setting("pyramid",
                       {{"work_group", 32}, {"granularity", 4}, {"unroll", 4}, {"pyramid_height", 2}}, is_gpu)
      .default_setting(
          "streaming",
          {{"work_group", 1}, {"granularity", 128}, {"vector_width", 16}, {"padding", 1}, {"depth", 12}})
      .default_setting("streaming",
                       {{"work_group", 32},
                        {"granularity", 128},
                        {"vector_width", 4},
                        {"unroll", 4},
                        {"padding", 1},
                        {"depth", 12},
                        {"prefetch", 4}},
                       is_gpu);
  add_constraints(space);
  space.group_items([](const Point& p) {
    const std::int64_t items = p.variant() == "streaming"
                                   ? p["work_group"]
                                   : p["work_group"] * p["work_group"] / p["granularity"] / p["vector_width"];
    return static_cast<std::uint64_t>(items);
  });
  space.local_bytes([](const Point& p) -> std::uint64_t {
    const std::int64_t group = p["work_group"];
    if (p.variant() == "pyramid") return static_cast<std::uint64_t>(2 * group * (group + 2)) * sizeof(float);
    if (p.variant() == "streaming" && group > 1 && p.config.string("exchange") != "shuffle")
      return static_cast<std::uint64_t>(2 * 2 * p["depth"] * (group + 1)) * sizeof(float);
    return 0;
  });
  return space;
}

DwarfInfo make_info() {
  constexpr double most = 1 << 20;
  DwarfInfo info;
  info.name = "hotspot";
  info.title = "Temperature of a chip over time";
  info.pattern = "structured grid";
  info.kernels = {"step"};
  info.item = "cell steps";
  info.keys = {{"rows", "rows of the grid", 256, 1, most},
               {"cols", "columns of the grid", 256, 1, most},
               {"steps", "time steps", 24, 1, 1'000'000}};
  const auto square = [](int n) { return ValueMap{{"rows", n}, {"cols", n}}; };
  // Temperature, power and the next temperature: 48 KiB, 768 KiB, 12 MiB, 192 MiB. The paper's example, and
  // the grids that the classic program comes with.
  info.sizes = {{"tiny", square(64)},    {"small", square(256)}, {"medium", square(1024)},
                {"large", square(4096)}, {"paper", square(256)}, {"paper", square(512)},
                {"paper", square(1024)}};
  info.input_formats =
      "two files, temperature and power: a number per cell, row by row, no header; square, or as rows and "
      "cols say";
  return info;
}

void require_memory(const Parameters& p) {
  // The inputs, the expected and the actual output, and two grids of the reference.
  require_host_memory(fmt::format("hotspot: a grid of {} x {} and its check", p.rows, p.cols),
                      p.cells() * (4 * sizeof(float) + 2 * sizeof(double)));
}

class Hotspot final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    const Parameters p = hotspot::parameters_of(problem);
    require_memory(p);
    return hotspot::random_input(p, seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override;

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    return hotspot::make_case(
        {workspace, space_, config, std::static_pointer_cast<const HotspotInput>(loaded.input)});
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return hotspot::make_host_case(std::static_pointer_cast<const HotspotInput>(loaded.input), threads);
  }

  // The one setting that the text names: blocks of 16 x 16 that leave 4 x 4 after 6 steps, on 256 x 256
  // cells.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap problem{{"rows", 256}, {"cols", 256}};
    const auto setting = [&](const ValueMap& settings) {
      return PaperSetting{"performance_study_2008 Figure 6", problem, settings};
    };
    return {setting({{"variant", "single_step"}}),
            setting({{"variant", "pyramid"}, {"work_group", 16}, {"pyramid_height", 6}})};
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

Loaded Hotspot::load(const ValueMap& request, const std::vector<std::string>& files) const {
  require_files("hotspot", info_.input_formats, files, 2);
  std::optional<GridShape> shape;
  if (request.has("rows") && request.has("cols")) {
    const Parameters wanted = hotspot::parameters_of(make_problem(info_.name, info_.keys, {"file", request}));
    shape = {static_cast<std::int64_t>(wanted.rows), static_cast<std::int64_t>(wanted.cols)};
  }
  Matrix temperature = read_grid(files[0], shape);
  ValueMap values = with_found("hotspot", request, "rows", temperature.rows, files[0]);
  values = with_found("hotspot", values, "cols", temperature.cols, files[0]);
  Matrix power = read_grid(files[1], GridShape{temperature.rows, temperature.cols});
  Problem problem = make_problem(info_.name, info_.keys, {"file", values});
  const Parameters p = hotspot::parameters_of(problem);
  require_memory(p);
  return {std::move(problem),
          std::make_shared<HotspotInput>(p, std::move(temperature.values), std::move(power.values))};
}

}  // namespace

const Dwarf& hotspot_dwarf() {
  static const Hotspot dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
