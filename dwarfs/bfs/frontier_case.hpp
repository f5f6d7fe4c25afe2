// What the cases of the variants queue and direction_optimising share. The frontier's state lives on the
// device; the host reads it now and then to learn whether the search has ended.
#pragma once

#include "dwarfs/bfs/frontier_plan.hpp"
#include "dwarfs/bfs/frontier_state.hpp"
#include "dwarfs/bfs/levels_case.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

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
