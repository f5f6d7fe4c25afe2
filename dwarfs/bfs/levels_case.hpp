// The cases of bfs on a device: what the variants share, and where each is found.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/bfs/input.hpp"
#include "harness/dwarf.hpp"
#include "harness/status.hpp"

namespace dwarfsweep::bfs {

/// What a case is made from.
struct CaseRequest {
  Workspace& workspace;
  std::shared_ptr<const Input> input;
  const Config& config;
  std::string options;  ///< build options of that config
};

// The lists as the kernels read them: each padded to a multiple with its own node, which changes no level.
template <typename Offset>
struct PaddedLists {
  std::vector<Offset> offsets;
  std::vector<cl_int> neighbours;
};

template <typename Offset>
PaddedLists<Offset> padded(const Adjacency& graph, std::int64_t multiple) {
  const auto rounded = [multiple](std::int64_t degree) {
    return multiple == 0 ? degree : round_up(degree, multiple);
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
  Offset position = 0;
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    lists.offsets.push_back(position);
    position += static_cast<Offset>(rounded(graph.degree(node)));
  }
  lists.offsets.push_back(position);
  lists.neighbours.resize(total);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    const auto first = graph.neighbours.begin() + graph.offsets[node];
    const auto padding =
        std::copy(first, first + graph.degree(node),
                  lists.neighbours.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node]));
    std::fill(padding, lists.neighbours.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node + 1]),
              static_cast<cl_int>(node));
  }
  return lists;
}

template <typename T>
void set_element(Workspace& workspace, const Buffer<T>& buffer, std::int64_t index, T value) {
  workspace.session().queue().enqueueFillBuffer(buffer.buffer, value,
                                                static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
}

// What the variants share: the levels, and what is said of them.
class LevelsCase : public Case {
 public:
  void download() override { workspace_.download(levels_, result_); }
  [[nodiscard]] Check check() const override { return compare(input_, result_); }

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
  LevelsCase(const CaseRequest& request, double offset_bytes)
      : workspace_(request.workspace),
        owner_(request.input),
        input_(static_cast<const GraphInput&>(*owner_)),
        offset_bytes_(offset_bytes),
        levels_(workspace_.allocate<cl_int>("levels", static_cast<std::size_t>(nodes()), Role::output)) {}

  [[nodiscard]] std::int64_t nodes() const { return input_.outgoing().nodes(); }

  void reset_levels() {
    workspace_.fill<cl_int>(levels_, unreached);
    set_element<cl_int>(workspace_, levels_, input_.source(), 0);
  }

  Workspace& workspace_;
  std::shared_ptr<const Input> owner_;
  const GraphInput& input_;
  double offset_bytes_;
  Buffer<cl_int> levels_;
  std::vector<std::int32_t> result_;
};

/// Whether groups note what they reach, and that is merged (MERGING in the kernel file). By itself where a
/// group of one has a core to itself.
inline bool merges_claims(const Config& config, const Capabilities& capabilities) {
  if (config.string("claims") != "auto") return config.string("claims") == "merged";
  return config.string("variant") == "direction_optimising" && config.integer("work_group") == 1 &&
         !capabilities.is_gpu;
}

/// Neighbours in a piece of a list (PIECE in the kernel file): eight for each work-item of the team that
/// shares it, and for a work-item alone enough that most lists are one piece.
constexpr std::int64_t max_piece(std::int64_t team) {
  return std::max<std::int64_t>(16, 8 * team);
}

/// Work-items of the one group that goes through narrow levels (WALK_GROUP in the kernel file): large on a
/// GPU, whose work-items wait for memory side by side, and small where they are run one after another.
inline std::size_t walk_items(std::size_t work_group, const Capabilities& capabilities) {
  return capabilities.is_gpu ? work_group : std::min<std::size_t>(32, capabilities.work_group_items);
}

// bfs_topology.cpp
std::unique_ptr<Case> topology_case(const CaseRequest& request);

// bfs_frontier.cpp: queue and direction_optimising.
std::unique_ptr<Case> frontier_case(const CaseRequest& request);

}  // namespace dwarfsweep::bfs
