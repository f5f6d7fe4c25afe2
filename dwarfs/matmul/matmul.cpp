// matmul (dense linear algebra): C = A B in single precision, row-major, any shape. This file describes the
// dwarf.
//
// Work: each of the m n results takes k multiplications and k additions, A and B are read once, C is written
// once; items are results. The method is in kernels_cl/matmul/matmul.cl, the check's bounds in
// verification.cpp.
#include "dwarfs/matmul/matmul.hpp"
#include "dwarfs/matmul/input.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

ValueMap square(int edge) {
  return {{"m", edge}, {"n", edge}, {"k", edge}};
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "matmul";
  info.title = "matrix product in single precision";
  info.pattern = "dense linear algebra";
  info.kernels = {"pack", "matmul", "reduce"};
  info.item = "results";
  constexpr double max = 1 << 20;  // the bounds of the check need it
  info.keys = {{"m", "rows of A and C", 256, 1, max},
               {"n", "columns of B and C", 256, 1, max},
               {"k", "columns of A, rows of B", 256, 1, max}};
  // The working set is the three matrices: 27 KiB, 768 KiB, 12 MiB, 48 MiB, 192 MiB.
  info.sizes = {{"tiny", square(48)},
                {"small", square(256)},
                {"medium", square(1024)},
                {"large", square(2048)},
                {"paper", square(4096)}};
  info.input_formats =
      "two matrices, A and B, each: .npy of floats (32 or 64 bits), Matrix Market, or "
      ".dat (n, then n x n numbers row by row)";
  info.demand = [](const Problem& problem) {
    const double m = problem.real("m");
    const double n = problem.real("n");
    const double k = problem.real("k");
    const double bytes = 4 * (m * k + k * n + m * n);
    return Demand{bytes, bytes, 2 * m * n * k, 3};
  };
  info.first_choice = matmul::first_choice;
  info.checks.odd_problems = {{{"m", 33}, {"n", 37}, {"k", 21}}, {{"m", 1}, {"n", 70}, {"k", 3}}};
  info.checks.refused_problems = {{{"m", 900000}, {"n", 900000}, {"k", 900000}}};
  info.checks.large_problems = {{{"m", 16000}, {"n", 16}, {"k", 16000}}};
  info.checks.single_item_settings = {{{"variant", "blocked"}, {"work_group", 1}, {"memory", "global"}}};
  info.checks.small_local_settings = {{{"variant", "tiled"}}};
  info.checks.results = {"c"};
  return info;
}

class Matmul final : public Dwarf {
 public:
  Matmul() : Dwarf(make_info(), matmul::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return std::make_shared<matmul::MatmulInput>(matmul::random_operands(matmul::shape_of(problem), seed));
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return matmul::load_operands(info(), request, files);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return matmul::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return matmul::make_host_case(std::static_pointer_cast<const matmul::MatmulInput>(loaded.input), threads);
  }

  // Unrolling by the edge of the tile is complete. Figure 4 draws the edges, each without and with it. The 93
  // points on which carving was tried are not listed: each of their axes by itself, from the best of
  // Section 4.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string section = "optimization_principles_2008 Section 4";
    const std::string figure = "optimization_principles_2008 Figure 4";
    const ValueMap tiled{{"variant", "tiled"}, {"work_group", 16}, {"unroll", 1}};
    const ValueMap problem = square(4096);
    std::vector<PaperSetting> settings = {
        {section, problem, {}},
        {section, problem, tiled},
        {section, problem, tiled.with("unroll", 16)},
        {section, problem, tiled.with("unroll", 16).with("buffering", "prefetch")}};
    for (const int edge : {4, 8, 12, 16}) {
      for (const int unroll : {1, edge}) {
        settings.push_back({figure, problem, tiled.with("work_group", edge).with("unroll", unroll)});
      }
    }
    const ValueMap best = tiled.with("unroll", 16);
    for (const ValueMap& setting :
         {best, best.with("work_group", 8).with("unroll", 8), best.with("granularity", 2),
          best.with("granularity", 4), best.with("unroll", 2), best.with("unroll", 4),
          best.with("buffering", "prefetch"), best.with("spill", 1)}) {
      settings.push_back({"optimization_carving_2008 Table 5", problem, setting});
    }
    return settings;
  }
};

}  // namespace

const Dwarf& matmul_dwarf() {
  static const Matmul dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
