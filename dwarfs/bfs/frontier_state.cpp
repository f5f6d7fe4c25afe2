#include "dwarfs/bfs/frontier_state.hpp"

#include <algorithm>

#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {
namespace {

constexpr std::size_t phase_claims = 32;  // PHASE_CLAIMS of kernels_cl/phases.cl

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

}  // namespace dwarfsweep::bfs
