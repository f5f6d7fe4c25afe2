#include "dwarfs/srad/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <vector>

#include "dwarfs/sync.hpp"

namespace dwarfsweep::srad {
namespace {

constexpr std::size_t max_sums = 1024;      // of `region_sums`; a fused step makes one per work-group
constexpr std::size_t widest_strip = 1024;  // a few rows of it fit a first-level cache
constexpr std::size_t left_margin = 16;     // LEFT in the kernels
constexpr std::size_t phase_claims = 32;    // PHASE_CLAIMS in the kernels
constexpr std::size_t margins = 16 + 48;    // three vectors of 16 behind a row's pixels

// How an image lies in device memory.
struct Layout {
  Layout(const Parameters& p, bool padded)
      : rows(p.rows),
        cols(p.cols),
        stride(padded ? round_up(cols + margins, 16) : cols),
        left(padded ? left_margin : 0) {}

  [[nodiscard]] std::size_t cells() const { return rows * stride; }

  std::size_t rows, cols, stride, left;
};

// What all variants share: the image's transfers, the statistics, the check.
class SradCase : public Case {
 public:
  explicit SradCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input),
        p_(input_->parameters()),
        layout_(p_, setup.config.integer("padding") == 1),
        edge_(static_cast<std::size_t>(setup.config.integer("work_group"))),
        granularity_(static_cast<std::size_t>(setup.config.integer("granularity"))),
        width_(static_cast<std::size_t>(setup.config.integer("vector_width"))),
        strip_(setup.config.string("variant") == "fused_rows"
                   ? std::min(round_up(p_.cols, width_), widest_strip)
                   : width_),
        speckle_group_(std::min<std::size_t>(
            max_group, std::bit_floor(workspace_.device().capabilities.work_group_items))),
        statistics_group_(workspace_.device().type == "cpu" ? 1 : speckle_group_),
        region_groups_(std::min(p_.region.bottom - p_.region.top, max_sums)),
        space_(setup.space),
        options_(options_of(setup.config, strip_, sums_next())),
        original_(allocate_image("image", Role::input)),
        speckle_(workspace_.allocate<float>("speckle", 3, Role::scratch)),
        region_sums_(statistics_kernel("region_sums")),
        region_speckle_(statistics_kernel("region_speckle")) {}

  void upload() override {
    std::vector<float> cells(layout_.cells());
    for (std::size_t row = 0; row < layout_.rows; ++row) {
      const float* pixels = input_->image().data() + row * layout_.cols;
      float* target = cells.data() + row * layout_.stride;
      std::fill_n(target, layout_.left, pixels[0]);
      std::copy_n(pixels, layout_.cols, target + layout_.left);
      std::fill(target + layout_.left + layout_.cols, target + layout_.stride, pixels[layout_.cols - 1]);
    }
    workspace_.upload(cells, original_);
  }

  void download() override {
    std::vector<float> cells;
    workspace_.download(result(), cells);
    output_.resize(p_.pixels());
    for (std::size_t row = 0; row < layout_.rows; ++row) {
      std::copy_n(cells.data() + row * layout_.stride + layout_.left, layout_.cols,
                  output_.data() + row * layout_.cols);
    }
  }

  [[nodiscard]] Check check() const override { return input_->check(output_); }
  void dump(DumpSink& sink) const override;

 protected:
  [[nodiscard]] virtual const Buffer<float>& result() const = 0;

  /// Where the region is the whole image a fused step sums the next one.
  [[nodiscard]] bool sums_next() const { return p_.region.pixels() == p_.pixels(); }
  [[nodiscard]] double pixel_iterations() const {
    return static_cast<double>(p_.pixels()) * static_cast<double>(p_.iterations);
  }
  [[nodiscard]] Work statistics_work(double times) const {
    const double pixels = static_cast<double>(p_.region.pixels()) * times;
    return {"statistics", 4 * pixels, 4 * pixels, pixels};
  }
  [[nodiscard]] Work total_work() const {
    return {"total", 8 * pixel_iterations(), 44 * pixel_iterations(), pixel_iterations()};
  }

  [[nodiscard]] cl_int rows() const { return static_cast<cl_int>(p_.rows); }
  [[nodiscard]] cl_int cols() const { return static_cast<cl_int>(p_.cols); }
  [[nodiscard]] cl_int stride() const { return static_cast<cl_int>(layout_.stride); }
  [[nodiscard]] cl_float gain() const { return static_cast<cl_float>(p_.lambda / 4); }

  Buffer<float> allocate_image(const std::string& name, Role role) {
    return workspace_.allocate<float>(name, layout_.cells(), role);
  }
  Kernel kernel(const std::string& function, const std::string& name) {
    return workspace_.kernel("srad/srad", options_, function, name);
  }

