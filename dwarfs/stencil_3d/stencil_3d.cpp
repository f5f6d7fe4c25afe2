// stencil_3d (structured grid): 25 points, radius 4, in three dimensions. This file describes the dwarf. The
// method is in kernels_cl/stencil_3d/stencil_3d.cl, the check's bounds in verification.cpp.
//
// Work. Items are steps of inner points, those that have four neighbours on every side. In total a run reads
// the grid once and writes the inner points once, however many steps it makes: a step depends on a point's
// neighbours alone. `step` moves these bytes, about 8 per point, in each of its launches. A point's step is
// 29 operations: for each of four distances five additions and a multiply-add, and one multiplication.
#include "dwarfs/stencil_3d/stencil_3d.hpp"
#include "dwarfs/stencil_3d/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

ValueMap box(int nx, int ny, int nz) {
  return {{"nx", nx}, {"ny", ny}, {"nz", nz}};
}

// The sizes of the paper's tables 1 to 3. Its grids have the halo in addition to nx and ny; ours include it.
const std::vector<ValueMap> published = {box(520, 520, 512), box(648, 648, 400), box(808, 808, 200)};

DwarfInfo make_info() {
  constexpr double min = 2 * stencil_3d::radius + 1;
  constexpr double max = 1 << 20;
  DwarfInfo info;
  info.name = "stencil_3d";
  info.title = "Stencil of 25 points in three dimensions";
  info.pattern = "structured grid";
  info.kernels = {"step"};
  info.item = "point steps";
  info.keys = {{"nx", "points of a row", 64, min, max},
               {"ny", "rows of a plane", 64, min, max},
               {"nz", "planes", 64, min, max},
               {"steps", "time steps", 1, 1, 100'000}};
  // Two grids: 32 KiB, 864 KiB, 16 MiB, 1 GiB.
  info.sizes = {{"tiny", box(16, 16, 16)},
                {"small", box(48, 48, 48)},
                {"medium", box(128, 128, 128)},
                {"large", box(512, 512, 512)}};
  for (const ValueMap& problem : published) info.sizes.push_back({"paper", problem});
  info.first_choice = stencil_3d::first_choice;
  info.demand = [](const Problem& problem) {
    const double points = problem.real("nx") * problem.real("ny") * problem.real("nz");
    const double steps = problem.real("steps");
    return Demand{8 * points, 8 * points * steps, 29 * points * steps, steps};
  };
  info.checks.odd_problems = {{{"nx", 21}, {"ny", 19}, {"nz", 13}},
                              {{"nx", 9}, {"ny", 27}, {"nz", 10}, {"steps", 3}}};
  info.checks.refused_problems = {{{"nx", 900000}, {"ny", 900000}, {"nz", 900000}}};
  info.checks.large_problems = {{{"nx", 640}, {"ny", 640}, {"nz", 640}}};
  info.checks.single_item_settings = {
      {{"variant", "streaming"}, {"work_group", 1}, {"rows", 1}, {"memory", "global"}, {"unroll", 1}}};
  info.checks.small_local_settings = {{{"variant", "reference"}}};
  info.checks.results = {"output"};
  info.checks.random_problems.maxima = {{"steps", 6}};
  return info;
}

class Stencil final : public Dwarf {
 public:
  Stencil() : Dwarf(make_info(), stencil_3d::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return stencil_3d::random_grid(stencil_3d::grid_of(problem), seed);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return stencil_3d::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return stencil_3d::make_host_case(std::static_pointer_cast<const stencil_3d::StencilInput>(loaded.input),
                                      threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    std::vector<PaperSetting> settings;
    for (std::size_t table = 0; table < published.size(); ++table) {
      const std::string figure = "cudadma_2011 Table " + std::to_string(table + 1);
      for (const char* variant :
           {"reference", "halo_only_single", "halo_only_double", "halo_only_manual", "block_halo_single"}) {
        const ValueMap setting{{"variant", variant}};
        settings.push_back({figure, published[table], setting});
        if (setting.string("variant") == "reference") continue;
        settings.push_back({"cudadma_2011 Section 4", published[table], setting.with("barrier", "named")});
        settings.push_back({"cudadma_2011 Section 4", published[table],
                            setting.with("barrier", "named").with("prefetch", 1)});
      }
    }
    return settings;
  }
};

}  // namespace

const Dwarf& stencil_3d_dwarf() {
  static const Stencil dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
