// bfs: breadth-first search. Variants and kernels are described in kernels_cl/bfs.cl, graphs and the searches
// on the host in bfs_reference.hpp.
//
// Work: an item is a stored edge that leaves a reached node, so a graph that stores every edge both ways
// counts twice the edges that the Graph500 counts. `expand` reads of each reached node its list's bounds and
// each neighbour, and writes its level; `update` turns three marks of one byte for each reached node. One
// operation per edge.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dwarfs/bfs_reference.hpp"
#include "dwarfs/registry.hpp"
#include "harness/error.hpp"
#include "harness/formats/graph.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

using bfs::Adjacency;
using bfs::GraphInput;

constexpr std::int64_t most_nodes = std::int64_t{1}
                                    << 30;  // the kernels number nodes by int, beyond the last group's too

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "bfs";
  info.title = "Breadth-first search";
  info.pattern = "graph traversal";
  info.kernels = {"expand", "update"};
  info.item = "edges";
  info.keys = {{"nodes", "nodes of the graph", 65536, 1, static_cast<double>(most_nodes)},
               {"degree", "uniform: mean edges of a node; kronecker: half of that", 6, 0, 65536},
               {"graph", "how edges are drawn", "uniform", 0, 0, {"uniform", "kronecker"}},
               {"source", "the node that has level 0", 0, 0, static_cast<double>(most_nodes - 1)}};
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
  space.axis({"variant", "how the frontier is kept and expanded", {"topology"}, "topology"})
      .axis({"work_group", "work-items of a group", {128, 256, 512, 1024}, 256})
      .axis({"granularity", "nodes per work-item", {1, 2, 4, 8, 16, 32}, 1})
      .axis({"vector_width", "neighbours per load", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "loads per turn of the loop over a list", {1, 2, 4, 8}, 1})
      .axis({"padding", "lists padded to a multiple of this with their own node", {0, 2, 4, 8, 16}, 0})
      .axis({"coarsening",
             "whether granularity leaves fewer groups, or groups smaller by that factor",
             {"fewer_groups", "smaller_groups"},
             "fewer_groups",
             {"topology"}})
      .axis({"offset_bits", "width of a position in the array of neighbours", {32, 64}, 32})
      .constrain("groups become smaller only by a granularity above 1",
                 [](const Point& p) {
                   return p.config.word("coarsening") == "fewer_groups" || p["granularity"] > 1;
                 })
      .group_items([](const Point& p) {
        const std::int64_t divisor = p.config.word("coarsening") == "smaller_groups" ? p["granularity"] : 1;
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

// The lists as the kernels read them: each padded to a multiple with its own node, which changes no level.
template <typename Offset>
struct PaddedLists {
  std::vector<Offset> offsets;
  std::vector<cl_int> neighbours;
};

template <typename Offset>
PaddedLists<Offset> padded(const Adjacency& graph, std::int64_t multiple) {
  const auto rounded = [multiple](std::int64_t degree) {
    return multiple == 0 ? degree : (degree + multiple - 1) / multiple * multiple;
  };
  std::uint64_t total = 0;
  for (std::int64_t node = 0; node < graph.nodes(); ++node)
    total += static_cast<std::uint64_t>(rounded(graph.degree(node)));
  if (total > std::numeric_limits<Offset>::max()) {
    throw PointFailure(Status::rejected,
                       fmt::format("{} stored edges are more than offset_bits=32 can count ({}); "
                                   "offset_bits=64 can",
                                   total, std::numeric_limits<Offset>::max()));
  }
  PaddedLists<Offset> lists;
  lists.offsets.reserve(static_cast<std::size_t>(graph.nodes()) + 1);
  lists.neighbours.reserve(total);
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    lists.offsets.push_back(static_cast<Offset>(lists.neighbours.size()));
    const auto first = graph.neighbours.begin() + graph.offsets[node];
    lists.neighbours.insert(lists.neighbours.end(), first, first + graph.degree(node));
    lists.neighbours.resize(lists.offsets.back() + static_cast<std::size_t>(rounded(graph.degree(node))),
                            static_cast<cl_int>(node));
  }
  lists.offsets.push_back(static_cast<Offset>(lists.neighbours.size()));
  return lists;
}

template <typename T>
void set_element(Workspace& workspace, const Buffer<T>& buffer, std::int64_t index, T value) {
  workspace.session().queue().enqueueFillBuffer(buffer.buffer, value,
                                                static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
}

// What the variants share: the levels, and what is said of them.
class BfsCase : public Case {
 public:
  void download() override { workspace_.download(levels_, result_); }
  [[nodiscard]] Check check() const override { return bfs::compare(input_, result_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto nodes = static_cast<double>(input_.reference().reached_nodes);
    const auto edges = static_cast<double>(input_.reference().reached_edges);
    const Work expand{"expand", 4 * edges + (2 * offset_bytes_ + 4) * nodes, edges, edges};
    const Work update{"update", 3 * nodes, 0, 0};
    return {expand, update, {"total", expand.bytes + update.bytes, edges, edges}};
  }

  void dump(DumpSink& sink) const override {
    const Adjacency& graph = input_.outgoing();
    const std::vector<std::int32_t> source{input_.source()};
    sink.array("offsets", std::span<const std::int64_t>(graph.offsets), {graph.offsets.size()});
    sink.array("neighbours", std::span<const std::int32_t>(graph.neighbours), {graph.neighbours.size()});
    sink.array("source", std::span<const std::int32_t>(source), {1});
    sink.array("levels", std::span<const std::int32_t>(result_), {result_.size()});
  }

 protected:
  BfsCase(Workspace& workspace, std::shared_ptr<const Input> owner, double offset_bytes)
      : workspace_(workspace),
        owner_(std::move(owner)),
        input_(static_cast<const GraphInput&>(*owner_)),
        offset_bytes_(offset_bytes),
        levels_(workspace.allocate<cl_int>("levels", static_cast<std::size_t>(nodes()), Role::output)) {}

  [[nodiscard]] std::int64_t nodes() const { return input_.outgoing().nodes(); }

  void reset_levels() {
    workspace_.fill<cl_int>(levels_, bfs::unreached);
    set_element<cl_int>(workspace_, levels_, input_.source(), 0);
  }

  Workspace& workspace_;
  std::shared_ptr<const Input> owner_;
  const GraphInput& input_;
  double offset_bytes_;
  Buffer<cl_int> levels_;
  std::vector<std::int32_t> result_;
};

// Two kernels per level over all nodes; the host looks at a flag after each level.
template <typename Offset>
class TopologyCase final : public BfsCase {
 public:
  TopologyCase(Workspace& workspace, std::shared_ptr<const Input> owner, const Config& config)
      : BfsCase(workspace, std::move(owner), sizeof(Offset)),
        lists_(padded<Offset>(input_.outgoing(), config.integer("padding"))) {
    const std::string options = to_build_options(bfs_space(), config);
    expand_ = workspace.kernel("bfs", options, "topology_expand", "expand");
    update_ = workspace.kernel("bfs", options, "topology_update", "update");
    const auto count = static_cast<std::size_t>(nodes());
    bounds_ = workspace.allocate<Offset>("lists", 2 * count, Role::input);
    neighbours_ = workspace.allocate<cl_int>("neighbours", lists_.neighbours.size(), Role::input);
    frontier_ = workspace.allocate<cl_uchar>("frontier", count, Role::scratch);
    visited_ = workspace.allocate<cl_uchar>("visited", count, Role::scratch);
    marked_ = workspace.allocate<cl_uchar>("marked", count, Role::scratch);
    changed_ = workspace.allocate<cl_uint>("changed", 1, Role::scratch);
    const auto per_item = static_cast<std::size_t>(config.integer("granularity"));
    local_ = static_cast<std::size_t>(config.integer("work_group"));
    if (config.word("coarsening") == "smaller_groups") local_ /= per_item;
    global_ = round_up(count, local_ * per_item) / per_item;
  }

  void upload() override {
    std::vector<Offset> bounds;
    bounds.reserve(bounds_.count);
    for (std::size_t node = 0; node + 1 < lists_.offsets.size(); ++node) {
      bounds.push_back(lists_.offsets[node]);
      bounds.push_back(lists_.offsets[node + 1] - lists_.offsets[node]);
    }
    workspace_.upload(bounds, bounds_);
    workspace_.upload(lists_.neighbours, neighbours_);
    lists_ = {};
  }

  void reset() override {
    reset_levels();
    for (const Buffer<cl_uchar>* mask : {&frontier_, &visited_, &marked_})
      workspace_.fill<cl_uchar>(*mask, 0);
    set_element<cl_uchar>(workspace_, frontier_, input_.source(), 1);
    set_element<cl_uchar>(workspace_, visited_, input_.source(), 1);
  }

  void launch(Launcher& launcher) override {
    const auto count = static_cast<cl_int>(nodes());
    for (cl_uint changed = 1; changed != 0;) {
      launcher.fill<cl_uint>(changed_, 0);
      launcher.run(expand_, global_, local_, bounds_, neighbours_, frontier_, visited_, marked_, levels_,
                   count);
      launcher.run(update_, global_, local_, frontier_, visited_, marked_, changed_, count);
      launcher.read(changed_, &changed, 1);
    }
  }

 private:
  PaddedLists<Offset> lists_;  // until they are uploaded
  Kernel expand_;
  Kernel update_;
  Buffer<Offset> bounds_;  // start and count of each node's list
  Buffer<cl_int> neighbours_;
  Buffer<cl_uchar> frontier_;
  Buffer<cl_uchar> visited_;
  Buffer<cl_uchar> marked_;
  Buffer<cl_uint> changed_;
  std::size_t global_ = 0;
  std::size_t local_ = 0;
};

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
    if (config.integer("offset_bits") == 32) {
      return std::make_unique<TopologyCase<cl_uint>>(workspace, loaded.input, config);
    }
    return std::make_unique<TopologyCase<cl_ulong>>(workspace, loaded.input, config);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return std::make_unique<BfsHostCase>(loaded.input, threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override;
};

Loaded BfsDwarf::load(const ValueMap& request, const std::vector<std::string>& files) const {
  if (files.size() != 1)
    throw UsageError(fmt::format("bfs takes {}; {} files were given", info().input_formats, files.size()));
  for (const auto& [key, value] : request.entries()) {
    if (key != "source")
      throw UsageError(fmt::format("bfs: with an input file only 'source' can be set, not '{}'", key));
  }
  Graph graph = read_graph(std::filesystem::path(files.front()));
  if (graph.nodes() < 1 || graph.nodes() > most_nodes) {
    throw InputError(files.front(), "",
                     fmt::format("a graph of {} nodes; it must have 1 to {}", graph.nodes(), most_nodes));
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
