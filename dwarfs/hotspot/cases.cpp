// The host side of kernels_cl/hotspot/hotspot.cl: layout in memory, launches, transfers.
#include "dwarfs/hotspot/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/status.hpp"

namespace dwarfsweep::hotspot {
namespace {

constexpr std::size_t left_margin = 16;   // LEFT in the kernels
constexpr std::size_t margins = 16 + 16;  // and a vector behind a row's cells

// How a grid lies in device memory.
struct Layout {
  Layout(const Parameters& p, bool padded)
      : rows(p.rows),
        cols(p.cols),
        stride(padded ? round_up(cols, 16) + margins : cols),
        left(padded ? left_margin : 0) {}

  [[nodiscard]] std::size_t cells() const { return rows * stride; }

  std::size_t rows, cols, stride, left;
};

struct Geometry {
  Range global, local;
};

std::size_t axis_of(const Config& config, const char* name) {
  return static_cast<std::size_t>(config.integer(name));
}

// Of a launch that makes `steps` steps.
Geometry geometry_of(const Config& config, const Parameters& p, int steps, bool shuffle) {
  const std::size_t group = axis_of(config, "work_group");
  const std::size_t rows_each = axis_of(config, "granularity");
  const std::size_t width = axis_of(config, "vector_width");
  if (config.string("variant") != "streaming") {
    const std::size_t lost = config.string("variant") == "pyramid" ? 2 * static_cast<std::size_t>(steps) : 0;
    const Range local(group / width, group / rows_each);
    return {Range(ceil_div(p.cols, group - lost) * local.sizes[0],
                  ceil_div(p.rows, group - lost) * local.sizes[1]),
            local};
  }
  const std::size_t bands = ceil_div(p.rows, rows_each);
  if (group == 1) return {Range(ceil_div(p.cols, axis_of(config, "strip")), bands), Range(1, 1)};
  const std::int64_t items = strip_items(config, shuffle);
  const auto stored = static_cast<std::size_t>(stored_columns(items, config.integer("vector_width"), steps));
  const std::size_t all_items = ceil_div(p.cols, stored) * static_cast<std::size_t>(items);
  return {Range(round_up(all_items, group), bands), Range(group, 1)};
}

const char* function_of(const Config& config) {
  if (config.string("variant") == "single_step") return "single_step";
  if (config.string("variant") == "pyramid") return "pyramid";
  return config.integer("work_group") == 1 ? "streaming_rows" : "streaming_columns";
}

int max_steps_per_launch(const Config& config) {
  if (config.string("variant") == "single_step") return 1;
  return static_cast<int>(config.integer(config.string("variant") == "pyramid" ? "pyramid_height" : "depth"));
}

class HotspotCase final : public Case {
 public:
  explicit HotspotCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input),
        p_(input_->parameters()),
        layout_(p_, setup.config.integer("padding") == 1),
        weights_(weights_of(p_)),
        original_(allocate("temperature", Role::input)),
        power_(allocate("power", Role::input)) {
    const int most = max_steps_per_launch(setup.config);
    if (p_.steps >= most) stages_.push_back(stage_of(setup, most, p_.steps / most));
    if (p_.steps % most != 0) stages_.push_back(stage_of(setup, p_.steps % most, 1));
    for (const Stage& stage : stages_) launches_ += stage.launches;
    for (int i = 0; i < std::min(launches_, 2); ++i)
      grids_[i] = allocate(i == 0 ? "even output" : "odd output", Role::output);
  }

  void upload() override {
    upload_grid(input_->temperature(), original_);
    upload_grid(input_->power(), power_);
  }
  void reset() override {}

  void launch(Launcher& launcher) override {
    launcher.batch([&] { run_stages(launcher); });
  }

  void download() override {
    std::vector<float> cells;
    workspace_.download(grids_[(launches_ - 1) % 2], cells);
    output_.resize(p_.cells());
    for (std::size_t row = 0; row < layout_.rows; ++row) {
      std::copy_n(cells.data() + row * layout_.stride + layout_.left, layout_.cols,
                  output_.data() + row * layout_.cols);
    }
  }

