// Temperature of a chip over time (structured grid): the cases on a device, and what the dwarf tells of
// itself. The method is in kernels_cl/hotspot.cl, the reference in hotspot_reference.
//
// Work. Items are cell steps. A launch that makes one or more steps reads temperature and power once and
// writes temperature once, 12 bytes per cell; so variants that make several steps per launch have fewer
// bytes. A cell step is 11 operations as the folded formula at the head of the kernel file stands.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dwarfs/hotspot_reference.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/matrix.hpp"
#include "harness/host_memory.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

using hotspot::Constants;
using hotspot::HotspotInput;
using hotspot::Parameters;
using hotspot::Weights;

constexpr std::size_t left_margin = 16;   // LEFT in the kernels
constexpr std::size_t margins = 16 + 16;  // and a vector behind a row's cells
constexpr std::int64_t shuffling_lanes = 32;
constexpr std::int64_t default_strip = 256;

// --- the space ---

// Columns that a strip of `items` work-items stores: a column is lost per step, in whole vectors.
std::int64_t stored_columns(std::int64_t items, std::int64_t width, std::int64_t steps) {
  return items * width - 2 * rounded_up(steps, width);
}

bool may_shuffle(const Config& config) {
  return config.word("exchange") != "local" && config.integer("work_group") % shuffling_lanes == 0;
}

// Work-items that share a strip.
std::int64_t strip_items(const Config& config, bool shuffle) {
  return shuffle ? shuffling_lanes : config.integer("work_group");
}

void add_constraints(Space& space) {
  const auto streams = [](const Point& p) { return p.variant() == "streaming"; };
  space.constrain("a tile's edge is 8, 16, 32 or 64", [=](const Point& p) {
    return streams(p) || (p["work_group"] >= 8 && p["work_group"] <= 64);
  });
  space.constrain("a work-item cannot have more rows than the tile",
                  [=](const Point& p) { return streams(p) || p["granularity"] <= p["work_group"]; });
  space.constrain("a vector cannot be wider than the tile",
                  [=](const Point& p) { return streams(p) || p["vector_width"] <= p["work_group"]; });
  space.constrain("the loop over rows cannot be unrolled further than it runs",
                  [=](const Point& p) { return streams(p) || p["unroll"] <= p["granularity"]; });
  space.constrain(
      "a tile loses a cell on each side per step, and nothing of it would be left",
      [](const Point& p) { return p.variant() != "pyramid" || 2 * p["pyramid_height"] < p["work_group"]; });
  space.constrain("a strip stores at least 16 rows, fewer would hardly pay for those that it loads besides",
                  [=](const Point& p) { return !streams(p) || p["granularity"] >= 16; });
  space.constrain(
      "a strip loses a column on each side per step, and nothing of it would be left", [=](const Point& p) {
        return !streams(p) || p["work_group"] == 1 ||
               stored_columns(strip_items(p.config, may_shuffle(p.config)), p["vector_width"], p["depth"]) >
                   0;
      });
  space.constrain(
      "only the strip of a single work-item can be chosen: several have one vector each",
      [=](const Point& p) { return !streams(p) || p["work_group"] == 1 || p["strip"] == default_strip; });
  space.constrain(
      "a single work-item keeps whole rows in private memory, for which only CPUs have a cache",
      [=](const Point& p) { return !streams(p) || p["work_group"] > 1 || !p.limits.local_is_dedicated; });
  space.constrain("shuffles are among 32 work-items, whose multiple a group has to be", [=](const Point& p) {
    return !streams(p) || p.config.word("exchange") != "shuffle" || may_shuffle(p.config);
  });
}

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "single_step: a step per launch; pyramid: several in local memory; streaming: several in "
             "registers or private memory, marching down strips of columns",
             {"single_step", "pyramid", "streaming"},
             "single_step"})
      .axis({"work_group",
             "single_step, pyramid: edge of a tile; streaming: work-items of a group",
             {1, 8, 16, 32, 64, 128, 256},
             16})
      .axis({"granularity",
             "single_step, pyramid: rows per work-item; streaming: rows that a group stores",
             {1, 4, 16, 32, 64, 96, 128, 192, 256, 512, 1024},
             1})
      .axis({"vector_width", "neighbouring columns computed at once", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll",
             "of the loop over rows; streaming with one work-item: of the loop over vectors of a row",
             {1, 2, 4},
             1})
      .axis({"padding",
             "0: columns beyond the grid are found cell by cell; 1: rows are aligned and go on mirrored "
             "beside it",
             {0, 1},
             0})
      .axis({"pyramid_height", "the most steps per launch", {1, 2, 3, 4, 5, 6, 7, 8}, 1, {"pyramid"}})
      .axis({"depth", "the most steps per launch", {1, 2, 4, 6, 8, 12}, 4, {"streaming"}})
      .axis({"strip",
             "columns that a single work-item stores",
             {128, default_strip, 512, 1024},
             default_strip,
             {"streaming"}})
      .axis({"prefetch", "how many rows ahead of its use a row is loaded", {1, 2, 4}, 1, {"streaming"}})
      .axis({"exchange",
             "neighbouring columns through local memory, or by shuffles among 32 lanes, or (auto) so if "
             "possible",
             {"auto", "local", "shuffle"},
             "auto",
             {"streaming"}})
      .start("pyramid", {{"work_group", 16}, {"pyramid_height", 2}})
      .start("pyramid", {{"work_group", 32}, {"granularity", 4}, {"unroll", 4}, {"pyramid_height", 2}},
             has_dedicated_local)
      .start("streaming",
             {{"work_group", 1}, {"granularity", 128}, {"vector_width", 16}, {"padding", 1}, {"depth", 8}})
      .start("streaming",
             {{"work_group", 32},
              {"granularity", 128},
              {"vector_width", 4},
              {"unroll", 4},
              {"padding", 1},
              {"depth", 12},
              {"prefetch", 4}},
             has_dedicated_local);
  add_constraints(space);
  space.group_items([](const Point& p) {
    const std::int64_t items = p.variant() == "streaming"
                                   ? p["work_group"]
                                   : p["work_group"] * p["work_group"] / p["granularity"] / p["vector_width"];
    return static_cast<std::uint64_t>(items);
  });
  space.local_bytes([](const Point& p) -> std::uint64_t {
    const std::int64_t group = p["work_group"];
    if (p.variant() == "pyramid") return static_cast<std::uint64_t>(2 * group * (group + 2)) * sizeof(float);
    if (p.variant() == "streaming" && group > 1 && p.config.word("exchange") != "shuffle")
      return static_cast<std::uint64_t>(2 * 2 * p["depth"] * (group + 1)) * sizeof(float);
    return 0;
  });
  return space;
}

