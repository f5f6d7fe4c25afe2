// The variant queue of bfs: the host side of `push` in kernels_cl/bfs/queue.cl, one launch per level.
#include "dwarfs/bfs/frontier_case.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {
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
