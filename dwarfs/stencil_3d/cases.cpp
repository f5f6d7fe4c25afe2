#include "dwarfs/stencil_3d/stencil_3d.hpp"

#include <algorithm>
#include <vector>

#include "dwarfs/stencil_3d/input.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::stencil_3d {
namespace {

std::size_t to_size(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

class StencilCase final : public Case {
 public:
  explicit StencilCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<StencilInput>()),
        grid_(input_->grid()),
        layout_(grid_, setup.integer("padding") == 1),
        groups_(setup.config),
        planes_(setup.integer("depth") == 0 ? grid_.nz - 2 * radius
                                            : std::min(setup.integer("depth"), grid_.nz - 2 * radius)),
        // PoCL has a macro of the name `step`.
        kernel_(setup.kernel("stencil", "step", setup.macros().define("LEFT", layout_.left))),
        original_(workspace_.allocate<float>("grid", layout_.floats, Role::input)) {
    for (int i = 0; i < std::min(grid_.steps, 2); ++i) {
      results_[i] =
          workspace_.allocate<float>(i == 0 ? "odd steps" : "even steps", layout_.floats, Role::output);
    }
  }

  void upload() override { workspace_.upload(layout_.spread(input_->values()), original_); }

  // Outer layers keep their values: every grid has them before the first step.
  void reset() override {
    for (int i = 0; i < std::min(grid_.steps, 2); ++i) workspace_.copy(original_, results_[i]);
  }

  void launch(Launcher& launcher) override {
    launcher.batch([&] {
      for (int step = 0; step < grid_.steps; ++step) make_step(launcher, step);
    });
  }

  void download() override { workspace_.download(results_[(grid_.steps - 1) % 2], output_); }

  [[nodiscard]] Check check() const override { return input_->check(output_, layout_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto inner = static_cast<double>(grid_.inner_points());
    const double bytes = 4 * (static_cast<double>(grid_.points()) + inner);
    const double steps = inner * grid_.steps;
    return {{"step", bytes * grid_.steps, 29 * steps, steps}, {"total", bytes, 29 * steps, steps}};
  }

  void dump(DumpSink& sink) const override {
    const DumpSink::Shape shape = {to_size(grid_.nz), to_size(grid_.ny), to_size(grid_.nx)};
    sink.array("grid", std::span<const float>(input_->values()), shape);
    sink.array("output", std::span<const float>(layout_.gather(output_)), shape);
    for (std::size_t k = 0; k < input_->coefficients().size(); ++k)
      sink.note(std::string("c").append(std::to_string(k)), static_cast<double>(input_->coefficients()[k]));
  }

 private:
  void make_step(Launcher& launcher, int step) {
    const Buffer<float>& from = step == 0 ? original_ : results_[(step - 1) % 2];
    const Coefficients& c = input_->coefficients();
    const std::size_t items = to_size(groups_.items);
    const Range global(to_size(ceil_div(grid_.nx - 2 * radius, groups_.tile_x)) * items,
                       to_size(ceil_div(grid_.ny - 2 * radius, groups_.tile_y)),
                       to_size(ceil_div(grid_.nz - 2 * radius, planes_)));
    launcher.run(kernel_, global, Range(items, 1, 1), from, results_[step % 2], static_cast<cl_int>(grid_.nx),
                 static_cast<cl_int>(grid_.ny), static_cast<cl_int>(grid_.nz),
                 static_cast<cl_int>(layout_.stride), static_cast<cl_int>(planes_), c[0],
                 cl_float4{{c[1], c[2], c[3], c[4]}});
  }

  Workspace& workspace_;
  std::shared_ptr<const StencilInput> input_;
  const Grid& grid_;
  Layout layout_;
  Groups groups_;
  std::int64_t planes_;
  Kernel kernel_;
  Buffer<float> original_;
  Buffer<float> results_[2];
  std::vector<float> output_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<StencilCase>(setup);
}

}  // namespace dwarfsweep::stencil_3d
