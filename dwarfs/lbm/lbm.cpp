// lbm (structured grid): a lattice-Boltzmann fluid, D3Q19. This file describes the dwarf. The method is in
// kernels_cl/lbm/lbm.cl, the check's bounds in verification.cpp.
//
// Work. Items are steps of cells. In total a run reads and writes the fluid once, however many steps it
// makes: a step depends on a cell's neighbours alone. `step` moves 153 bytes per cell in each of its launches
// with floats and flags of a byte.
#include "dwarfs/lbm/lbm.hpp"

namespace dwarfsweep {
namespace {

ValueMap box(int nx, int ny, int nz) {
  return {{"nx", nx}, {"ny", ny}, {"nz", nz}};
}

// SPEC's 470.lbm and Parboil's, because the paper does not state its own.
const std::vector<ValueMap> published = {box(100, 100, 130), box(120, 120, 150)};

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "lbm";
  info.title = "Lattice-Boltzmann fluid in three dimensions";
  info.pattern = "structured grid";
  info.kernels = {"step"};
  info.item = "cell steps";
  info.keys = {{"nx", "cells of a row", 120, 1, 1 << 20},
               {"ny", "rows of a plane", 120, 1, 1 << 20},
               {"nz", "planes", 150, 1, 1 << 20},
               {"steps", "time steps", 10, 1, 100'000},
               {"omega", "relaxation rate", 1.95, 0.05, 1.99},
               {"setup",
                "cavity: walls and a lid that moves; periodic: fluid everywhere",
                "cavity",
                0,
                0,
                {"cavity", "periodic"}}};
  // Two arrays: 44 KiB, 1.2 MB, 40 MB, 2.5 GB.
  info.sizes = {{"tiny", box(8, 6, 6)},
                {"small", box(20, 20, 20)},
                {"medium", box(64, 64, 64)},
                {"large", box(256, 256, 256)}};
  for (const ValueMap& problem : published) info.sizes.push_back({"paper", problem});
  info.input_formats =
      "a text of obstacles: a character per cell, '.' is fluid and any other an obstacle; a line per row, an "
      "empty "
      "line after each plane";
  info.first_choice = lbm::first_choice;
  info.demand = [](const Problem& problem) {
    const double cells = problem.real("nx") * problem.real("ny") * problem.real("nz");
    const double bytes = lbm::bytes_per_cell * cells;
    const double steps = problem.real("steps");
    return Demand{bytes, bytes * steps, lbm::operations_per_cell * cells * steps, steps};
  };
  info.checks.odd_problems = {box(21, 9, 7).with("steps", 3), box(1, 1, 1).with("steps", 2),
                              box(35, 5, 6).with("steps", 2).with("setup", "periodic").with("omega", 0.7)};
  info.checks.refused_problems = {box(900000, 900000, 900000)};
  info.checks.large_problems = {box(160, 160, 160)};
  info.checks.single_item_settings = {{{"variant", "two_arrays"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "two_arrays"}}};
  info.checks.results = {"f", "rho", "u"};
  info.checks.random_problems.maxima = {{"steps", 6}};
  return info;
}

class Lbm final : public Dwarf {
 public:
  Lbm() : Dwarf(make_info(), lbm::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return lbm::generate_fluid(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return lbm::load_obstacles(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return lbm::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return lbm::make_host_case(std::static_pointer_cast<const lbm::LbmInput>(loaded.input), threads);
  }

  // A multiprocessor has 200 resident work-items of 84 bytes of local memory: two groups of 100, a row of
  // SPEC's grid, or nearly two of 120, a row of Parboil's.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string table_3 = "optimization_principles_2008 Table 3";
    return {{table_3, published[0], {{"work_group", 100}}}, {table_3, published[1], {}}};
  }
};

}  // namespace

const Dwarf& lbm_dwarf() {
  static const Lbm dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
