// Temperature of a chip over time (structured grid). This file describes the dwarf. The method is in
// kernels_cl/hotspot/hotspot.cl.
//
// Work. Items are cell steps. In total a run reads temperature and power once and writes temperature once, 12
// bytes per cell, however many steps it makes: a step depends on a cell's neighbours alone, so that many
// steps of a part of the grid can be made while it is in a cache. `step` moves these bytes in each of its
// launches. A cell step is 11 operations as the folded formula at the head of the kernel file stands.
#include <cmath>

#include <algorithm>

#include "dwarfs/hotspot/hotspot.hpp"
#include "dwarfs/hotspot/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

DwarfInfo make_info() {
  constexpr double max = 1 << 20;
  DwarfInfo info;
  info.name = "hotspot";
  info.title = "Temperature of a chip over time";
  info.pattern = "structured grid";
  info.kernels = {"step"};
  info.item = "cell steps";
  info.keys = {{"rows", "rows of the grid", 256, 1, max},
               {"cols", "columns of the grid", 256, 1, max},
               {"steps", "time steps", 24, 1, 1'000'000, {}, KeyRole::detail}};
  const auto square = [](int n) { return ValueMap{{"rows", n}, {"cols", n}}; };
  // Temperature, power and the next temperature: 48 KiB, 768 KiB, 12 MiB, 192 MiB. The paper's example, and
  // the grids that the classic program comes with.
  info.sizes = {{"tiny", square(64)},    {"small", square(256)}, {"medium", square(1024)},
                {"large", square(4096)}, {"paper", square(256)}, {"paper", square(512)},
                {"paper", square(1024)}};
  info.input_formats =
      "two files, temperature and power: a number per cell, row by row, no header; square, or as rows and "
      "cols say";
  info.demand = [](const Problem& problem) {
    const double cells = problem.real("rows") * problem.real("cols");
    const double steps = problem.real("steps");
    return Demand{12 * cells, 12 * cells, 11 * cells * steps, std::ceil(steps / 12)};  // 12 steps per launch
  };
  info.first_choice = hotspot::first_choice;
  info.checks.odd_problems = {{{"rows", 19}, {"cols", 33}, {"steps", 1}},
                              {{"rows", 45}, {"cols", 37}, {"steps", 5}},
                              {{"rows", 2}, {"cols", 150}, {"steps", 14}}};
  info.checks.refused_problems = {{{"rows", 900000}, {"cols", 900000}}};
  info.checks.large_problems = {{{"rows", 16000}, {"cols", 16000}}};
  info.checks.single_item_settings = {{{"variant", "streaming"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "pyramid"}}};
  info.checks.random_problems.fit = [](const ValueMap& drawn) {  // a launch for each step takes its time
    return drawn.with("steps", std::min<std::int64_t>(drawn.integer("steps"), 5000));
  };
  info.checks.results = {"output"};
  return info;
}

class Hotspot final : public Dwarf {
 public:
  Hotspot() : Dwarf(make_info(), hotspot::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return hotspot::generate_grids(hotspot::parameters_of(problem), seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return hotspot::load_grids(info(), request, files);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return hotspot::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return hotspot::make_host_case(std::static_pointer_cast<const hotspot::HotspotInput>(loaded.input),
                                   threads);
  }

  // The only setting that the text states: blocks of 16 x 16 that leave 4 x 4 after 6 steps, on 256 x 256
  // cells.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap problem{{"rows", 256}, {"cols", 256}};
    const auto setting = [&](const ValueMap& settings) {
      return PaperSetting{"performance_study_2008 Figure 6", problem, settings};
    };
    return {setting({{"variant", "single_step"}}),
            setting({{"variant", "pyramid"}, {"work_group", 16}, {"pyramid_height", 6}})};
  }
};

}  // namespace

const Dwarf& hotspot_dwarf() {
  static const Hotspot dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
