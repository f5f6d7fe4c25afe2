// lbm on a device.
#include <algorithm>

#include "dwarfs/lbm/lbm.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::lbm {
namespace {

std::size_t to_size(std::int64_t number) {
  return static_cast<std::size_t>(number);
}

class LbmCase final : public Case {
 public:
  explicit LbmCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<LbmInput>()),
        grid_(input_->grid()),
        layout_(grid_, setup.config),
        in_place_(setup.string("variant") == "in_place"),
        flags_in_cell_(setup.string("flags") == "in_cell"),
        kernel_bytes_(2.0 * directions * (layout_.storage() == Storage::half ? 2 : 4) +
                      (flags_in_cell_                     ? sizeof(float)
                       : setup.string("flags") == "bytes" ? 1.0
                                                          : 0.0)),
        local_(setup.size("work_group"), setup.size("rows")),
        global_(to_size(ceil_div(grid_.nx, setup.integer("work_group") * setup.integer("granularity") *
                                               setup.integer("vector_width")) *
                        setup.integer("work_group")),
                to_size(round_up(grid_.ny, setup.integer("rows"))), to_size(grid_.nz)),
        original_(workspace_.allocate<std::uint8_t>("f before", layout_.bytes(), Role::input)),
        bytes_(workspace_.allocate<std::uint8_t>("flags", layout_.spread_flags({}).size(), Role::input)) {
    const Macros macros =
        setup.macros().define("CAVITY", setup.loaded.problem.string("setup") == "cavity" ? 1 : 0);
    if (in_place_) {
      kernels_.push_back(setup.kernel("even_step", "step", macros));
      kernels_.push_back(setup.kernel("odd_step", "step", macros));
    } else {
      kernels_.push_back(setup.kernel("collide_and_move", "step", macros));
    }
    for (int i = 0; i < (in_place_ ? 1 : std::min(grid_.steps, 2)); ++i)
      results_.push_back(workspace_.allocate<std::uint8_t>("f", layout_.bytes(), Role::output));
  }

  void upload() override {
    workspace_.upload(layout_.spread(input_->f(), input_->flags()), original_);
    workspace_.upload(layout_.spread_flags(input_->flags()), bytes_);
  }

  // A step writes all of the cells but their flags; in place it needs what it begins with.
  void reset() override {
    if (in_place_ || flags_in_cell_)
      for (const Buffer<std::uint8_t>& result : results_) workspace_.copy(original_, result);
  }

  void launch(Launcher& launcher) override {
    launcher.batch([&] {
      for (int step = 0; step < grid_.steps; ++step) make_step(launcher, step);
    });
  }

  void download() override {
    workspace_.download(results_[static_cast<std::size_t>(grid_.steps - 1) % results_.size()], found_);
  }

  [[nodiscard]] Check check() const override {
    return input_->check(layout_.gather(found_, grid_.steps), layout_.storage());
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto cells = static_cast<double>(grid_.cells());
    const double updates = cells * grid_.steps;
    return {{"step", kernel_bytes_ * updates, operations_per_cell * updates, updates},
            {"total", bytes_per_cell * cells, operations_per_cell * updates, updates}};
  }

  void dump(DumpSink& sink) const override {
    const DumpSink::Shape cells = {to_size(grid_.nz), to_size(grid_.ny), to_size(grid_.nx)};
    const DumpSink::Shape all = {directions, cells[0], cells[1], cells[2]};
    sink.array("f_in", std::span<const float>(input_->f()), all);
    sink.array("flags", std::span<const std::uint8_t>(input_->flags()), cells);
    const std::vector<float> f = layout_.gather(found_, grid_.steps);
    sink.array("f", std::span<const float>(f), all);
    dump_moments(sink, f, cells);
    sink.note("storage", layout_.storage() == Storage::half ? "half" : "float");
  }

 private:
  void make_step(Launcher& launcher, int step) {
    const auto nx = static_cast<cl_int>(grid_.nx);
    const auto ny = static_cast<cl_int>(grid_.ny);
    const auto nz = static_cast<cl_int>(grid_.nz);
    const auto pitch = static_cast<cl_int>(layout_.pitch());
    const auto cells = static_cast<cl_uint>(layout_.cells());
    if (in_place_) {
      launcher.run(kernels_[static_cast<std::size_t>(step % 2)], global_, local_, results_[0], bytes_, nx, ny,
                   nz, pitch, cells, grid_.omega);
    } else {
      const Buffer<std::uint8_t>& from =
          step == 0 ? original_ : results_[static_cast<std::size_t>((step - 1) % 2)];
      launcher.run(kernels_[0], global_, local_, from, results_[static_cast<std::size_t>(step % 2)], bytes_,
                   nx, ny, nz, pitch, cells, grid_.omega);
    }
  }

  // Density and velocity of f. Obstacles have a density, but nothing moves in them.
  void dump_moments(DumpSink& sink, const std::vector<float>& f, const DumpSink::Shape& cells) const {
    const std::size_t count = grid_.cells();
    std::vector<float> rho(count), u(3 * count);
    for (std::size_t cell = 0; cell < count; ++cell) {
      double density = 0, momentum[3] = {};
      for (std::size_t i = 0; i < directions; ++i) {
        const double value = f[i * count + cell];
        density += value;
        momentum[0] += lattice[i].x * value;
        momentum[1] += lattice[i].y * value;
        momentum[2] += lattice[i].z * value;
      }
      rho[cell] = static_cast<float>(density);
      if (static_cast<Flag>(input_->flags()[cell]) == Flag::obstacle) continue;
      for (std::size_t axis = 0; axis < 3; ++axis)
        u[axis * count + cell] = static_cast<float>(momentum[axis] / density);
    }
    sink.array("rho", std::span<const float>(rho), cells);
    sink.array("u", std::span<const float>(u), {3, cells[0], cells[1], cells[2]});
  }

  Workspace& workspace_;
  std::shared_ptr<const LbmInput> input_;
  const Grid& grid_;
  Layout layout_;
  bool in_place_, flags_in_cell_;
  double kernel_bytes_;
  Range local_, global_;
  Buffer<std::uint8_t> original_, bytes_;
  std::vector<Kernel> kernels_;
  std::vector<Buffer<std::uint8_t>> results_;
  std::vector<std::uint8_t> found_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<LbmCase>(setup);
}

}  // namespace dwarfsweep::lbm
