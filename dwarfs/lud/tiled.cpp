// The variant tiled of lud: the host side of kernels_cl/lud/tiled.cl.
#include "dwarfs/lud/cases.hpp"
#include "dwarfs/lud/space.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::lud {
namespace {

class TiledCase final : public LudCase {
 public:
  explicit TiledCase(const Setup& setup)
      : LudCase(setup, setup.size("work_group"), 0),
        shape_(setup.config),
        diagonal_(kernel(setup, "tiled_diagonal", "diagonal")),
        perimeter_(kernel(setup, "tiled_perimeter", "perimeter")),
        internal_(kernel(setup, "tiled_internal", "internal")) {}

  void enqueue(Launcher& launcher) override {
    const auto tile = static_cast<std::size_t>(shape_.tile);
    const auto perimeter_items = static_cast<std::size_t>(shape_.perimeter_items());
    const Range inner(static_cast<std::size_t>(shape_.tile / shape_.coarse_x()),
                      static_cast<std::size_t>(shape_.tile / shape_.coarse_y()));
    for (std::size_t offset = 0; offset < padded(); offset += tile) {
      const std::size_t tiles = (padded() - offset) / tile - 1;
      const auto begin = static_cast<cl_int>(offset);
      launcher.run(diagonal_, tile, tile, matrix(), stride(), begin);
      launcher.run(perimeter_, tiles * perimeter_items, perimeter_items, matrix(), stride(), begin);
      launcher.run(internal_, Range(tiles * inner.sizes[0], tiles * inner.sizes[1]), inner, matrix(),
                   stride(), begin);
    }
  }
  [[nodiscard]] std::vector<Work> work() const override {
    return work_of_steps(order(), static_cast<std::size_t>(shape_.tile));
  }

 private:
  TiledShape shape_;
  Kernel diagonal_;
  Kernel perimeter_;
  Kernel internal_;
};

}  // namespace

std::unique_ptr<Case> tiled_case(const Setup& setup) {
  return std::make_unique<TiledCase>(setup);
}

}  // namespace dwarfsweep::lud