// --- the case ---

struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const HotspotInput> input;
};

// How a grid lies in device memory.
struct Layout {
  Layout(const Parameters& p, bool padded)
      : rows(p.rows),
        cols(p.cols),
        stride(padded ? rounded_up(cols, 16) + margins : cols),
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
  if (config.word("variant") != "streaming") {
    const std::size_t lost = config.word("variant") == "pyramid" ? 2 * static_cast<std::size_t>(steps) : 0;
    const Range local(group / width, group / rows_each);
    return {Range(divided_up(p.cols, group - lost) * local.sizes[0],
                  divided_up(p.rows, group - lost) * local.sizes[1]),
            local};
  }
  const std::size_t bands = divided_up(p.rows, rows_each);
  if (group == 1) return {Range(divided_up(p.cols, axis_of(config, "strip")), bands), Range(1, 1)};
  const std::int64_t items = strip_items(config, shuffle);
  const auto stored = static_cast<std::size_t>(stored_columns(items, config.integer("vector_width"), steps));
  const std::size_t all_items = divided_up(p.cols, stored) * static_cast<std::size_t>(items);
  return {Range(rounded_up(all_items, group), bands), Range(group, 1)};
}

const char* function_of(const Config& config) {
  if (config.word("variant") == "single_step") return "single_step";
  if (config.word("variant") == "pyramid") return "pyramid";
  return config.integer("work_group") == 1 ? "streaming_rows" : "streaming_columns";
}

int most_steps_per_launch(const Config& config) {
  if (config.word("variant") == "single_step") return 1;
  return static_cast<int>(config.integer(config.word("variant") == "pyramid" ? "pyramid_height" : "depth"));
}

