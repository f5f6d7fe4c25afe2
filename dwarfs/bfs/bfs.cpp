// bfs: breadth-first search. Variants and kernels are described in kernels_cl/bfs/bfs.cl, graphs and the
// searches on the host in bfs_reference.hpp.
//
// Work: an item is a stored edge that leaves a reached node, so a graph that stores every edge both ways
// counts twice the edges that the Graph500 counts. `expand` reads of each reached node its list's bounds and
// each neighbour, and writes its level; `update` turns three marks of one byte for each reached node. One
// operation per edge.
#include <fmt/format.h>

#include <algorithm>

#include "dwarfs/bfs/levels_case.hpp"
#include "dwarfs/bfs/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/error.hpp"
#include "harness/formats/graph.hpp"

namespace dwarfsweep {
namespace {

using bfs::Adjacency;
using bfs::GraphInput;

// The kernels number nodes by int, beyond the last group's too.
constexpr std::int64_t max_nodes = std::int64_t{1} << 30;

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "bfs";
  info.title = "Breadth-first search";
  info.pattern = "graph traversal";
  info.kernels = {"expand", "update"};
  info.item = "edges";
  info.keys = {{"nodes", "nodes of the graph", 65536, 1, static_cast<double>(max_nodes)},
               {"degree", "uniform: mean edges of a node; kronecker: half of that", 6, 0, 65536},
               {"graph", "how edges are drawn", "uniform", 0, 0, {"uniform", "kronecker"}},
               {"source", "the node that has level 0", 0, 0, static_cast<double>(max_nodes - 1)}};
  // 32 bytes a node: six neighbours, a list's bounds, a level.
  info.sizes = {{"tiny", {{"nodes", 1000}}},
                {"small", {{"nodes", 32768}}},
                {"medium", {{"nodes", 1048576}}},
                {"large", {{"nodes", 4194304}}},
                {"paper", {{"nodes", 65536}}}};
  info.input_formats = "one file: the classic bfs .txt, Matrix Market (.mtx) or an edge list";
  return info;
}

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "how the frontier is kept and expanded",
             {"topology", "queue", "direction_optimising"},
             "topology"})
      .axis({"work_group", "work-items of a group", {1, 128, 256, 512, 1024}, 256})
      .axis({"granularity",
             "nodes per work-item (direction_optimising: of pulling)",
             {1, 2, 4, 8, 16, 32, 512},
             1,
             {"topology", "direction_optimising"}})
      .axis({"vector_width", "neighbours per load", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "loads per turn of the loop over a list", {1, 2, 4, 8}, 1})
      .axis({"padding", "lists padded to a multiple of this with their own node", {0, 2, 4, 8, 16}, 0})
      .axis({"coarsening",
             "whether granularity leaves fewer groups, or groups smaller by that factor",
             {"fewer_groups", "smaller_groups"},
             "fewer_groups",
             {"topology"}})
      .axis({"offset_bits", "width of a position in the array of neighbours", {32, 64}, 32})
      .axis({"team",
             "work-items that share a piece of a list",
             {1, 4, 8, 32},
             1,
             {"queue", "direction_optimising"}})
      .axis({"batch",
             "levels between two looks of the host",
             {1, 4, 8, 16},
             1,
             {"queue", "direction_optimising"}})
      .axis(
          {"sync",
           "launches: levels are launches; barrier: one launch, whose groups wait for each other behind each "
           "level; auto: that where claims are merged, on CPUs where groups may wait, else launches",
           {"auto", "launches", "barrier"},
           "launches",
           {"direction_optimising"}})
      .axis({"claims",
             "atomic: pushing claims nodes on one bitmap; merged: groups note them in bitmaps of their own; "
             "auto: merged in groups of one on a CPU, else atomic",
             {"auto", "atomic", "merged"},
             "auto",
             {"direction_optimising"}})
      .axis(submission_axis())
      .default_setting("queue", {{"vector_width", 8}, {"padding", 8}, {"batch", 8}})
      .default_setting("queue", {{"vector_width", 1}, {"unroll", 4}, {"team", 4}, {"batch", 16}}, is_gpu)
      .default_setting("direction_optimising", {{"work_group", 1},
                                                {"granularity", 512},
                                                {"vector_width", 4},
                                                {"padding", 4},
                                                {"batch", 8},
                                                {"sync", "auto"}})
      .default_setting("direction_optimising",
                       {{"work_group", 256},
                        {"granularity", 8},
                        {"vector_width", 1},
                        {"unroll", 2},
                        {"padding", 8},
                        {"team", 8},
                        {"sync", "barrier"}},
                       is_gpu)
      .constrain(
          "a work-item that pulls writes whole bytes of the bitmap, so granularity must be 8 or more",
          [](const Point& p) { return p.variant() != "direction_optimising" || p["granularity"] >= 8; })
      .constrain("512 nodes at once are for pulling in groups of one, each alone on a core",
                 [](const Point& p) {
                   return p["granularity"] <= 32 ||
                          (p.variant() == "direction_optimising" && p["work_group"] == 1 &&
                           (p.config.string("sync") != "barrier" || bfs::merges_claims(p.config, p.device)));
                 })
      .constrain("claims=merged has groups of one work-item, which share nothing",
                 [](const Point& p) { return p.config.string("claims") != "merged" || p["work_group"] == 1; })
      .constrain("groups become smaller only by a granularity above 1",
                 [](const Point& p) {
                   return p.config.string("coarsening") == "fewer_groups" || p["granularity"] > 1;
                 })
      .constrain("a group cannot be smaller than one work-item, nor than the team that shares a piece",
                 [](const Point& p) {
                   const bool smaller = p.config.string("coarsening") == "smaller_groups";
                   return p["work_group"] >= std::max(p["team"], smaller ? p["granularity"] : 1);
                 })
      .local_bytes([](const Point& p) {
        // A group's counters, and what its work-items remember of a round (SHARE in the kernel file).
        if (p.variant() == "topology") return std::uint64_t{0};
        const std::int64_t step = p["vector_width"] * p["unroll"];
        const std::int64_t share = round_up(bfs::max_piece(p["team"]) / p["team"], step);
        const auto walk = bfs::walk_items(static_cast<std::size_t>(p["work_group"]), p.device);
        return static_cast<std::uint64_t>(
            64 + 4 * share * std::max(p["work_group"], static_cast<std::int64_t>(walk)));
      })
      .group_items([](const Point& p) {
        const std::int64_t divisor = p.config.string("coarsening") == "smaller_groups" ? p["granularity"] : 1;
        return static_cast<std::uint64_t>(p["work_group"] / divisor);
      });
  return space;
}

