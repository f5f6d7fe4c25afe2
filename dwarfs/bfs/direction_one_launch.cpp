// The variant direction_optimising of bfs in one launch: the host side of the kernels `search` in
// kernels_cl/bfs/search.cl and, where claims are merged, kernels_cl/bfs/phases.cl.
#include "dwarfs/bfs/frontier_case.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {
namespace {

class DirectionByBarrier final : public FrontierCase {
 public:
  explicit DirectionByBarrier(const Setup& setup) : FrontierCase(setup) {}

  // The host looks only whether there are more levels than one launch goes through.
  void launch(Launcher& launcher) override {
    const FrontierBuffers& b = buffers_;
    for (Front front = first_.front; front.nodes > 0; front = read_front(launcher, 0)) {
      const bool more = front.level > 0;
      launcher.batch(more ? 1 : 0, [&] {
        if (more) launcher.fill<cl_uint>(b.barrier, 0);
        launcher.run(kernels_.search, plan_.search_items, plan_.work_group, b.fronts, b.barrier, b.offsets,
                     b.neighbours, b.in_offsets, b.in_neighbours, b.chunks, plan_.capacity, levels_,
                     b.bitmaps, plan_.words, plan_.nodes, FrontierPlan::max_searched_levels);
      });
    }
  }
};

class DirectionByPhases final : public FrontierCase {
 public:
  explicit DirectionByPhases(const Setup& setup) : FrontierCase(setup) {}

  void launch(Launcher& launcher) override {
    const FrontierBuffers& b = buffers_;
    launcher.batch([&] {
      launcher.run(kernels_.search, plan_.search_items, 1, b.fronts, b.team, plan_.phase_chunks, b.offsets,
                   b.neighbours, b.in_offsets, b.in_neighbours, b.chunks, plan_.capacity, levels_, b.bitmaps,
                   b.noted, plan_.words, plan_.nodes);
    });
  }
};

}  // namespace

std::unique_ptr<Case> direction_by_barrier(const Setup& setup) {
  return std::make_unique<DirectionByBarrier>(setup);
}

std::unique_ptr<Case> direction_by_phases(const Setup& setup) {
  return std::make_unique<DirectionByPhases>(setup);
}

}  // namespace dwarfsweep::bfs
