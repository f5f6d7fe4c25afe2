// rpes (n-body methods): electron repulsion integrals, as quantum chemistry needs them. This file describes
// the dwarf. The method is in kernels_cl/rpes/rpes.cl, the check's bounds in verification.cpp.
//
// Work. Items are primitive quartets: terms of integrals. Each counts as 40 operations: about 13 for the
// distance and F0's argument, 21 for F0 by a polynomial, 6 for its factors; with roots and exponentials left
// out. No term is left out of the count by screening.
#include "dwarfs/rpes/rpes.hpp"

namespace dwarfsweep {
namespace {

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "rpes";
  info.title = "Electron repulsion integrals over s functions";
  info.pattern = "n-body methods";
  info.kernels = {"terms", "add", "pairs", "integrals"};
  info.item = "primitive quartets";
  info.keys = {{"atoms", "atoms with a function each", 24, 1, 300},
               {"primitives", "primitives of a function; 3: hydrogen in STO-3G", 3, 1, 6, {}, KeyRole::size},
               {"quartets",
                "unique: all integrals that differ; ordered: those with i >= j >= k >= l",
                "unique",
                0,
                0,
                {"unique", "ordered"}},
               {"geometry", "lattice or chain: where atoms are", "lattice", 0, 0, {"lattice", "chain"}}};
  info.sizes = {{"tiny", {{"atoms", 10}}},
                {"small", {{"atoms", 24}}},
                {"medium", {{"atoms", 48}}},
                {"large", {{"atoms", 128}}},
                {"paper", {{"atoms", 24}, {"quartets", "ordered"}}}};
  info.input_formats =
      "an .xyz of atoms in angstrom, and a text of the basis: exponent and coefficient of a primitive per "
      "line";
  info.first_choice = rpes::first_choice;
  info.demand = [](const Problem& problem) {
    const double pairs = problem.real("atoms") * (problem.real("atoms") + 1) / 2;
    const double integrals = pairs * (pairs + 1) / (problem.string("quartets") == "ordered" ? 6 : 2);
    const double primitives = problem.real("primitives");
    const double bytes = 4 * integrals + 12 * problem.real("atoms");
    return Demand{bytes, bytes,
                  rpes::operations_per_term * integrals * primitives * primitives * primitives * primitives,
                  2};
  };
  info.checks.odd_problems = {
      {{"atoms", 7}},
      {{"atoms", 1}, {"primitives", 1}},
      {{"atoms", 6}, {"primitives", 2}, {"quartets", "ordered"}, {"geometry", "chain"}}};
  info.checks.large_problems = {{{"atoms", 215}}};
  info.checks.single_item_settings = {{{"variant", "pairs"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "contracted"}}};
  info.checks.results = {"integrals"};
  info.checks.random_problems.maxima = {{"atoms", 16}, {"primitives", 6}};
  return info;
}

class Rpes final : public Dwarf {
 public:
  Rpes() : Dwarf(make_info(), rpes::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return rpes::generate_atoms(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return rpes::load_molecule(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return rpes::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return rpes::make_host_case(std::static_pointer_cast<const rpes::RpesInput>(loaded.input), threads);
  }

  // The group of 64 is Parboil's; the atoms are ours. `native` uses special function units, which the
  // paper's device has.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string figure = "optimization_principles_2008 Table 3";
    const ValueMap problem{{"atoms", 24}, {"quartets", "ordered"}};
    return {{figure, problem, {}},
            {figure, problem, {{"functions", "native"}}},
            {figure, problem, {{"screening", "none"}}}};
  }
};

}  // namespace

const Dwarf& rpes_dwarf() {
  static const Rpes dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
