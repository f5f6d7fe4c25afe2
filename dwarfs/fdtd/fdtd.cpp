// Electromagnetic waves in two dimensions (structured grid): what the dwarf says of itself. The method is in
// kernels_cl/fdtd/fdtd.cl, the check's bounds in verification.cpp.
//
// Work. Items are cell steps. In total a run reads three fields and two coefficients of each cell once and
// writes the three fields once, 32 bytes per cell, however many steps it makes: a step depends on a cell's
// neighbours alone. `step` moves these bytes in each launch of a variant that makes whole steps. H and then E
// in two launches move 20 and 24 bytes. An index instead of two coefficients takes 7 bytes less. A cell step
// is 12 operations: 3 for each component of H, 6 for E.
#include <cmath>

#include "dwarfs/fdtd/fdtd.hpp"
#include "dwarfs/fdtd/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

// The paper does not state its size.
ValueMap paper_problem() {
  return {{"nx", 2048}, {"ny", 2048}, {"steps", 20}};
}

DwarfInfo make_info() {
  constexpr double max = 1 << 20;
  DwarfInfo info;
  info.name = "fdtd";
  info.title = "Electromagnetic waves by finite differences";
  info.pattern = "structured grid";
  info.kernels = {"step"};
  info.item = "cell steps";
  info.keys = {{"nx", "rows of the grid", 2048, 3, max},
               {"ny", "cells of a row", 2048, 3, max},
               {"steps", "time steps", 20, 1, 100'000, {}, KeyRole::detail},
               {"source", "none, or a pulse at a point", "none", 0, 0, {"none", "point"}, KeyRole::detail},
               {"conductivity", "the largest of a medium; 0: no medium loses energy", 0.1, 0, 1}};
  const auto square = [](int n) { return ValueMap{{"nx", n}, {"ny", n}}; };
  // Fields before and after a step, and two coefficients: 32 KiB, 800 KiB, 20 MiB, 512 MiB.
  info.sizes = {{"tiny", square(32)},
                {"small", square(160)},
                {"medium", square(800)},
                {"large", square(4096)},
                {"paper", paper_problem()}};
  info.input_formats =
      "a PGM image (P2 or P5), the medium: permittivity 1 for black to 12 for white, conductivity 0 to the "
      "key "
      "`conductivity`, in 255 levels";
  info.demand = [](const Problem& problem) {
    const double cells = problem.real("nx") * problem.real("ny");
    const double steps = problem.real("steps");
    return Demand{32 * cells, 32 * cells, 12 * cells * steps, std::ceil(steps / 4)};  // 4 steps per launch
  };
  info.first_choice = fdtd::first_choice;
  info.checks.odd_problems = {{{"nx", 19}, {"ny", 37}, {"steps", 1}},
                              {{"nx", 3}, {"ny", 3}, {"steps", 2}},
                              {{"nx", 45}, {"ny", 33}, {"steps", 5}, {"source", "point"}}};
  info.checks.refused_problems = {{{"nx", 900000}, {"ny", 900000}}};
  info.checks.large_problems = {{{"nx", 6000}, {"ny", 6000}}};
  info.checks.single_item_settings = {{{"variant", "streaming"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "tiled"}}};
  info.checks.random_problems.maxima = {{"steps", 20}};
  info.checks.results = {"ez", "hx", "hy"};
  return info;
}

class Fdtd final : public Dwarf {
 public:
  Fdtd() : Dwarf(make_info(), fdtd::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return fdtd::generate_grid(problem, seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return fdtd::load_medium(info(), request, files);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return fdtd::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return fdtd::make_host_case(std::static_pointer_cast<const fdtd::FdtdInput>(loaded.input), threads);
  }

  // Cells are structures and H and E two launches, as the text has it. The 8.1 bytes of local memory for each
  // thread are two tiles of floats.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string figure = "optimization_principles_2008 Table 3";
    return {{figure, paper_problem(), {{"variant", "two_kernels"}}},
            {figure, paper_problem(), {{"variant", "tiled"}}}};
  }
};

}  // namespace

const Dwarf& fdtd_dwarf() {
  static const Fdtd dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
