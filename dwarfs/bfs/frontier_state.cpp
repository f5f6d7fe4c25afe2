#include "dwarfs/bfs/frontier_state.hpp"

#include <algorithm>
#include <array>

#include "dwarfs/sync.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {

namespace {

std::vector<cl_uint> first_bitmap(const GraphInput& input, std::int64_t words) {
  std::vector<cl_uint> bitmap(static_cast<std::size_t>(words), 0);
  const Adjacency& graph = input.outgoing();
  for (std::int64_t node = 0; node < words * 32; ++node) {
    const bool isolated =
        node >= graph.nodes() || (graph.degree(node) == 0 && input.incoming().degree(node) == 0);
    if (isolated || node == input.source()) bitmap[node / 32] |= cl_uint{1} << (node % 32);
  }
  return bitmap;
}

}  // namespace

FirstFrontier first_frontier(const GraphInput& input, const PaddedLists& lists, const FrontierPlan& plan) {
  FirstFrontier first;
  const std::uint64_t degree = lists.length(input.source());
  first.front.nodes = 1;
  first.front.edges = static_cast<cl_uint>(ceil_div(degree, plan.edge_unit));
  first.front.chunks = static_cast<cl_uint>(ceil_div(degree, plan.edge_chunk));
  first.front.unexplored = static_cast<cl_uint>(lists.neighbours.size() / plan.edge_unit);
  const std::uint64_t end = lists.offsets[input.source() + 1];
  for (std::uint64_t start = lists.offsets[input.source()]; start < end;) {
    const std::uint64_t count = std::min<std::uint64_t>(end - start, plan.edge_chunk);
    first.chunks.insert(first.chunks.end(), {start, count});
    start += count;
  }
  first.bitmap = first_bitmap(input, plan.words);
  return first;
}

FrontierBuffers allocate(Workspace& workspace, const FrontierPlan& plan, const PaddedLists& lists,
                         const PaddedLists& in_lists, const FirstFrontier& first, std::int64_t offset_bits) {
  FrontierBuffers to;
  const std::size_t bounds = lists.offsets.size();
  to.offsets = allocate_offsets(workspace, "offsets", bounds, offset_bits, Role::input);
  to.neighbours = workspace.allocate<cl_int>("neighbours", lists.neighbours.size(), Role::input);
  to.in_offsets = to.offsets;
  to.in_neighbours = to.neighbours;
  if (!in_lists.offsets.empty()) {
    to.in_offsets = allocate_offsets(workspace, "offsets of in-edges", bounds, offset_bits, Role::input);
    to.in_neighbours =
        workspace.allocate<cl_int>("neighbours by in-edges", in_lists.neighbours.size(), Role::input);
  }
  to.first_chunks =
      allocate_offsets(workspace, "the source's edge chunks", first.chunks.size(), offset_bits, Role::input);
  to.first_fronts = workspace.allocate<Front>("first fronts", 3, Role::input);
  to.first_bitmap = workspace.allocate<cl_uint>("first bitmap", plan.words, Role::input);
  to.chunks = allocate_offsets(workspace, "edge chunks of two lists", std::size_t{2} * 2 * plan.capacity,
                               offset_bits, Role::scratch);
  to.fronts = workspace.allocate<Front>("fronts", 3, Role::scratch);
  to.barrier = workspace.allocate<cl_uint>("inter-group barrier", 3, Role::scratch);
  to.bitmaps = workspace.allocate<cl_uint>("bitmaps", std::size_t{2} * plan.words, Role::scratch);
  to.held = workspace.allocate<cl_uint>("bitmaps that groups hold", plan.noted_bitmaps, Role::scratch);
  to.team = workspace.allocate<cl_uint>("work-group team", phase_claims + plan.phase_chunks, Role::scratch);
  to.noted = workspace.allocate<cl_uint>(
      "bitmaps of groups", plan.mode.merges_claims ? std::size_t{plan.noted_bitmaps} * plan.words : 1,
      Role::scratch);
  return to;
}

