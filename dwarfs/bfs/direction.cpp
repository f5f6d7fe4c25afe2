// The variant direction_optimising of bfs, level by level: the host side of `push` (or `note` and `merge`),
// `pull`, `walk` and `update` in kernels_cl/bfs/.
#include "dwarfs/bfs/frontier_state.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {

namespace {

class DirectionByLaunches final : public FrontierCase {
 public:
  explicit DirectionByLaunches(const Setup& setup) : FrontierCase(setup) {}

  void launch(Launcher& launcher) override {
    cl_uint step = 0;
    Front front = first_.front;
    for (bool was_read = false; front.nodes > 0; was_read = true) {
      if (narrow_levels(launcher, step, front, was_read)) continue;
      // The kernels ask for the step modulo 3.
      launcher.batch(step % 3, [&] {
        for (cl_uint level = 0; level < plan_.batch; ++level) search_level(launcher, step + level);
      });
      step += plan_.batch;
      front = read_front(launcher, step);
    }
  }

 private:
  // Before a batch: goes back from pulling to pushing, and walks, where the frontier is narrow. True where
  // the batch need not follow because the frontier is still narrow.
  bool narrow_levels(Launcher& launcher, cl_uint step, Front& front, bool was_read) {
    const FrontierBuffers& b = buffers_;
    if (front.pulled != 0 && front.nodes <= static_cast<cl_uint>(plan_.nodes / FrontierPlan::narrow)) {
      launcher.run(kernels_.update, round_up(std::size_t{plan_.words}, plan_.walk_group), plan_.walk_group,
                   b.fronts, step, b.offsets, b.chunks, plan_.capacity, b.bitmaps, plan_.words);
    }
    if (front.nodes > plan_.max_walk_chunks) return false;
    launcher.run(kernels_.walk, plan_.walk_group, plan_.walk_group, b.fronts, step, b.offsets, b.neighbours,
                 b.chunks, plan_.capacity, levels_, b.bitmaps, plan_.words, plan_.max_walk_chunks,
                 FrontierPlan::max_walked_levels);
    // At first the batch follows without a look: few graphs are narrow throughout.
    if (!was_read) return false;
    const cl_int level = front.level;
    front = read_front(launcher, step);
    return front.nodes <= plan_.max_walk_chunks && front.level > level;
  }

  // Launches `push` and `pull`; the one that does not suit the frontier returns at once.
  void search_level(Launcher& launcher, cl_uint step) {
    const FrontierBuffers& b = buffers_;
    if (plan_.mode.merges_claims) {
      launcher.run(kernels_.note, plan_.note_groups, 1, b.fronts, step, b.neighbours, b.chunks,
                   plan_.capacity, b.noted, b.held, plan_.noted_bitmaps, plan_.words, plan_.nodes);
      launcher.run(kernels_.merge, plan_.words / FrontierPlan::merged_words, 1, b.fronts, step, b.offsets,
                   b.chunks, plan_.capacity, levels_, b.bitmaps, b.noted, plan_.noted_bitmaps, plan_.words,
                   plan_.nodes);
    } else {
      push(launcher, step);
    }
    launcher.run(kernels_.pull, plan_.pull_items, plan_.work_group, b.fronts, step, b.in_offsets,
                 b.in_neighbours, levels_, b.bitmaps, plan_.words, plan_.nodes);
  }
};

}  // namespace

std::unique_ptr<Case> direction_by_launches(const Setup& setup) {
  return std::make_unique<DirectionByLaunches>(setup);
}

// The variant direction_optimising of bfs in one launch: the host side of the kernels `search` in
// kernels_cl/bfs/search.cl and, where claims are merged, kernels_cl/bfs/phases.cl.

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
