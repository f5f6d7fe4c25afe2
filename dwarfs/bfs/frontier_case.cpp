#include "dwarfs/bfs/frontier_case.hpp"

#include <array>

#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {
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

}  // namespace dwarfsweep::bfs