const DwarfInfo& bfs_info() {
  static const DwarfInfo info = make_info();
  return info;
}

const Space& bfs_space() {
  static const Space space = make_space();
  return space;
}

class BfsHostCase final : public HostCase {
 public:
  BfsHostCase(std::shared_ptr<const Input> owner, int threads)
      : owner_(std::move(owner)), input_(static_cast<const GraphInput&>(*owner_)), threads_(threads) {
    static_cast<void>(input_.incoming());
  }
  void reset() override { std::fill(levels_.begin(), levels_.end(), bfs::unreached); }
  void run() override {
    if (threads_ == 1) {
      levels_ = bfs::serial_levels(input_.outgoing(), input_.source());
    } else {
      bfs::parallel_levels(input_, threads_, levels_);
    }
  }
  [[nodiscard]] Check check() const override { return bfs::compare(input_, levels_); }

 private:
  std::shared_ptr<const Input> owner_;
  const GraphInput& input_;
  int threads_;
  std::vector<std::int32_t> levels_;
};

class BfsDwarf final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return bfs_info(); }
  [[nodiscard]] const Space& space() const override { return bfs_space(); }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    constexpr bool symmetric = true;
    return std::make_shared<GraphInput>(bfs::generate_graph(problem, seed),
                                        static_cast<std::int32_t>(problem.integer("source")), symmetric);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override;

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    const bfs::CaseRequest request{workspace, loaded.input, config, to_build_options(space(), config)};
    return config.string("variant") == "topology" ? bfs::topology_case(request) : bfs::frontier_case(request);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return std::make_unique<BfsHostCase>(loaded.input, threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override;
};

Loaded BfsDwarf::load(const ValueMap& request, const std::vector<std::string>& files) const {
  require_files("bfs", info().input_formats, files, 1);
  for (const auto& [key, value] : request.entries()) {
    if (key != "source")
      throw UsageError(fmt::format("bfs: with an input file only 'source' can be set, not '{}'", key));
  }
  Graph graph = read_graph(std::filesystem::path(files.front()));
  if (graph.nodes() < 1 || graph.nodes() > max_nodes) {
    throw InputError(files.front(), "",
                     fmt::format("a graph of {} nodes; it must have 1 to {}", graph.nodes(), max_nodes));
  }
  std::int64_t source = graph.source.value_or(0);
  if (const Value* wanted = request.find("source")) {
    if (!wanted->is_integer())
      throw UsageError(fmt::format("bfs: the source '{}' is not a whole number", wanted->to_string()));
    source = wanted->integer();
  }
  bfs::require_source(source, graph.nodes());
  Adjacency outgoing{std::move(graph.offsets), std::move(graph.neighbours)};
  const Problem problem{"file",
                        {{"nodes", outgoing.nodes()},
                         {"degree", outgoing.edges() / outgoing.nodes()},
                         {"graph", "file"},
                         {"source", source}}};
  constexpr bool symmetric = false;  // whether it is would have to be found out
  return {problem,
          std::make_shared<GraphInput>(std::move(outgoing), static_cast<std::int32_t>(source), symmetric)};
}

// Thesis, section 6.5: the initial code has the device's largest group, which is 1024 on two of its devices
// and 256 on the third.
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
