// The variant topology of bfs: the host side of kernels_cl/bfs/topology.cl.
#include <vector>

#include "dwarfs/bfs/bfs.hpp"
#include "dwarfs/bfs/geometry.hpp"
#include "dwarfs/bfs/levels_case.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {
namespace {

// Two kernels per level over all nodes; the host reads a flag after each level.
class TopologyCase final : public LevelsCase {
 public:
  explicit TopologyCase(const Setup& setup)
      : LevelsCase(setup), lists_(padded_lists(input_->outgoing(), setup.config)) {
    Workspace& workspace = setup.workspace;
    local_ = static_cast<std::size_t>(topology_items(setup.config));
    const Macros macros = setup.macros().define("TOPOLOGY_GROUP", static_cast<std::int64_t>(local_));
    expand_ = setup.kernel("topology_expand", "expand", macros);
    update_ = setup.kernel("topology_update", "update", macros);
    const auto count = static_cast<std::size_t>(nodes());
    bounds_ = allocate_offsets(workspace, "lists", 2 * count, offset_bits_, Role::input);
    neighbours_ = workspace.allocate<cl_int>("neighbours", lists_.neighbours.size(), Role::input);
    frontier_ = workspace.allocate<cl_uchar>("frontier", count, Role::scratch);
    visited_ = workspace.allocate<cl_uchar>("visited", count, Role::scratch);
    marked_ = workspace.allocate<cl_uchar>("marked", count, Role::scratch);
    changed_ = workspace.allocate<cl_uint>("changed", 1, Role::scratch);
    const auto per_item = setup.size("granularity");
    global_ = round_up(count, local_ * per_item) / per_item;
  }

  void upload() override {
    Staging<std::uint64_t> bounds(2 * static_cast<std::size_t>(nodes()));
#pragma omp parallel for schedule(static)
    for (std::int64_t node = 0; node < nodes(); ++node) {
      bounds[2 * node] = lists_.offsets[node];
      bounds[2 * node + 1] = lists_.length(node);
    }
    upload_offsets(workspace_, bounds, offset_bits_, bounds_);
    workspace_.upload(lists_.neighbours, neighbours_);
    lists_ = {};
  }

  void reset() override {
    reset_levels();
    for (const Buffer<cl_uchar>* mask : {&frontier_, &visited_, &marked_})
      workspace_.fill<cl_uchar>(*mask, 0);
    set_element<cl_uchar>(frontier_, input_->source(), 1);
    set_element<cl_uchar>(visited_, input_->source(), 1);
  }

  void launch(Launcher& launcher) override {
    const auto count = static_cast<cl_int>(nodes());
    for (cl_uint changed = 1; changed != 0;) {
      launcher.batch([&] {
        launcher.fill<cl_uint>(changed_, 0);
        launcher.run(expand_, global_, local_, bounds_, neighbours_, frontier_, visited_, marked_, levels_,
                     count);
        launcher.run(update_, global_, local_, frontier_, visited_, marked_, changed_, count);
      });
      launcher.read(changed_, &changed, 1);
    }
  }

 private:
  PaddedLists lists_;  // until they are uploaded
  Kernel expand_;
  Kernel update_;
  OffsetBuffer bounds_;  // start and count of each node's list
  Buffer<cl_int> neighbours_;
  Buffer<cl_uchar> frontier_;
  Buffer<cl_uchar> visited_;
  Buffer<cl_uchar> marked_;
  Buffer<cl_uint> changed_;
  std::size_t global_ = 0;
  std::size_t local_ = 0;
};

}  // namespace

std::unique_ptr<Case> topology_case(const Setup& setup) {
  return std::make_unique<TopologyCase>(setup);
}

}  // namespace dwarfsweep::bfs
