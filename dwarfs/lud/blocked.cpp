// The variant blocked of lud: the host side of kernels_cl/lud/blocked.cl.
#include "dwarfs/lud/cases.hpp"
#include "dwarfs/lud/space.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::lud {
namespace {

class BlockedCase final : public LudCase {
 public:
  // Rows begin at an odd multiple of 64 bytes: at a power of two a column would sit in one set of a cache.
  explicit BlockedCase(const Setup& setup)
      : LudCase(setup, setup.size("panel"), 16),
        shape_(setup.config),
        diagonal_(kernel(setup, "blocked_diagonal", "diagonal")),
        perimeter_(kernel(setup, "blocked_perimeter", "perimeter")),
        internal_(kernel(setup, "blocked_internal", "internal")),
        factors_(setup.workspace.allocate<float>("factors", 2 * panel() * panel(), Role::scratch)),
        right_panel_(setup.workspace.allocate<float>("right panel", panel() * padded(), Role::scratch)),
        below_panel_(setup.workspace.allocate<float>("below panel", panel() * padded(), Role::scratch)) {}

  void enqueue(Launcher& launcher) override {
    const auto items = static_cast<std::size_t>(shape_.items());
    const auto solve_items = static_cast<std::size_t>(shape_.solve_items());
    launcher.run(diagonal_, items, items, matrix(), factors_, stride());
    for (std::size_t offset = 0; offset + panel() < padded(); offset += panel()) {
      const std::size_t rest = padded() - offset - panel();
      const auto begin = static_cast<cl_int>(offset);
      const auto order_of_rest = static_cast<cl_int>(rest);
      const std::size_t solvers = 2 * rest / static_cast<std::size_t>(shape_.lanes()) * solve_items;
      launcher.run(perimeter_, solvers, solve_items, matrix(), factors_, right_panel_, below_panel_, stride(),
                   begin, order_of_rest);
      const std::size_t groups = 1 + stacks(rest) - stacks(panel());
      launcher.run(internal_, groups * items, items, matrix(), factors_, right_panel_, below_panel_, stride(),
                   begin, order_of_rest);
    }
  }
  [[nodiscard]] std::vector<Work> work() const override { return work_of_steps(order(), panel()); }

 private:
  [[nodiscard]] std::size_t panel() const { return static_cast<std::size_t>(shape_.panel); }
  /// Stacks of tiles in a square of that order.
  [[nodiscard]] std::size_t stacks(std::size_t square) const {
    return square / static_cast<std::size_t>(shape_.group_x()) *
           (square / static_cast<std::size_t>(shape_.group_y() * shape_.granularity));
  }

  BlockedShape shape_;
  Kernel diagonal_;
  Kernel perimeter_;
  Kernel internal_;
  Buffer<float> factors_;
  Buffer<float> right_panel_;
  Buffer<float> below_panel_;
};

}  // namespace

std::unique_ptr<Case> blocked_case(const Setup& setup) {
  return std::make_unique<BlockedCase>(setup);
}

}  // namespace dwarfsweep::lud
