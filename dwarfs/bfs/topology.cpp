// The variant topology of bfs: the host side of kernels_cl/bfs/topology.cl.
#include "dwarfs/bfs/levels_case.hpp"

#include <vector>

namespace dwarfsweep::bfs {
namespace {

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
        request.options +
        " -D PIECE=16 -D EDGE_UNIT=1 -D NARROW=1 -D WALK_GROUP=32 -D PEEK=1 -D MERGING=0 -D ONE_LAUNCH=0";
    expand_ = workspace.kernel("bfs/bfs", options, "topology_expand", "expand");
    update_ = workspace.kernel("bfs/bfs", options, "topology_update", "update");
    const auto count = static_cast<std::size_t>(nodes());
    bounds_ = workspace.allocate<Offset>("lists", 2 * count, Role::input);
    neighbours_ = workspace.allocate<cl_int>("neighbours", lists_.neighbours.size(), Role::input);
    frontier_ = workspace.allocate<cl_uchar>("frontier", count, Role::scratch);
    visited_ = workspace.allocate<cl_uchar>("visited", count, Role::scratch);
    marked_ = workspace.allocate<cl_uchar>("marked", count, Role::scratch);
    changed_ = workspace.allocate<cl_uint>("changed", 1, Role::scratch);
    const auto per_item = static_cast<std::size_t>(config.integer("granularity"));
    local_ = static_cast<std::size_t>(config.integer("work_group"));
    if (config.string("coarsening") == "smaller_groups") local_ /= per_item;
    global_ = round_up(count, local_ * per_item) / per_item;
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

}  // namespace

std::unique_ptr<Case> topology_case(const CaseRequest& request) {
  if (request.config.integer("offset_bits") == 32) return std::make_unique<TopologyCase<cl_uint>>(request);
  return std::make_unique<TopologyCase<cl_ulong>>(request);
}

}  // namespace dwarfsweep::bfs
