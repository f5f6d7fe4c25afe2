#include "dwarfs/fdtd/fdtd.hpp"

#include <algorithm>
#include <vector>

#include "dwarfs/fdtd/input.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::fdtd {
namespace {

/// How cells lie in device memory: rows of `stride` cells that begin at `left`, and around them margins of
/// zeros. A field has `plane` cells in all.
struct Layout {
  Layout(const Grid& of, bool padded)
      : grid(of),
        left(padded ? 32 : 0),
        stride(padded ? round_up(grid.ny, 32) + 64 : grid.ny),
        plane(grid.nx * stride) {}

  [[nodiscard]] std::size_t at(std::size_t i, std::size_t j) const { return i * stride + left + j; }

  const Grid& grid;
  std::size_t left, stride, plane;
};

/// One number of each cell in device memory: `step` elements apart, from `first` on.
template <typename T>
void spread(const std::vector<T>& cells, const Layout& layout, std::size_t first, std::size_t step,
            std::vector<T>& to) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < layout.grid.nx; ++i) {
    for (std::size_t j = 0; j < layout.grid.ny; ++j)
      to[first + layout.at(i, j) * step] = cells[i * layout.grid.ny + j];
  }
}

class FdtdCase final : public Case {
 public:
  explicit FdtdCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<FdtdInput>()),
        grid_(input_->grid()),
        layout_(grid_, setup.integer("padding") == 1),
        variant_(setup.string("variant")),
        structures_(in_place() && setup.string("layout") == "aos"),
        indexed_(setup.string("medium") == "index"),
        numbers_(structures_ ? 5 : 3),
        original_(workspace_.allocate<float>("fields before", numbers_ * layout_.plane, Role::input)),
        coefficients_(workspace_.allocate<float>(
            "coefficients", structures_ || indexed_ ? 0 : 2 * layout_.plane, Role::input)),
        index_(workspace_.allocate<cl_uchar>("medium", indexed_ ? layout_.plane : 0, Role::input)),
        table_(workspace_.allocate<float>("materials", 2 * input_->medium().materials.size(), Role::input)),
        source_(workspace_.allocate<float>("source", static_cast<std::size_t>(grid_.steps), Role::input)) {
    if (in_place()) {
      magnetic_ = kernel(setup, "magnetic", 1);
      stages_.push_back({kernel(setup, "electric", 1),
                         range_of(geometry_of(setup.config, 1, {}), setup.config, grid_), 1, grid_.steps});
    } else {
      const int most = max_steps_per_launch(setup.config);
      if (grid_.steps >= most) stages_.push_back(stage_of(setup, most, grid_.steps / most));
      if (grid_.steps % most != 0) stages_.push_back(stage_of(setup, grid_.steps % most, 1));
    }
    for (const Stage& stage : stages_) launches_ += stage.launches;
    const int copies = in_place() ? 1 : std::min(launches_, 2);
    for (int i = 0; i < copies; ++i) {
      fields_[i] =
          workspace_.allocate<float>(i == 0 ? "fields" : "other fields", original_.count, Role::output);
    }
  }

  void upload() override {
    const Fields& start = input_->start();
    std::vector<float> values(original_.count);
    std::size_t number = 0;
    for (const auto* field : {&start.ez, &start.hx, &start.hy}) place(*field, number++, values);
    const std::vector<float> ca = medium().of_each_cell(&Coefficients::ca);
    const std::vector<float> cb = medium().of_each_cell(&Coefficients::cb);
    if (structures_) {
      place(ca, 3, values);
      place(cb, 4, values);
    }
    workspace_.upload(values, original_);
    if (coefficients_.count > 0) {
      std::vector<float> both(coefficients_.count);
      place(ca, 0, both);
      place(cb, 1, both);
      workspace_.upload(both, coefficients_);
    }
    if (indexed_) {
      std::vector<cl_uchar> bytes(index_.count, Medium::conductor);
      spread(medium().index, layout_, 0, 1, bytes);
      workspace_.upload(bytes, index_);
    }
    std::vector<float> table;
    for (const Coefficients& material : medium().materials) {
      table.push_back(material.ca);
      table.push_back(material.cb);
    }
    workspace_.upload(table, table_);
    std::vector<float> source(source_.count);
    for (std::size_t step = 0; step < source.size(); ++step)
      source[step] = source_in_step(static_cast<int>(step));
    workspace_.upload(source, source_);
  }

  // The margins must hold numbers: they are multiplied by 0.
  void reset() override {
    for (const Buffer<float>& fields : fields_)
      if (fields.count > 0) workspace_.copy(original_, fields);
  }

  void launch(Launcher& launcher) override {
    launcher.batch([&] {
      int step = 0;
      int launch = 0;
      for (Stage& stage : stages_) {
        for (int i = 0; i < stage.launches; ++i, ++launch, step += stage.steps)
          make_steps(launcher, stage, step, launch);
      }
    });
  }

  void download() override {
    std::vector<float> values;
    workspace_.download(fields_[in_place() ? 0 : (launches_ - 1) % 2], values);
    std::size_t number = 0;
    for (auto* field : {&result_.ez, &result_.hx, &result_.hy}) {
      field->resize(grid_.cells());
      const std::size_t first = structures_ ? number : number * layout_.plane;
      const std::size_t step = structures_ ? numbers_ : 1;
      for (std::size_t i = 0; i < grid_.nx; ++i) {
        for (std::size_t j = 0; j < grid_.ny; ++j)
          (*field)[i * grid_.ny + j] = values[first + layout_.at(i, j) * step];
      }
      ++number;
    }
  }

  [[nodiscard]] Check check() const override { return input_->check(result_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto cells = static_cast<double>(grid_.cells());
    const double steps = cells * grid_.steps;
    const double bytes = (in_place() ? 44 : 32) - (indexed_ ? 7 : 0);
    return {{"step", bytes * cells * launches_, 12 * steps, steps}, {"total", 32 * cells, 12 * steps, steps}};
  }

  void dump(DumpSink& sink) const override {
    const DumpSink::Shape shape = {grid_.nx, grid_.ny};
    const auto array = [&](const char* name, const std::vector<float>& values) {
      sink.array(name, std::span<const float>(values), shape);
    };
    array("ez_in", input_->start().ez);
    array("hx_in", input_->start().hx);
    array("hy_in", input_->start().hy);
    array("ca", medium().of_each_cell(&Coefficients::ca));
    array("cb", medium().of_each_cell(&Coefficients::cb));
    array("ez", result_.ez);
    array("hx", result_.hx);
    array("hy", result_.hy);
    sink.note("d", double{time_step});
    if (!grid_.has_source) return;
    sink.note("source_row", static_cast<std::int64_t>(grid_.source_row()));
    sink.note("source_column", static_cast<std::int64_t>(grid_.source_column()));
    std::vector<float> pulse;
    for (int step = 0; step < grid_.steps; ++step) pulse.push_back(source_in_step(step));
    sink.array("source_values", std::span<const float>(pulse), {pulse.size()});
  }

 private:
  // Launches of the same number of steps.
  struct Stage {
    Kernel kernel;
    LaunchRange range;
    int steps, launches;
  };

  [[nodiscard]] const Medium& medium() const { return input_->medium(); }
  /// H and E of one set of fields, in two launches.
  [[nodiscard]] bool in_place() const { return variant_ == "two_kernels" || variant_ == "tiled"; }

  void place(const std::vector<float>& cells, std::size_t number, std::vector<float>& to) const {
    if (structures_) {
      spread(cells, layout_, number, numbers_, to);
    } else {
      spread(cells, layout_, number * layout_.plane, 1, to);
    }
  }

  void make_steps(Launcher& launcher, Stage& stage, int step, int launch) {
    const auto nx = static_cast<cl_int>(grid_.nx);
    const auto ny = static_cast<cl_int>(grid_.ny);
    const auto stride = static_cast<cl_int>(layout_.stride);
    const cl_int2 at = {
        {static_cast<cl_int>(grid_.source_row()), static_cast<cl_int>(grid_.source_column())}};
    const cl_float d = time_step;
    const auto run = [&](const auto&... fields) {
      launcher.run(stage.kernel, stage.range.global, stage.range.local, fields..., coefficients_, index_,
                   table_, source_, nx, ny, stride, d, at, static_cast<cl_int>(step));
    };
    if (in_place()) {
      launcher.run(*magnetic_, stage.range.global, stage.range.local, fields_[0], nx, ny, stride, d);
      run(fields_[0]);
    } else {
      run(launch == 0 ? original_ : fields_[(launch - 1) % 2], fields_[launch % 2]);
    }
  }

  Kernel kernel(const Setup& setup, const char* function, int steps) const {
    const Lanes lanes = lanes_of(setup.config, setup.device().capabilities);
    Macros macros = setup.macros();
    macros.define("LEFT", static_cast<std::int64_t>(layout_.left))
        .define("POINT_SOURCE", grid_.has_source ? 1 : 0);
    define_strips(macros, geometry_of(setup.config, steps, lanes), steps, lanes);
    return setup.kernel(function, "step", macros);
  }

  Stage stage_of(const Setup& setup, int steps, int launches) const {
    const Geometry geometry =
        geometry_of(setup.config, steps, lanes_of(setup.config, setup.device().capabilities));
    const bool rows = setup.integer("work_group") == 1;
    const char* function = variant_ == "fused" ? "fused" : rows ? "streaming_rows" : "streaming_columns";
    return {kernel(setup, function, steps), range_of(geometry, setup.config, grid_), steps, launches};
  }

  Workspace& workspace_;
  std::shared_ptr<const FdtdInput> input_;
  const Grid& grid_;
  Layout layout_;
  std::string variant_;
  bool structures_, indexed_;
  std::size_t numbers_;  ///< of a cell, in the buffers of fields
  Buffer<float> original_, coefficients_;
  Buffer<cl_uchar> index_;
  Buffer<float> table_, source_;
  Buffer<float> fields_[2];
  std::optional<Kernel> magnetic_;
  std::vector<Stage> stages_;
  int launches_ = 0;
  Fields result_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<FdtdCase>(setup);
}

}  // namespace dwarfsweep::fdtd