  /// `count` pairs, or more where the region's groups are more.
  void allocate_sums(std::size_t count) {
    sums_ = workspace_.allocate<cl_float2>("sums", std::max(count, region_groups_), Role::scratch);
  }
  void run_statistics(Launcher& launcher, const Buffer<float>& image) {
    const cl_int4 region = {{static_cast<cl_int>(p_.region.top), static_cast<cl_int>(p_.region.bottom),
                             static_cast<cl_int>(p_.region.left), static_cast<cl_int>(p_.region.right)}};
    launcher.run(region_sums_, region_groups_ * statistics_group_, statistics_group_, image, sums_, rows(),
                 stride(), region, input_->shift());
    run_speckle(launcher, region_groups_);
  }
  void run_speckle(Launcher& launcher, std::size_t count) {
    launcher.run(region_speckle_, speckle_group_, speckle_group_, sums_, speckle_, static_cast<cl_int>(count),
                 static_cast<cl_float>(p_.region.pixels()), input_->shift());
  }

  Workspace& workspace_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::shared_ptr<const SradInput> input_;
  const Parameters& p_;
  Layout layout_;
  std::size_t edge_, granularity_, width_, strip_, speckle_group_, statistics_group_, region_groups_;
  const Space& space_;
  std::string options_;
  Buffer<float> original_, speckle_;
  Buffer<cl_float2> sums_;

 private:
  [[nodiscard]] std::string options_of(const Config& config, std::size_t strip, bool sum_next) const {
    return to_build_options(space_, config) +
           fmt::format(
               " -D STRIP={} -D SUM_NEXT={} -D STREAMED={} -D STATISTICS_GROUP={} -D SPECKLE_GROUP={}", strip,
               sum_next ? 1 : 0, streams(config) ? 1 : 0, statistics_group_, speckle_group_);
  }
  /// Two images that the caches do not hold are stored past them.
  [[nodiscard]] bool streams(const Config& config) const {
    if (config.string("variant") != "fused_rows") return false;
    if (config.string("stores") != "auto") return config.string("stores") == "streamed";
    const DeviceInfo& device = workspace_.device();
    return !device.capabilities.is_gpu && 2 * layout_.cells() * sizeof(float) > device.global_cache_bytes;
  }
  /// Of all that a point chooses, only the layout matters to these: points share one program, built once.
  Kernel statistics_kernel(const std::string& function) {
    const Config config = space_.baseline().with("padding", layout_.left > 0 ? 1 : 0);
    return workspace_.kernel("srad/srad", options_of(config, 1, false), function, "statistics");
  }

  Kernel region_sums_, region_speckle_;
  std::vector<float> output_;
};

// A plain-text PGM of the output, for looking at.
std::string picture_of(const std::vector<float>& output, std::size_t rows, std::size_t cols) {
  std::string text = fmt::format("P2\n{} {}\n255\n", cols, rows);
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double grey = std::clamp(255 * std::log(static_cast<double>(output[i])), 0.0, 255.0);
    fmt::format_to(std::back_inserter(text), "{}{}", std::lround(grey), (i + 1) % cols == 0 ? '\n' : ' ');
  }
  return text;
}

void SradCase::dump(DumpSink& sink) const {
  sink.array("image", std::span<const float>(input_->image()), {p_.rows, p_.cols});
  sink.array("output", std::span<const float>(output_), {p_.rows, p_.cols});
  sink.text("output.pgm", picture_of(output_, p_.rows, p_.cols));
}

// The two passes in kernels of their own, branches and halo.
class TwoPassCase final : public SradCase {
 public:
  explicit TwoPassCase(const Setup& setup)
      : SradCase(setup),
        image_(allocate_image("output", Role::output)),
        differences_(workspace_.allocate<float>("differences", 4 * layout_.cells(), Role::scratch)),
        coefficients_(allocate_image("coefficients", Role::scratch)),
        diffusion_1_(kernel(setup.config.string("variant") + "_diffusion_1", "diffusion_1")),
        diffusion_2_(kernel(setup.config.string("variant") + "_diffusion_2", "diffusion_2")) {
    allocate_sums(0);
  }

  void reset() override { workspace_.copy(original_, image_); }

