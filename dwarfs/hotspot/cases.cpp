// How a grid of hotspot lies in device memory.
#include "dwarfs/hotspot/hotspot.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "dwarfs/hotspot/input.hpp"
#include "dwarfs/long_rows.hpp"
#include "dwarfs/sync.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::hotspot {

/// Rows of `stride` floats, whose cells begin at `left`. With padding rows are aligned, and have margins of
/// `left` cells on both sides in which the grid continues mirrored.
struct Layout {
  Layout(const Parameters& p, bool padded);

  [[nodiscard]] std::size_t floats() const { return rows * stride; }
  [[nodiscard]] bool has_margins() const { return stride != cols; }
  /// The rows with their margins, of a grid of rows x cols values.
  [[nodiscard]] Staging<float> with_margins(const std::vector<float>& grid) const;
  /// The inverse.
  [[nodiscard]] std::vector<float> without_margins(const Staging<float>& floats) const;

  std::size_t rows, cols, stride, left;
};

namespace {

constexpr std::size_t left_margin = 16;
constexpr std::size_t margins = left_margin + 16;  // a vector of 16 behind a row's cells

}  // namespace

Layout::Layout(const Parameters& p, bool padded)
    : rows(p.rows),
      cols(p.cols),
      stride(padded ? round_up(cols, 16) + margins : cols),
      left(padded ? left_margin : 0) {}

Staging<float> Layout::with_margins(const std::vector<float>& grid) const {
  Staging<float> result(floats());
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    const float* values = grid.data() + row * cols;
    float* target = result.data() + row * stride + left;
    std::copy_n(values, cols, target);
    for (std::size_t i = 0; i < left; ++i) {
      // The mirrored grid repeats every 2 * cols columns.
      const std::size_t in_period = i % (2 * cols);
      const std::size_t column = std::min(in_period, 2 * cols - 1 - in_period);
      *(target - 1 - i) = values[column];
      target[cols + i] = values[cols - 1 - column];
    }
  }
  return result;
}

std::vector<float> Layout::without_margins(const Staging<float>& floats) const {
  std::vector<float> grid(rows * cols);
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(floats.data() + row * stride + left, cols, grid.data() + row * cols);
  return grid;
}

namespace {

// Only steps beyond those of one launch need groups that wait for each other.
bool uses_flags(const Setup& setup, const Parameters& p) {
  return setup.string("variant") == "streaming" && setup.integer("work_group") == 1 &&
         p.steps > max_steps_per_launch(setup.config) && groups_wait(setup.device(), setup.string("sync"));
}

const char* function_of(const Config& config) {
  if (config.string("variant") == "single_step") return "single_step";
  if (config.string("variant") == "pyramid") return "pyramid";
  return config.integer("work_group") == 1 ? "streaming_rows" : "streaming_columns";
}

class HotspotCase final : public Case {
 public:
  explicit HotspotCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<HotspotInput>()),
        p_(input_->parameters()),
        stored_(stored_grid(setup.config, p_)),
        layout_(stored_, setup.integer("padding") == 1),
        weights_(weights_of(p_)),
        uses_flags_(uses_flags(setup, p_)),
        passes_(ceil_div(p_.steps, max_steps_per_launch(setup.config))),
        original_(allocate("temperature", Role::input)),
        power_(allocate("power", Role::input)) {
    const int max_steps = max_steps_per_launch(setup.config);
    if (p_.steps >= max_steps) stages_.push_back(stage_of(setup, max_steps, p_.steps / max_steps));
    if (p_.steps % max_steps != 0 && !uses_flags_)
      stages_.push_back(stage_of(setup, p_.steps % max_steps, 1));
    if (uses_flags_)
      team_words_ = workspace_.allocate<cl_uint>("team words", phase_claims + chunks(), Role::scratch);
    for (int i = 0; i < std::min(passes_, 2); ++i)
      grids_[i] = allocate(i == 0 ? "even output" : "odd output", Role::output);
  }

  void upload() override {
    upload(input_->temperature(), original_);
    upload(input_->power(), power_);
  }

  void launch(Launcher& launcher) override {
    launcher.batch([&] { uses_flags_ ? run_phases(launcher) : run_stages(launcher); });
  }

  void download() override {
    const Buffer<float>& result = grids_[(passes_ - 1) % 2];
    if (layout_.has_margins()) {
      Staging<float> floats;
      workspace_.download(result, floats);
      output_ = layout_.without_margins(floats);
    } else {
      workspace_.download(result, output_);
    }
    if (is_transposed()) output_ = transposed(output_, stored_.rows, stored_.cols);
  }

