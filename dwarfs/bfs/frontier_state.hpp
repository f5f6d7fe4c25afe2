// The variants queue and direction_optimising: what they keep on the device, and the case that they share.
// The host reads the frontier's state now and then to learn whether the search has ended.
#pragma once

#include <vector>

#include "dwarfs/bfs/bfs.hpp"
#include "dwarfs/bfs/frontier_plan.hpp"
#include "dwarfs/bfs/input.hpp"
#include "dwarfs/bfs/levels_case.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

// What a search of the variants queue and direction_optimising keeps on the device.

/// Mirrors `Front` of kernels_cl/bfs/queue.cl, which explains it.
struct Front {
  cl_uint nodes = 0;
  cl_uint edges = 0;
  cl_uint chunks = 0;
  cl_int level = 0;
  cl_uint unexplored = 0;
  cl_uint pulled = 0;
  cl_uint bitmap = 0;
  cl_uint list = 0;
};

/// The state before a search, as the host computes it.
struct FirstFrontier {
  Front front;
  std::vector<std::uint64_t> chunks;  ///< start and count of each edge chunk of the source
  /// Reached from the beginning: the source, bits that are no node, and the nodes that no edge touches, which
  /// need not be asked again on every level.
  std::vector<cl_uint> bitmap;
};

FirstFrontier first_frontier(const GraphInput& input, const PaddedLists& lists, const FrontierPlan& plan);

struct FrontierBuffers {
  OffsetBuffer offsets;
  Buffer<cl_int> neighbours;
  OffsetBuffer in_offsets;  ///< in-edges; the same buffers as of the out-edges where `in_lists` is empty
  Buffer<cl_int> in_neighbours;
  OffsetBuffer first_chunks;
  Buffer<Front> first_fronts;
  Buffer<cl_uint> first_bitmap;

  OffsetBuffer chunks;      ///< two lists, of start and count
  Buffer<Front> fronts;     ///< three in turn: the one of a step is fronts[step % 3]
  Buffer<cl_uint> bitmaps;  ///< two, of reached nodes
  Buffer<cl_uint> noted;    ///< bitmaps that one group each writes
  Buffer<cl_uint> held;     ///< which of those a group holds
  Buffer<cl_uint> barrier;  ///< of the groups of one launch
  Buffer<cl_uint> team;     ///< their phases, where they are a work-group team
};

FrontierBuffers allocate(Workspace& workspace, const FrontierPlan& plan, const PaddedLists& lists,
                         const PaddedLists& in_lists, const FirstFrontier& first, std::int64_t offset_bits);

/// What `reset` of a case does: brings the state back to that before a search.
void restore(Workspace& workspace, const FrontierBuffers& buffers);

// What the cases of the variants queue and direction_optimising share. The frontier's state lives on the
// device; the host reads it now and then to learn whether the search has ended.

/// All kernels of the program a plan is built for. Where one launch of `search` does the work of the others
/// they are made as well: what the device says of a point (local memory, registers) covers its whole program.
struct FrontierKernels {
  Kernel push, note, merge, pull, walk, update, search;
};

class FrontierCase : public LevelsCase {
 public:
  void upload() override;
  void reset() override;

 private:
  struct Lists {
    Lists(const GraphInput& input, const Setup& setup);
    PaddedLists out;
    PaddedLists in;  // empty where in-edges are the out-edges, or are not needed
  };
  Lists lists_;  // until they are uploaded

 protected:
  explicit FrontierCase(const Setup& setup);

  /// The frontier of that step; waits for the device.
  Front read_front(Launcher& launcher, cl_uint step);
  /// Enqueues `push` of one level.
  void push(Launcher& launcher, cl_uint step);

  FrontierPlan plan_;
  FirstFrontier first_;
  FrontierBuffers buffers_;
  FrontierKernels kernels_;
};

}  // namespace dwarfsweep::bfs
