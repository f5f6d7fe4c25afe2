// The cases of bfs on a device: buffers, launches, and the reading of what came of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dwarfs/bfs_reference.hpp"
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
    return multiple == 0 ? degree : rounded_up(degree, multiple);
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

// Two kernels per level over all nodes; the host looks at a flag after each level.
template <typename Offset>
class TopologyCase final : public LevelsCase {
 public:
  explicit TopologyCase(const CaseRequest& request)
      : LevelsCase(request, sizeof(Offset)),
        lists_(padded<Offset>(input_.outgoing(), request.config.integer("padding"))) {
    Workspace& workspace = request.workspace;
    const Config& config = request.config;
    const std::string options =
        request.options + " -D PIECE=16 -D EDGE_UNIT=1 -D NARROW=1 -D WALK_GROUP=32 -D PEEK=1";
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
    global_ = rounded_up(count, local_ * per_item) / per_item;
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

/// Neighbours in a piece of a list (PIECE in the kernel file): eight for each work-item of the team that
/// shares it, and for a work-item alone enough that most lists are one piece.
constexpr std::int64_t most_piece(std::int64_t team) {
  return std::max<std::int64_t>(16, 8 * team);
}

// Mirrors `Front` of the kernel file.
struct Front {
  cl_uint nodes = 0;
  cl_uint edges = 0;
  cl_uint pieces = 0;
  cl_int level = 0;
  cl_uint unexplored = 0;
  cl_uint pulled = 0;
  cl_uint bitmap = 0;
  cl_uint list = 0;
};

// Variants queue and direction_optimising: the frontier's state lives on the device, and the host looks at it
// after every `batch` levels.
template <typename Offset>
class FrontierCase final : public LevelsCase {
 public:
  explicit FrontierCase(const CaseRequest& request)
      : LevelsCase(request, sizeof(Offset)),
        optimising_(request.config.word("variant") == "direction_optimising"),
        one_launch_(request.config.word("sync") == "barrier"),
        lists_(padded<Offset>(input_.outgoing(), request.config.integer("padding"))) {
    if (optimising_ && !input_.symmetric()) {
      in_lists_ = padded<Offset>(input_.incoming(), request.config.integer("padding"));
    }
    shape_launches(request);
    shape_walk();
    initial_ = first_front();
    allocate();
    const std::string options =
        request.options + fmt::format(" -D PIECE={} -D EDGE_UNIT={} -D NARROW={} -D WALK_GROUP={} -D PEEK={}",
                                      piece_, edge_unit_, narrow, walk_local_,
                                      workspace_.device().checks_bounds ? 0 : 1);
    push_ = workspace_.kernel("bfs", options, "push", "expand");
    if (!optimising_) return;
    pull_ = workspace_.kernel("bfs", options, "pull", "expand");
    walk_ = workspace_.kernel("bfs", options, "walk", "expand");
    update_ = workspace_.kernel("bfs", options, "update", "update");
    if (one_launch_) search_ = workspace_.kernel("bfs", options, "search", "expand");
  }

  void upload() override {
    workspace_.upload(lists_.offsets, offsets_);
    workspace_.upload(lists_.neighbours, neighbours_);
    if (!in_lists_.offsets.empty()) {
      workspace_.upload(in_lists_.offsets, in_offsets_);
      workspace_.upload(in_lists_.neighbours, in_neighbours_);
    }
    workspace_.upload(first_pieces(), first_pieces_);
    workspace_.upload(std::vector<Front>{initial_, {}, {}}, first_fronts_);
    workspace_.upload(first_bitmap(), first_bitmap_);
    lists_ = {};
    in_lists_ = {};
  }

  void reset() override {
    reset_levels();
    workspace_.copy(first_fronts_, fronts_);
    workspace_.copy(first_pieces_, pieces_);
    workspace_.copy(first_bitmap_, bitmaps_);
    workspace_.fill<cl_uint>(meeting_, 0);
  }

  void launch(Launcher& launcher) override {
    if (one_launch_) return search_in_one_launch(launcher);
    cl_uint step = 0;
    Front front = initial_;
    for (bool looked = false; front.nodes > 0; looked = true) {
      if (optimising_ && narrow_down(launcher, step, front, looked)) continue;
      for (std::int64_t level = 0; level < batch_; ++level, ++step) search_level(launcher, step);
      front = look(launcher, step);
    }
  }

 private:
  void shape_launches(const CaseRequest& request) {
    const Config& config = request.config;
    const DeviceInfo& device = workspace_.device();
    local_ = static_cast<std::size_t>(config.integer("work_group"));
    team_ = static_cast<std::size_t>(config.integer("team"));
    batch_ = config.integer("batch");
    piece_ = static_cast<std::size_t>(most_piece(config.integer("team")));
    edge_unit_ = lists_.neighbours.size() <= std::numeric_limits<cl_uint>::max() ? 1 : 64;
    // Enough work-items to fill the device: 2048 on a core of a GPU; on a CPU a few groups, that one may take
    // longer. Groups of one are more, so that no work-item has more turns than llvmpipe can count.
    const std::size_t items_per_unit =
        device.limits.local_is_dedicated ? 2048 : 8 * std::max<std::size_t>(128, local_);
    push_global_ = std::max<std::size_t>(1, device.compute_units * items_per_unit / local_) * local_;
    if (one_launch_) search_global_ = groups_that_meet() * local_;
    const auto bits = static_cast<std::size_t>(config.integer("granularity"));
    words_ = (static_cast<std::size_t>(nodes()) + 31) / 32;
    pull_global_ = optimising_ ? rounded_up(words_ * 32 / bits, local_) : 0;
    for (std::size_t node = 0; node + 1 < lists_.offsets.size(); ++node) {
      capacity_ += divided_up(lists_.offsets[node + 1] - lists_.offsets[node], piece_);
    }
    if (capacity_ > std::numeric_limits<cl_uint>::max() / 2) {
      throw PointFailure(Status::rejected,
                         fmt::format("a frontier of {} pieces of lists is more than the {} that are counted",
                                     capacity_, std::numeric_limits<cl_uint>::max() / 2));
    }
  }

  // Groups that are likely to run at a time; a group more than that would be waited for in vain. Where they
  // wait for each other on a CPU's threads, one may wait out another program's time slice, and llvmpipe
  // leaves any loop after 65,535 turns: there one group does it all.
  [[nodiscard]] std::size_t groups_that_meet() const {
    const DeviceInfo& device = workspace_.device();
    if (!device.limits.local_is_dedicated) return 1;
    if (!device.has_inline_ptx()) {
      throw PointFailure(
          Status::unsupported,
          "sync=barrier needs a fence among work-groups, which OpenCL 1.2 has only as inline PTX; "
          "sync=launches does without");
    }
    return device.compute_units * std::max<std::size_t>(1, 1024 / local_);
  }

  // One group goes through narrow levels: large on a GPU, whose work-items wait for memory side by side, and
  // small where they are run one after another.
  void shape_walk() {
    walk_local_ = workspace_.device().limits.local_is_dedicated ? local_ : std::min<std::size_t>(32, local_);
    walk_pieces_ = static_cast<cl_uint>(2 * walk_local_ / team_);
  }

  void allocate() {
    const auto count = static_cast<std::size_t>(nodes());
    offsets_ = workspace_.allocate<Offset>("offsets", count + 1, Role::input);
    neighbours_ = workspace_.allocate<cl_int>("neighbours", lists_.neighbours.size(), Role::input);
    in_offsets_ = offsets_;
    in_neighbours_ = neighbours_;
    if (!in_lists_.offsets.empty()) {
      in_offsets_ = workspace_.allocate<Offset>("offsets of edges in", count + 1, Role::input);
      in_neighbours_ =
          workspace_.allocate<cl_int>("neighbours by edges in", in_lists_.neighbours.size(), Role::input);
    }
    first_pieces_ = workspace_.allocate<Offset>("the source's pieces", 2 * initial_.pieces, Role::input);
    first_fronts_ = workspace_.allocate<Front>("first fronts", 3, Role::input);
    first_bitmap_ = workspace_.allocate<cl_uint>("first bitmap", words_, Role::input);
    pieces_ = workspace_.allocate<Offset>("pieces of two lists", 2 * 2 * capacity_, Role::scratch);
    fronts_ = workspace_.allocate<Front>("fronts", 3, Role::scratch);
    meeting_ = workspace_.allocate<cl_uint>("meeting", 3, Role::scratch);
    bitmaps_ = workspace_.allocate<cl_uint>("bitmaps", 2 * words_, Role::scratch);
  }

  [[nodiscard]] Front first_front() const {
    const auto source = static_cast<std::size_t>(input_.source());
    const std::size_t degree = lists_.offsets[source + 1] - lists_.offsets[source];
    Front front;
    front.nodes = 1;
    front.edges = static_cast<cl_uint>(divided_up(degree, edge_unit_));
    front.pieces = static_cast<cl_uint>(divided_up(degree, piece_));
    front.unexplored = static_cast<cl_uint>(lists_.neighbours.size() / edge_unit_);
    return front;
  }

  [[nodiscard]] std::vector<Offset> first_pieces() const {
    std::vector<Offset> pieces;
    const Offset end = lists_.offsets[static_cast<std::size_t>(input_.source()) + 1];
    for (Offset start = lists_.offsets[static_cast<std::size_t>(input_.source())]; start < end;) {
      const Offset count = std::min(end - start, static_cast<Offset>(piece_));
      pieces.insert(pieces.end(), {start, count});
      start += count;
    }
    return pieces;
  }

  // Reached from the start on: the source, what is no node, and the nodes that no edge touches, which need
  // not be asked again at every level.
  [[nodiscard]] std::vector<cl_uint> first_bitmap() const {
    std::vector<cl_uint> bitmap(words_, 0);
    for (std::int64_t node = 0; node < static_cast<std::int64_t>(words_) * 32; ++node) {
      const bool lonely =
          node >= nodes() || (input_.outgoing().degree(node) == 0 && input_.incoming().degree(node) == 0);
      if (lonely || node == input_.source()) bitmap[node / 32] |= cl_uint{1} << (node % 32);
    }
    return bitmap;
  }

  // Before a batch: goes back from pulling to pushing, and walks, where the frontier is narrow. True where
  // the batch need not follow because the frontier is still narrow.
  bool narrow_down(Launcher& launcher, cl_uint step, Front& front, bool looked) {
    const auto words = static_cast<cl_uint>(words_);
    const auto capacity = static_cast<cl_uint>(capacity_);
    if (front.pulled != 0 && front.nodes <= static_cast<cl_uint>(nodes() / narrow)) {
      launcher.run(update_, rounded_up(words_, local_), local_, fronts_, step, offsets_, pieces_, capacity,
                   bitmaps_, words);
    }
    if (front.nodes > walk_pieces_) return false;
    launcher.run(walk_, walk_local_, walk_local_, fronts_, step, offsets_, neighbours_, pieces_, capacity,
                 levels_, bitmaps_, words, walk_pieces_, most_walked_levels);
    // At first the batch follows unseen: few graphs are narrow throughout.
    if (!looked) return false;
    const cl_int level = front.level;
    front = look(launcher, step);
    return front.nodes <= walk_pieces_ && front.level > level;
  }

  // The host looks only whether there are more levels than one launch goes through.
  void search_in_one_launch(Launcher& launcher) {
    for (Front front = initial_; front.nodes > 0; front = look(launcher, 0)) {
      if (front.level > 0) launcher.fill<cl_uint>(meeting_, 0);
      launcher.run(search_, search_global_, local_, fronts_, meeting_, offsets_, neighbours_, in_offsets_,
                   in_neighbours_, pieces_, static_cast<cl_uint>(capacity_), levels_, bitmaps_,
                   static_cast<cl_uint>(words_), static_cast<cl_int>(nodes()), most_searched_levels);
    }
  }

  void search_level(Launcher& launcher, cl_uint step) {
    const auto words = static_cast<cl_uint>(words_);
    const auto count = static_cast<cl_int>(nodes());
    launcher.run(push_, push_global_, local_, fronts_, step, offsets_, neighbours_, pieces_,
                 static_cast<cl_uint>(capacity_), levels_, bitmaps_, words, count);
    if (!optimising_) return;
    launcher.run(pull_, pull_global_, local_, fronts_, step, in_offsets_, in_neighbours_, levels_, bitmaps_,
                 words, count);
  }

  Front look(Launcher& launcher, cl_uint step) {
    std::array<Front, 3> fronts;
    launcher.read(fronts_, fronts.data(), fronts.size());
    return fronts[step % 3];
  }

  // A frontier of up to this part of all nodes is pushed whatever its edges: pulling looks at all nodes, and
  // the last of many levels of a deep graph are narrow.
  static constexpr std::int64_t narrow = 4096;
  // llvmpipe counts the turns of all loops of a work-item, and is wrong beyond 65,535 of them.
  static constexpr cl_uint most_walked_levels = 4096;
  static constexpr cl_uint most_searched_levels = 4095;

  bool optimising_;
  bool one_launch_;
  PaddedLists<Offset> lists_;     // until they are uploaded
  PaddedLists<Offset> in_lists_;  // the same; empty where edges in are the edges out, or are not needed
  std::size_t local_ = 0;
  std::size_t team_ = 0;
  std::int64_t batch_ = 0;
  std::size_t piece_ = 0;
  std::size_t edge_unit_ = 0;
  std::size_t words_ = 0;
  std::size_t capacity_ = 0;  // pieces of a list
  std::size_t push_global_ = 0;
  std::size_t pull_global_ = 0;
  std::size_t search_global_ = 0;
  std::size_t walk_local_ = 0;
  cl_uint walk_pieces_ = 0;
  Front initial_;
  Kernel push_;
  Kernel pull_;
  Kernel walk_;
  Kernel update_;
  Kernel search_;
  Buffer<Offset> offsets_;
  Buffer<cl_int> neighbours_;
  Buffer<Offset> in_offsets_;
  Buffer<cl_int> in_neighbours_;
  Buffer<Offset> first_pieces_;
  Buffer<Front> first_fronts_;
  Buffer<cl_uint> first_bitmap_;
  Buffer<Offset> pieces_;  // two lists, of start and count
  Buffer<Front> fronts_;
  Buffer<cl_uint> bitmaps_;
  Buffer<cl_uint> meeting_;  // where groups of one launch meet
};

}  // namespace dwarfsweep::bfs
