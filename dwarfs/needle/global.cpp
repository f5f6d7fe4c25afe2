// The variant global of needle: the host side of kernels_cl/needle/global.cl.
#include <algorithm>

#include "dwarfs/needle/cases.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::needle {
namespace {

class GlobalCase final : public NeedleCase {
 public:
  explicit GlobalCase(const Setup& setup)
      : NeedleCase(setup, extent_of(setup)),
        group_(setup.size("work_group")),
        similarity_(
            workspace().allocate<cl_int>("similarity", extent().rows * extent().columns, Role::input)),
        upper_left_(setup.kernel("upper_left", "upper_left", macros_of(setup))),
        lower_right_(setup.kernel("lower_right", "lower_right", macros_of(setup))) {}

  void upload() override {
    NeedleCase::upload();
    upload_similarity(similarity_);
  }

  void enqueue(Launcher& launcher) override {
    for (std::size_t index = 0; index + 1 < extent().rows + extent().columns; ++index) {
      const Diagonal diagonal = diagonal_of(index, extent().rows, extent().columns);
      launcher.run(index < growing() ? upper_left_ : lower_right_, round_up(diagonal.tiles, group_), group_,
                   device_matrix(), similarity_, columns(), gap(), diagonal.top, diagonal.right,
                   static_cast<cl_uint>(diagonal.tiles));
    }
  }

  [[nodiscard]] std::vector<Work> work() const override { return work_of_halves(1, growing()); }

 private:
  static Extent extent_of(const Setup& setup) {
    const auto input = setup.input<NeedleInput>();
    return {std::max<std::size_t>(1, input->rows()),
            round_up(std::max<std::size_t>(1, input->columns()), 16)};
  }
  // Diagonals until they begin to shrink.
  [[nodiscard]] std::size_t growing() const { return std::max(extent().rows, extent().columns); }

  std::size_t group_;
  Buffer<cl_int> similarity_;
  Kernel upper_left_, lower_right_;
};

}  // namespace

std::unique_ptr<Case> global_case(const Setup& setup) {
  return std::make_unique<GlobalCase>(setup);
}

}  // namespace dwarfsweep::needle
