// bfs: breadth-first search. Variants and kernels are described in kernels_cl/bfs/bfs.cl, graphs in
// input.hpp.
//
// Work: an item is a stored edge that leaves a reached node, so a graph that stores every edge both ways
// counts twice the edges that the Graph500 counts. In total a search reads of each reached node its list's
// bounds, 4 bytes each, and each neighbour, and writes its level. `expand` does so with offsets of
// `offset_bits`; `update` counts as three flags of one byte that are turned for each reached node.
// One operation, a comparison, per edge.
#include "dwarfs/bfs/bfs.hpp"
#include "dwarfs/bfs/input.hpp"
#include "dwarfs/registry.hpp"

namespace dwarfsweep {
namespace {

using bfs::GraphInput;

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "bfs";
  info.title = "Breadth-first search";
  info.pattern = "graph traversal";
  info.kernels = {"expand", "update"};
  info.item = "edges";
  info.arithmetic = Arithmetic::integer;
  info.keys = {{"nodes", "nodes of the graph", 65536, 1, static_cast<double>(bfs::max_nodes)},
               {"degree", "uniform: mean edges of a node; kronecker: half of that", 6, 0, 65536},
               {"graph", "how edges are drawn", "uniform", 0, 0, {"uniform", "kronecker"}},
               {"source",
                "the node that has level 0",
                0,
                0,
                static_cast<double>(bfs::max_nodes - 1),
                {},
                KeyRole::detail}};
  // 32 bytes a node: six neighbours, a list's bounds, a level.
  info.sizes = {{"tiny", {{"nodes", 1000}}},
                {"small", {{"nodes", 32768}}},
                {"medium", {{"nodes", 1048576}}},
                {"large", {{"nodes", 4194304}}},
                {"paper", {{"nodes", 65536}}}};
  info.input_formats = "one file: the classic bfs .txt, Matrix Market (.mtx) or an edge list";
  info.first_choice = [](const Problem&, const Capabilities&) -> ValueMap {
    return {{"variant", "direction_optimising"}};
  };
  info.demand = [](const Problem& problem) {
    const double nodes = problem.real("nodes");
    const double edges = nodes * problem.real("degree");
    constexpr double levels = 10;  // of a uniform graph of some hundred thousand nodes
    return Demand{12 * nodes + 4 * edges, 12 * nodes + 4 * edges, edges, levels};
  };
  info.checks.odd_problems = {{{"nodes", 501}},
                              {{"nodes", 700}, {"degree", 1}, {"source", 13}},
                              {{"nodes", 512}, {"graph", "kronecker"}, {"source", 5}}};
  info.checks.refused_problems = {{{"nodes", 900000000}, {"degree", 64}}};
  info.checks.large_problems = {{{"nodes", 2000000}, {"degree", 32}}};
  info.checks.single_item_settings = {{{"work_group", 1}},
                                      {{"variant", "queue"}, {"work_group", 1}},
                                      {{"variant", "direction_optimising"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "topology"}}};
  info.checks.random_problems.maxima = {{"source", 1 << 22}};
  info.checks.random_problems.fit = [](const ValueMap& drawn) {
    return drawn.with("source", drawn.integer("source") % drawn.integer("nodes"));
  };
  info.checks.results = {"levels"};
  return info;
}

class BfsDwarf final : public Dwarf {
 public:
  BfsDwarf() : Dwarf(make_info(), bfs::space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    constexpr bool symmetric = true;
    return std::make_shared<GraphInput>(bfs::generate_graph(problem, seed),
                                        static_cast<std::int32_t>(problem.integer("source")), symmetric);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    require_files("bfs", info().input_formats, files, 1);
    return bfs::load_graph(request, files.front());
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return bfs::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return bfs::make_host_case(std::static_pointer_cast<const GraphInput>(loaded.input), threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override;
};

// Thesis, section 6.5: the initial code has groups as large as the device allows: 1024 on two of its devices,
// 256 on the third.
std::vector<PaperSetting> BfsDwarf::paper_settings() const {
  std::vector<PaperSetting> settings;
  const auto add = [&](const std::string& figure, ValueMap over_baseline) {
    settings.push_back({"thesis_2013 " + figure, {{"nodes", 65536}}, std::move(over_baseline)});
  };
  for (const int largest : {1024, 256}) {
    for (const char* figure : {"6.46", "6.48", "6.52"}) add(figure, {{"work_group", largest}});
    add("6.46", {{"work_group", largest}, {"granularity", 2}, {"coarsening", "smaller_groups"}});
    add("6.48", {{"work_group", largest}, {"granularity", 2}, {"coarsening", "fewer_groups"}});
    add("6.52", {{"work_group", largest}, {"unroll", 2}});
  }
  for (const int items : {128, 256, 512, 1024}) add("6.50", {{"work_group", items}});
  return settings;
}

}  // namespace

const Dwarf& bfs_dwarf() {
  static const BfsDwarf dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