  void launch(Launcher& launcher) override {
    const Range group(edge_ / width_, edge_ / granularity_);
    const Range items(ceil_div(p_.cols, edge_) * group.sizes[0], ceil_div(p_.rows, edge_) * group.sizes[1]);
    const auto plane = static_cast<cl_ulong>(layout_.cells());
    for (int i = 0; i < p_.iterations; ++i) {
      run_statistics(launcher, image_);
      launcher.run(diffusion_1_, items, group, image_, differences_, coefficients_, speckle_, rows(), cols(),
                   stride(), plane);
      launcher.run(diffusion_2_, items, group, image_, differences_, coefficients_, rows(), cols(), stride(),
                   plane, gain());
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const double pixels = pixel_iterations();
    return {statistics_work(p_.iterations),
            {"diffusion_1", 24 * pixels, 31 * pixels, pixels},
            {"diffusion_2", 28 * pixels, 9 * pixels, pixels},
            total_work()};
  }

 private:
  [[nodiscard]] const Buffer<float>& result() const override { return image_; }

  Buffer<float> image_, differences_, coefficients_;
  Kernel diffusion_1_, diffusion_2_;
};

// Steps in one kernel, from one image to another; by flags all of them in one launch.
class FusedCase final : public SradCase {
 public:
  explicit FusedCase(const Setup& setup)
      : SradCase(setup),
        along_rows_(setup.config.string("variant") == "fused_rows"),
        columns_(ceil_div(p_.cols, along_rows_ ? strip_ : width_)),
        bands_(ceil_div(p_.rows, granularity_)),
        uses_flags_(uses_flags(setup)),
        diffusion_(kernel(uses_flags_   ? "fused_steps"
                          : along_rows_ ? "fused_rows"
                                        : "fused_columns",
                          "diffusion")) {
    for (int i = 0; i < std::min(p_.iterations, 2); ++i) {
      images_[i] = allocate_image(i == 0 ? "even output" : "odd output", Role::output);
    }
    allocate_sums(groups());
    if (uses_flags_) {
      crew_ = workspace_.allocate<cl_uint>("crew", phase_claims + groups(), Role::scratch);
    }
  }

  void reset() override {
    if (uses_flags_) workspace_.fill<cl_uint>(crew_, 0);
  }

  void launch(Launcher& launcher) override {
    if (uses_flags_) return launch_all_steps(launcher);
    const std::size_t items = edge_ * edge_;
    const Range group = along_rows_ ? Range(1, items) : Range(items, 1);
    const Range global(round_up(columns_, group.sizes[0]), round_up(bands_, group.sizes[1]));
    run_statistics(launcher, original_);
    for (int i = 0; i < p_.iterations; ++i) {
      const Buffer<float>& from = i == 0 ? original_ : images_[(i - 1) % 2];
      if (i > 0 && sums_next()) run_speckle(launcher, groups());
      if (i > 0 && !sums_next()) run_statistics(launcher, from);
      launcher.run(diffusion_, global, group, from, images_[i % 2], speckle_, sums_, rows(), cols(), stride(),
                   gain(), input_->shift());
    }
  }

  [[nodiscard]] std::vector<Work> work() const override {
    const double pixels = pixel_iterations();
    if (uses_flags_) {
      const Work first = statistics_work(1);
      return {{"diffusion", 8 * pixels + first.bytes, 44 * pixels + first.operations, pixels}, total_work()};
    }
    return {statistics_work(sums_next() ? 1 : p_.iterations),
            {"diffusion", 8 * pixels, (sums_next() ? 44 : 40) * pixels, pixels},
            total_work()};
  }

 private:
  static bool uses_flags(const Setup& setup) {
    const Parameters& p = setup.input->parameters();
    return setup.config.string("variant") == "fused_rows" && setup.config.integer("work_group") == 1 &&
           p.region.pixels() == p.pixels() &&
           groups_wait(setup.workspace.device(), setup.config.string("sync"));
  }
  void launch_all_steps(Launcher& launcher) {
    launcher.run(diffusion_, std::min<std::size_t>(groups(), workspace_.device().capabilities.compute_units),
                 1, original_, images_[0], images_[p_.iterations > 1 ? 1 : 0], speckle_, sums_, crew_,
                 static_cast<cl_uint>(p_.iterations), static_cast<cl_uint>(columns_),
                 static_cast<cl_uint>(groups()), rows(), cols(), stride(), gain(), input_->shift());
  }
  [[nodiscard]] const Buffer<float>& result() const override { return images_[(p_.iterations - 1) % 2]; }
  [[nodiscard]] std::size_t groups() const {
    const std::size_t items = edge_ * edge_;
    return along_rows_ ? columns_ * ceil_div(bands_, items) : ceil_div(columns_, items) * bands_;
  }

  bool along_rows_;
  std::size_t columns_, bands_;  // work-items that have something to do, in each direction
  bool uses_flags_;
  Buffer<float> images_[2];
  Buffer<cl_uint> crew_;
  Kernel diffusion_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  if (is_fused(setup.config.string("variant"))) return std::make_unique<FusedCase>(setup);
  return std::make_unique<TwoPassCase>(setup);
}

}  // namespace dwarfsweep::srad
