// The variant wavefront of needle: the host side of kernels_cl/needle/wavefront.cl.
#include <algorithm>

#include "dwarfs/needle/cases.hpp"
#include "dwarfs/needle/needle.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::needle {
namespace {

class WavefrontCase final : public NeedleCase {
 public:
  explicit WavefrontCase(const Setup& setup)
      : NeedleCase(setup, extent_of(setup)),
        tile_(setup.size("work_group")),
        items_(tile_ / setup.size("granularity")),
        tile_rows_(extent().rows / tile_),
        tile_columns_(extent().columns / tile_),
        upper_left_(setup.kernel("upper_left", "upper_left", macros_of(setup))),
        lower_right_(setup.kernel("lower_right", "lower_right", macros_of(setup))) {
    const bool stored = setup.string("similarity") == "stored";
    similarity_ = workspace().allocate<cl_int>("similarity", stored ? extent().rows * extent().columns : 0,
                                               Role::input);
  }

  void upload() override {
    NeedleCase::upload();
    if (similarity_.count > 0) upload_similarity(similarity_);
  }

  void enqueue(Launcher& launcher) override {
    for (std::size_t index = 0; index + 1 < tile_rows_ + tile_columns_; ++index) {
      const Diagonal diagonal = diagonal_of(index, tile_rows_, tile_columns_);
      launcher.run(index < growing() ? upper_left_ : lower_right_, diagonal.tiles * items_, items_,
                   device_matrix(), similarity_, profile(), first(), columns(), gap(), diagonal.top,
                   diagonal.right);
    }
  }

  [[nodiscard]] std::vector<Work> work() const override { return work_of_halves(tile_, growing()); }

 private:
  static Extent extent_of(const Setup& setup) {
    const auto input = setup.input<NeedleInput>();
    const std::size_t tile = setup.size("work_group");
    return {round_up(std::max<std::size_t>(1, input->rows()), tile),
            round_up(std::max<std::size_t>(1, input->columns()), tile)};
  }
  // Diagonals until they begin to shrink.
  [[nodiscard]] std::size_t growing() const { return std::max(tile_rows_, tile_columns_); }

  std::size_t tile_, items_, tile_rows_, tile_columns_;
  Buffer<cl_int> similarity_;
  Kernel upper_left_, lower_right_;
};

}  // namespace

// The same derivations as in kernels_cl/needle/wavefront.cl.
std::uint64_t wavefront_local_bytes(const Point& point) {
  const std::int64_t tile = point["work_group"];
  const std::int64_t pitch = tile + 1 + point["padding"];
  const std::int64_t words =
      point["granularity"] > 1 ? (2 * tile + 1) * pitch + 1 : (tile + 1) * pitch + tile * tile;
  return static_cast<std::uint64_t>(words) * sizeof(cl_int);
}

std::uint64_t wavefront_group_items(const Point& point) {
  return static_cast<std::uint64_t>(point["work_group"] / point["granularity"]);
}

std::unique_ptr<Case> wavefront_case(const Setup& setup) {
  return std::make_unique<WavefrontCase>(setup);
}

}  // namespace dwarfsweep::needle