void restore(Workspace& workspace, const FrontierBuffers& buffers) {
  workspace.copy(buffers.first_fronts, buffers.fronts);
  workspace.copy(buffers.first_chunks, buffers.chunks);
  workspace.copy(buffers.first_bitmap, buffers.bitmaps);
  workspace.fill<cl_uint>(buffers.barrier, 0);
  workspace.fill<cl_uint>(buffers.team, 0);
  workspace.fill<cl_uint>(buffers.noted, 0);
  workspace.fill<cl_uint>(buffers.held, 0);
}

namespace {

FrontierKernels make_kernels(const Setup& setup, const FrontierPlan& plan) {
  const Macros macros = plan_macros(setup, plan);
  const auto kernel = [&](const char* function, const char* name) {
    return setup.kernel(function, name, macros);
  };
  FrontierKernels kernels;
  if (plan.mode.merges_claims) {
    kernels.note = kernel("note", "expand");
    kernels.merge = kernel("merge", "expand");
  } else {
    kernels.push = kernel("push", "expand");
  }
  if (!plan.mode.pulls) return kernels;
  kernels.pull = kernel("pull", "expand");
  kernels.walk = kernel("walk", "expand");
  kernels.update = kernel("update", "update");
  if (plan.mode.one_launch) kernels.search = kernel("search", "expand");
  return kernels;
}

}  // namespace

FrontierCase::Lists::Lists(const GraphInput& input, const Setup& setup) {
  const SearchMode mode = search_mode(setup.config, setup.device());
  out = padded_lists(input.outgoing(), setup.config);
  if (mode.pulls && !input.symmetric()) in = padded_lists(input.incoming(), setup.config);
}

FrontierCase::FrontierCase(const Setup& setup)
    : LevelsCase(setup),
      lists_(*input_, setup),
      plan_(make_plan(lists_.out, setup.config, workspace_.device())),
      first_(first_frontier(*input_, lists_.out, plan_)),
      buffers_(allocate(workspace_, plan_, lists_.out, lists_.in, first_, offset_bits_)),
      kernels_(make_kernels(setup, plan_)) {}

void FrontierCase::upload() {
  upload_offsets(workspace_, lists_.out.offsets, offset_bits_, buffers_.offsets);
  workspace_.upload(lists_.out.neighbours, buffers_.neighbours);
  if (!lists_.in.offsets.empty()) {
    upload_offsets(workspace_, lists_.in.offsets, offset_bits_, buffers_.in_offsets);
    workspace_.upload(lists_.in.neighbours, buffers_.in_neighbours);
  }
  upload_offsets(workspace_, first_.chunks, offset_bits_, buffers_.first_chunks);
  workspace_.upload(std::vector<Front>{first_.front, {}, {}}, buffers_.first_fronts);
  workspace_.upload(first_.bitmap, buffers_.first_bitmap);
  lists_.out = {};
  lists_.in = {};
}

void FrontierCase::reset() {
  reset_levels();
  restore(workspace_, buffers_);
}

Front FrontierCase::read_front(Launcher& launcher, cl_uint step) {
  std::array<Front, 3> fronts;
  launcher.read(buffers_.fronts, fronts.data(), fronts.size());
  return fronts[step % 3];
}

void FrontierCase::push(Launcher& launcher, cl_uint step) {
  launcher.run(kernels_.push, plan_.push_items, plan_.work_group, buffers_.fronts, step, buffers_.offsets,
               buffers_.neighbours, buffers_.chunks, plan_.capacity, levels_, buffers_.bitmaps, plan_.words,
               plan_.nodes);
}

// The variant queue of bfs: the host side of `push` in kernels_cl/bfs/queue.cl, one launch per level.

namespace {

class QueueCase final : public FrontierCase {
 public:
  explicit QueueCase(const Setup& setup) : FrontierCase(setup) {}

  void launch(Launcher& launcher) override {
    cl_uint step = 0;
    for (Front front = first_.front; front.nodes > 0; front = read_front(launcher, step)) {
      // The kernels ask for the step modulo 3.
      launcher.batch(step % 3, [&] {
        for (cl_uint level = 0; level < plan_.batch; ++level) push(launcher, step + level);
      });
      step += plan_.batch;
    }
  }
};

}  // namespace

std::unique_ptr<Case> queue_case(const Setup& setup) {
  return std::make_unique<QueueCase>(setup);
}

}  // namespace dwarfsweep::bfs
