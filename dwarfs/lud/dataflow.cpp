// The variant dataflow of lud: the host side of kernels_cl/lud/dataflow.cl.
#include "dwarfs/lud/cases.hpp"
#include "dwarfs/lud/space.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::lud {
namespace {

// All tiles in one launch. Where groups must not wait, and on CPUs, where one that waits keeps a core from
// work, two for each square that is left over, of the tile on its diagonal and of the others in its first row
// and column.
class DataflowCase final : public LudCase {
 public:
  explicit DataflowCase(const Setup& setup)
      : LudCase(setup, setup.size("panel"), 16),
        items_(static_cast<std::size_t>(DataflowShape(setup.config).items())),
        tiles_(padded() / setup.size("panel")),
        one_launch_(setup.device().type == "gpu" && setup.device().groups_may_wait()),
        kernel_(kernel(setup, "factor_tiles", "tiles", one_launch_)),
        done_(setup.workspace.allocate<cl_uint>("chunks done of each tile", tiles_ * tiles_, Role::scratch)),
        next_group_id_(setup.workspace.allocate<cl_uint>("next group id", 1, Role::scratch)) {}

  void enqueue(Launcher& launcher) override {
    launcher.fill<cl_uint>(done_, 0);
    launcher.fill<cl_uint>(next_group_id_, 0);
    if (one_launch_) return launch_groups(launcher, tiles_ * tiles_);
    for (std::size_t left = tiles_; left > 0; --left) {
      launch_groups(launcher, 1);
      launch_groups(launcher, 2 * (left - 1));
    }
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return {total_work(order(), "tiles"), total_work(order(), "total")};
  }

 private:
  void launch_groups(Launcher& launcher, std::size_t groups) {
    launcher.run(kernel_, groups * items_, items_, matrix(), done_, next_group_id_, stride(),
                 static_cast<cl_int>(tiles_));
  }

  std::size_t items_;
  std::size_t tiles_;
  bool one_launch_;
  Kernel kernel_;
  Buffer<cl_uint> done_;
  Buffer<cl_uint> next_group_id_;
};

}  // namespace

std::unique_ptr<Case> dataflow_case(const Setup& setup) {
  return std::make_unique<DataflowCase>(setup);
}

}  // namespace dwarfsweep::lud
