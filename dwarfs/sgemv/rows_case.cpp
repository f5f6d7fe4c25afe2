// All variants but split_k: one kernel, whose groups have all terms of their outputs.
#include "dwarfs/sgemv/cases.hpp"
#include "dwarfs/sgemv/geometry.hpp"
#include "dwarfs/sgemv/matrix_case.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::sgemv {
namespace {

class RowsCase final : public MatrixCase {
 public:
  explicit RowsCase(const Setup& setup)
      : MatrixCase(setup, 1),
        items_(static_cast<std::size_t>(group_items(setup.config))),
        groups_(static_cast<std::size_t>(groups_over_outputs(shape_, setup.config))),
        gemv_(gemv_kernel(setup)) {}

  void launch(Launcher& launcher) override {
    launcher.run(gemv_, items_ * groups_, items_, outputs(), terms(), stride(), shape_.alpha, shape_.beta,
                 matrix_, x_, y_in_, y_);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const Work total = total_work();
    Work gemv = total;
    gemv.kernel = "gemv";
    return {gemv, total};
  }

 private:
  Kernel gemv_kernel(const Setup& setup) {
    const MatrixTile tile = matrix_tile(setup.config, shape_.transposed);
    return setup.kernel("gemv", "gemv",
                        macros_of(setup, false)
                            .define("GROUP_ITEMS", group_items(setup.config))
                            .define("TILE_LINES", tile.lines)
                            .define("TILE_LINE", tile.line));
  }

  std::size_t items_, groups_;
  Kernel gemv_;
};

}  // namespace

std::unique_ptr<Case> make_rows_case(const Setup& setup) {
  return std::make_unique<RowsCase>(setup);
}

}  // namespace dwarfsweep::sgemv