  [[nodiscard]] Check check() const override { return input_->check(output_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto cells = static_cast<double>(p_.cells());
    const double cell_steps = cells * p_.steps;
    const double bytes = 12 * cells * launches_;
    return {{"step", bytes, 11 * cell_steps, cell_steps}, {"total", bytes, 11 * cell_steps, cell_steps}};
  }

  void dump(DumpSink& sink) const override;

 private:
  // Launches of the same number of steps.
  struct Stage {
    Kernel kernel;
    Geometry geometry;
    int launches;
  };

  void run_stages(Launcher& launcher) {
    const cl_float4 weights = {{weights_.own, weights_.vertical, weights_.horizontal, weights_.gain}};
    int done = 0;
    for (Stage& stage : stages_) {
      for (int i = 0; i < stage.launches; ++i, ++done) {
        const Buffer<float>& from = done == 0 ? original_ : grids_[(done - 1) % 2];
        launcher.run(stage.kernel, stage.geometry.global, stage.geometry.local, from, power_,
                     grids_[done % 2], static_cast<cl_int>(p_.rows), static_cast<cl_int>(p_.cols),
                     static_cast<cl_int>(layout_.stride), weights, static_cast<cl_float>(weights_.offset));
      }
    }
  }

  Stage stage_of(const Setup& setup, int steps, int launches) {
    const bool shuffle = setup.config.string("variant") == "streaming" && may_shuffle(setup.config) &&
                         setup.workspace.device().capabilities.inline_ptx;
    const std::string options = to_build_options(setup.space, setup.config) +
                                fmt::format(" -D LEVELS={} -D SHUFFLE={}", steps, shuffle ? 1 : 0);
    return {workspace_.kernel("hotspot/hotspot", options, function_of(setup.config), "step"),
            geometry_of(setup.config, p_, steps, shuffle), launches};
  }
  Buffer<float> allocate(const std::string& name, Role role) {
    return workspace_.allocate<float>(name, layout_.cells(), role);
  }
  void upload_grid(const std::vector<float>& grid, const Buffer<float>& to) {
    std::vector<float> cells(layout_.cells());
    for (std::size_t row = 0; row < layout_.rows; ++row) {
      const float* values = grid.data() + row * layout_.cols;
      float* target = cells.data() + row * layout_.stride + layout_.left;
      std::copy_n(values, layout_.cols, target);
      for (std::size_t i = 0; i < layout_.left; ++i) {
        const std::size_t turned = i % (2 * layout_.cols);
        const std::size_t at = std::min(turned, 2 * layout_.cols - 1 - turned);
        *(target - 1 - i) = values[at];
        target[layout_.cols + i] = values[layout_.cols - 1 - at];
      }
    }
    workspace_.upload(cells, to);
  }

  Workspace& workspace_;
  std::shared_ptr<const HotspotInput> input_;
  const Parameters& p_;
  Layout layout_;
  Weights weights_;
  Buffer<float> original_, power_, grids_[2];
  std::vector<Stage> stages_;
  int launches_ = 0;
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

std::int64_t stored_columns(std::int64_t items, std::int64_t width, std::int64_t steps) {
  return items * width - 2 * round_up(steps, width);
}

bool may_shuffle(const Config& config) {
  return config.string("exchange") != "local" && config.integer("work_group") % shuffling_lanes == 0;
}

std::int64_t strip_items(const Config& config, bool shuffle) {
  return shuffle ? shuffling_lanes : config.integer("work_group");
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (setup.config.string("exchange") == "shuffle" && setup.config.integer("work_group") > 1 &&
      !setup.workspace.device().capabilities.inline_ptx) {
    throw PointFailure(Status::unsupported,
                       "exchange=shuffle needs inline PTX, which only NVIDIA's driver has");
  }
  return std::make_unique<HotspotCase>(setup);
}

}  // namespace dwarfsweep::hotspot
