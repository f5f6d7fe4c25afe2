// The variant split_k: the terms are divided among groups as well.
#include "dwarfs/sgemv/cases.hpp"
#include "dwarfs/sgemv/geometry.hpp"
#include "dwarfs/sgemv/matrix_case.hpp"
#include "dwarfs/sgemv/split_geometry.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::sgemv {
namespace {

class SplitCase final : public MatrixCase {
 public:
  SplitCase(const Setup& setup, const SplitGeometry& geometry)
      : MatrixCase(setup, geometry.lanes),
        geometry_(geometry),
        has_partial_sums_(geometry.has_partial_sums(shape_)),
        groups_finish_(has_partial_sums_ && finishes(setup.config)),
        items_(geometry.has_single_item(shape_) ? 1 : static_cast<std::size_t>(group_items(setup.config))) {
    const Macros macros = macros_of(setup, has_partial_sums_)
                              .define("COLUMNS_PER_ITEM", columns_per_item)
                              .define("REDUCE_GROUP", reduce_group)
                              .define("REDUCE_OUTPUTS", geometry.reduce_outputs())
                              .allow_inter_group_sync(groups_finish_);
    gemv_ = setup.kernel("gemv", "gemv", macros);
    if (has_partial_sums_ && !groups_finish_) reduce_ = setup.kernel("reduce", "reduce", macros);
    partial_ = workspace_.allocate<float>("partial sums", partial_sums(), Role::scratch);
    left_ = workspace_.allocate<cl_uint>("chunks left", groups_finish_ ? groups() : 0, Role::input);
  }

  void upload() override {
    MatrixCase::upload();
    workspace_.upload(std::vector<cl_uint>(left_.count), left_);
  }

  void launch(Launcher& launcher) override {
    const auto chunks = static_cast<std::size_t>(geometry_.chunks);
    launcher.run(gemv_, Range(items_ * groups(), chunks), Range(items_, 1), outputs(), terms(), stride(),
                 shape_.alpha, shape_.beta, matrix_, x_, y_in_, y_, partial_, left_,
                 static_cast<cl_int>(geometry_.chunk));
    if (!has_partial_sums_ || groups_finish_) return;
    const auto reduce_groups =
        static_cast<std::size_t>(ceil_div(shape_.outputs(), geometry_.reduce_outputs()));
    launcher.run(reduce_, reduce_groups * reduce_group, static_cast<std::size_t>(reduce_group), outputs(),
                 static_cast<cl_int>(geometry_.chunks), shape_.alpha, shape_.beta, partial_, y_in_, y_);
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const Work total = total_work();
    Work gemv = total;
    gemv.kernel = "gemv";
    if (!has_partial_sums_) return {gemv, total};
    const auto elements = static_cast<double>(shape_.rows) * static_cast<double>(shape_.cols);
    const auto terms = static_cast<double>(shape_.terms());
    const auto partial = static_cast<double>(partial_sums());
    const double y_bytes = total.bytes - 4 * (elements + terms);
    const double y_operations = total.operations - 2 * elements;
    if (groups_finish_) {
      gemv.bytes += 8 * partial;
      gemv.operations += partial;
      return {gemv, total};
    }
    return {{"gemv", 4 * (elements + terms + partial), 2 * elements, elements},
            {"reduce", 4 * partial + y_bytes, partial + y_operations, partial},
            total};
  }

 private:
  [[nodiscard]] std::size_t groups() const { return static_cast<std::size_t>(geometry_.groups); }
  [[nodiscard]] std::size_t partial_sums() const {
    return has_partial_sums_ ? static_cast<std::size_t>(shape_.outputs() * geometry_.chunks) : 0;
  }

  SplitGeometry geometry_;
  bool has_partial_sums_, groups_finish_;
  std::size_t items_;
  Kernel gemv_, reduce_;
  Buffer<float> partial_;
  Buffer<cl_uint> left_;
};

}  // namespace

std::unique_ptr<Case> make_split_case(const Setup& setup) {
  return std::make_unique<SplitCase>(
      setup, split_geometry(setup.input<SgemvInput>()->shape(), setup.config, setup.device()));
}

}  // namespace dwarfsweep::sgemv
