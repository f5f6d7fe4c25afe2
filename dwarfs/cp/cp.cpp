// cp (n-body methods): the Coulomb potential of point charges on the points of a plane, summed directly.
// This file describes the dwarf.
//
// Work: items are pairs of a point and an atom. Each takes 6 operations: a subtraction and a multiply-add for
// the squared distance, whose part along the row is shared, the reciprocal square root, and a multiply-add.
// Atoms are read once, points written once. On a GPU the rate of reciprocal square roots is the limit: 16 per
// cycle and compute unit on NVIDIA's, unless some of them are computed otherwise (functions=mixed).
#include "dwarfs/cp/cp.hpp"
#include "dwarfs/cp/atoms.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

constexpr double operations_by_time = 16;  // a root takes as long as this many operations

ValueMap problem_of(int atoms, int edge) {
  return {{"atoms", atoms}, {"nx", edge}, {"ny", edge}};
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "cp";
  info.title = "Coulomb potential on a grid";
  info.pattern = "n-body methods";
  info.kernels = {"cp"};
  info.item = "pairs of a point and an atom";
  info.keys = {{"atoms", "point charges", 1000, 1, 1 << 20},
               {"nx", "points of a row", 128, 1, 1 << 20},
               {"ny", "rows of points", 128, 1, 1 << 20},
               {"spacing", "distance of neighbouring points", 0.5, 1e-3, 1e3}};
  info.sizes = {{"tiny", problem_of(256, 64)},
                {"small", problem_of(2048, 128)},
                {"medium", problem_of(4000, 256)},
                {"large", problem_of(16384, 2048)},
                {"paper", problem_of(4000, 512)}};
  info.input_formats = ".npy of floats, atoms x 4: x, y, z and charge; the grid by --problem";
  info.first_choice = [](const Problem&, const Capabilities&) -> ValueMap { return {{"variant", "tiled"}}; };
  info.demand = [](const Problem& problem) {
    const double points = problem.real("nx") * problem.real("ny");
    const double atoms = problem.real("atoms");
    const double bytes = 4 * points + 16 * atoms;
    return Demand{bytes, bytes, operations_by_time * points * atoms, 1 + atoms / 4000};
  };
  info.checks.odd_problems = {{{"atoms", 11}, {"nx", 21}, {"ny", 9}}, {{"atoms", 1}, {"nx", 1}, {"ny", 40}}};
  info.checks.refused_problems = {{{"atoms", 1}, {"nx", 1 << 20}, {"ny", 1 << 20}}};
  info.checks.large_problems = {{{"atoms", 1}, {"nx", 16384}, {"ny", 16384}}};
  info.checks.single_item_settings = {{{"variant", "tiled"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "direct"}}};
  info.checks.results = {"potential"};
  return info;
}

class Cp final : public Dwarf {
 public:
  Cp() : Dwarf(make_info(), cp::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return cp::generate_atoms(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return cp::load_atoms(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return cp::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return cp::make_host_case(std::static_pointer_cast<const cp::CpInput>(loaded.input), threads);
  }

  // Neither paper states its sizes. Table 3 of the principles has 8 points per work-item, coalesced, in
  // groups of 16 x 8: its 20 registers and 3 resident groups of 128 match the authors' kernel of that shape.
  // Carving varies the group, the points per work-item and whether the output is coalesced. It has 38
  // configurations but does not list them. The loops have 40; we leave out the two with 512 work-items of 8
  // points, which need more registers than a compute unit of that device has.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap problem = problem_of(4000, 512);
    std::vector<PaperSetting> settings = {
        {"optimization_principles_2008 Table 3", problem, {{"granularity", 8}}},
        {"optimization_principles_2008 Section 5", problem, {{"granularity", 8}, {"data_memory", "global"}}}};
    for (const int group : {32, 64, 128, 256, 512}) {
      for (const int points : {1, 2, 4, 8}) {
        for (const char* output : {"coalesced", "neighbours"}) {
          if (group * points == 4096) continue;
          settings.push_back({"optimization_carving_2008 Table 5",
                              problem,
                              {{"work_group", group}, {"granularity", points}, {"output", output}}});
        }
      }
    }
    return settings;
  }
};

}  // namespace

const Dwarf& cp_dwarf() {
  static const Cp dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