class HotspotCase final : public Case {
 public:
  explicit HotspotCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input),
        p_(input_->parameters()),
        layout_(p_, setup.config.integer("padding") == 1),
        weights_(hotspot::weights_of(p_)),
        original_(allocate("temperature", Role::input)),
        power_(allocate("power", Role::input)) {
    const int most = most_steps_per_launch(setup.config);
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

  Stage stage_of(const Setup& setup, int steps, int launches) {
    const bool shuffle = setup.config.word("variant") == "streaming" && may_shuffle(setup.config) &&
                         setup.workspace.device().has_inline_ptx();
    const std::string options = to_build_options(setup.space, setup.config) +
                                fmt::format(" -D LEVELS={} -D SHUFFLE={}", steps, shuffle ? 1 : 0);
    return {workspace_.kernel("hotspot", options, function_of(setup.config), "step"),
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
  const Constants constants = hotspot::constants_of(p_);
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

// --- the dwarf ---

DwarfInfo make_info() {
  constexpr double most = 1 << 20;
  DwarfInfo info;
  info.name = "hotspot";
  info.title = "Temperature of a chip over time";
  info.pattern = "structured grid";
  info.kernels = {"step"};
  info.item = "cell steps";
  info.keys = {{"rows", "rows of the grid", 256, 1, most},
               {"cols", "columns of the grid", 256, 1, most},
               {"steps", "time steps", 24, 1, 1'000'000}};
  const auto square = [](int n) { return ValueMap{{"rows", n}, {"cols", n}}; };
  // Temperature, power and the next temperature: 48 KiB, 768 KiB, 12 MiB, 192 MiB. The paper's example, and
  // the grids that the classic program comes with.
  info.sizes = {{"tiny", square(64)},    {"small", square(256)}, {"medium", square(1024)},
                {"large", square(4096)}, {"paper", square(256)}, {"paper", square(512)},
                {"paper", square(1024)}};
  info.input_formats =
      "two files, temperature and power: a number per cell, row by row, no header; square, or as rows and "
      "cols say";
  return info;
}

void require_memory(const Parameters& p) {
  // The inputs, the expected and the actual output, and two grids of the reference.
  require_host_memory(fmt::format("hotspot: a grid of {} x {} and its check", p.rows, p.cols),
                      p.cells() * (4 * sizeof(float) + 2 * sizeof(double)));
}

class Hotspot final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    const Parameters p = hotspot::parameters_of(problem);
    require_memory(p);
    return hotspot::random_input(p, seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override;

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    if (config.word("exchange") == "shuffle" && config.integer("work_group") > 1 &&
        !workspace.device().has_inline_ptx()) {
      throw PointFailure(Status::unsupported,
                         "exchange=shuffle needs inline PTX, which only NVIDIA's driver has");
    }
    return std::make_unique<HotspotCase>(
        Setup{workspace, space_, config, std::static_pointer_cast<const HotspotInput>(loaded.input)});
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return hotspot::make_host_case(std::static_pointer_cast<const HotspotInput>(loaded.input), threads);
  }

  // The one setting that the text names: blocks of 16 x 16 that leave 4 x 4 after 6 steps, on 256 x 256
  // cells.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap problem{{"rows", 256}, {"cols", 256}};
    const auto setting = [&](const ValueMap& settings) {
      return PaperSetting{"performance_study_2008 Figure 6", problem, settings};
    };
    return {setting({{"variant", "single_step"}}),
            setting({{"variant", "pyramid"}, {"work_group", 16}, {"pyramid_height", 6}})};
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

Loaded Hotspot::load(const ValueMap& request, const std::vector<std::string>& files) const {
  require_files("hotspot", info_.input_formats, files, 2);
  std::optional<GridShape> shape;
  if (request.has("rows") && request.has("cols")) {
    const Parameters wanted = hotspot::parameters_of(make_problem(info_.name, info_.keys, {"file", request}));
    shape = {static_cast<std::int64_t>(wanted.rows), static_cast<std::int64_t>(wanted.cols)};
  }
  Matrix temperature = read_grid(files[0], shape);
  ValueMap values = with_found("hotspot", request, "rows", temperature.rows, files[0]);
  values = with_found("hotspot", values, "cols", temperature.cols, files[0]);
  Matrix power = read_grid(files[1], GridShape{temperature.rows, temperature.cols});
  Problem problem = make_problem(info_.name, info_.keys, {"file", values});
  const Parameters p = hotspot::parameters_of(problem);
  require_memory(p);
  return {std::move(problem),
          std::make_shared<HotspotInput>(p, std::move(temperature.values), std::move(power.values))};
}

}  // namespace

const Dwarf& hotspot_dwarf() {
  static const Hotspot dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