  [[nodiscard]] Check check() const override { return input_->check(output_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto cells = static_cast<double>(p_.cells());
    const double cell_steps = cells * p_.steps;
    return {{"step", 12 * cells * passes_, 11 * cell_steps, cell_steps},
            {"total", 12 * cells, 11 * cell_steps, cell_steps}};
  }

  void dump(DumpSink& sink) const override;

 private:
  // Launches of the same number of steps. With flags there is one stage, whose launches are phases of one
  // launch.
  struct Stage {
    Kernel kernel;
    LaunchRange range;
    int launches;
  };

  void run_stages(Launcher& launcher) {
    int done = 0;
    for (Stage& stage : stages_) {
      for (int i = 0; i < stage.launches; ++i, ++done) {
        const Buffer<float>& from = done == 0 ? original_ : grids_[(done - 1) % 2];
        launcher.run(stage.kernel, stage.range.global, stage.range.local, from, power_, grids_[done % 2],
                     rows(), cols(), stride(), weights(), offset());
      }
    }
  }

  void run_phases(Launcher& launcher) {
    Stage& stage = stages_.front();
    launcher.fill<cl_uint>(team_words_, 0);
    launcher.run(stage.kernel,
                 std::min<std::size_t>(chunks(), workspace_.device().capabilities.compute_units), 1,
                 original_, power_, grids_[0], grids_[1], team_words_, static_cast<cl_int>(p_.steps),
                 static_cast<cl_int>(stage.range.global.sizes[0]), static_cast<cl_int>(chunks()), rows(),
                 cols(), stride(), weights(), offset());
  }

  // With flags.
  [[nodiscard]] std::size_t chunks() const {
    const Range& strips_and_bands = stages_.front().range.global;
    return strips_and_bands.sizes[0] * strips_and_bands.sizes[1];
  }

  // Kernel arguments.
  [[nodiscard]] cl_int rows() const { return static_cast<cl_int>(stored_.rows); }
  [[nodiscard]] cl_int cols() const { return static_cast<cl_int>(stored_.cols); }
  [[nodiscard]] cl_int stride() const { return static_cast<cl_int>(layout_.stride); }
  [[nodiscard]] cl_float offset() const { return static_cast<cl_float>(weights_.offset); }
  [[nodiscard]] cl_float4 weights() const {
    cl_float4 weights = {{weights_.own, weights_.vertical, weights_.horizontal, weights_.gain}};
    if (is_transposed()) std::swap(weights.s[1], weights.s[2]);
    return weights;
  }

  Stage stage_of(const Setup& setup, int steps, int launches) {
    const Lanes lanes = lanes_of(setup.config, setup.device().capabilities);
    const Geometry geometry = geometry_of(setup.config, steps, lanes);
    Macros macros = setup.macros();
    macros.define("LEFT", static_cast<std::int64_t>(layout_.left));
    define_strips(macros, geometry, steps, lanes);
    macros.allow_inter_group_sync(uses_flags_);
    return {setup.kernel(uses_flags_ ? "streaming_phases" : function_of(setup.config), "step", macros),
            range_of(geometry, setup.config, stored_), launches};
  }

  void upload(const std::vector<float>& grid, const Buffer<float>& to) {
    std::vector<float> turned;
    if (is_transposed()) turned = transposed(grid, p_.rows, p_.cols);
    const std::vector<float>& stored = is_transposed() ? turned : grid;
    layout_.has_margins() ? workspace_.upload(layout_.with_margins(stored), to)
                          : workspace_.upload(stored, to);
  }

  [[nodiscard]] bool is_transposed() const { return stored_.cols != p_.cols; }

  Buffer<float> allocate(const std::string& name, Role role) {
    return workspace_.allocate<float>(name, layout_.floats(), role);
  }

  Workspace& workspace_;
  std::shared_ptr<const HotspotInput> input_;
  const Parameters& p_;
  Parameters stored_;
  Layout layout_;
  Weights weights_;
  bool uses_flags_;
  int passes_;  // from one grid to another, with several steps each
  Buffer<float> original_, power_, grids_[2];
  Buffer<cl_uint> team_words_;
  std::vector<Stage> stages_;
  std::vector<float> output_;
};

void HotspotCase::dump(DumpSink& sink) const {
  sink.array("temperature", std::span<const float>(input_->temperature()), {p_.rows, p_.cols});
  sink.array("power", std::span<const float>(input_->power()), {p_.rows, p_.cols});
  sink.array("output", std::span<const float>(output_), {p_.rows, p_.cols});
  const Constants constants = constants_of(p_);
  sink.note("chip_height", constants.chip_height);
  sink.note("chip_width", constants.chip_width);
  sink.note("thickness", constants.thickness);
  sink.note("ambient", constants.ambient);
  sink.note("max_power_density", constants.max_power_density);
  sink.note("precision", constants.precision);
  sink.note("specific_heat", constants.specific_heat);
  sink.note("conductivity", constants.conductivity);
  sink.note("capacitance_factor", constants.capacitance_factor);
}

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<HotspotCase>(setup);
}

}  // namespace dwarfsweep::hotspot
