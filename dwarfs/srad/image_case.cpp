#include "dwarfs/srad/image_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "dwarfs/long_rows.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::srad {

namespace {

constexpr std::size_t left_margin = 16;
constexpr std::size_t margins = left_margin + 3 * 16;  // three vectors of 16 behind a row's pixels

}  // namespace

Parameters stored_image(const std::string& variant, const Parameters& p) {
  if (variant != "fused_rows" || !has_short_rows(p.rows, p.cols)) return p;
  const Region& region = p.region;
  return {p.cols, p.rows, p.iterations, p.lambda, {region.left, region.right, region.top, region.bottom}};
}

Layout::Layout(const Parameters& p, bool padded)
    : rows(p.rows),
      cols(p.cols),
      stride(padded ? round_up(cols + margins, 16) : cols),
      left(padded ? left_margin : 0) {}

Staging<float> Layout::cells_of(const std::vector<float>& image) const {
  Staging<float> result(cells());
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    const float* pixels = image.data() + row * cols;
    float* target = result.data() + row * stride;
    std::fill_n(target, left, pixels[0]);
    std::copy_n(pixels, cols, target + left);
    std::fill(target + left + cols, target + stride, pixels[cols - 1]);
  }
  return result;
}

std::vector<float> Layout::image_of(const Staging<float>& cells) const {
  std::vector<float> image(rows * cols);
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(cells.data() + row * stride + left, cols, image.data() + row * cols);
  return image;
}

namespace {

// The most groups of `region_sums`. The groups of a fused step, which write a pair of sums each, may be more.
constexpr std::size_t max_groups = 1024;

std::size_t speckle_group(const DeviceInfo& device) {
  return std::min<std::size_t>(max_statistics_group, std::bit_floor(device.capabilities.work_group_items));
}

std::size_t sums_group(const DeviceInfo& device) {
  return device.type == "cpu" ? 1 : speckle_group(device);
}

// These depend only on a point's layout: the points of one layout share a program, built once.
Kernel statistics_kernel(const Setup& setup, const Layout& layout, const std::string& function) {
  const Config config = setup.space.baseline().with("padding", layout.left > 0 ? 1 : 0);
  return setup.kernel(function, "statistics", macros_of(setup, config, {}));
}

}  // namespace

Macros macros_of(const Setup& setup, const Config& config, const ProgramChoices& choices) {
  const Layout layout(setup.input<SradInput>()->parameters(), config.integer("padding") == 1);
  const auto integer = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  return Macros(setup.space, config)
      .define("LEFT", integer(layout.left))
      .define("STRIP", integer(choices.strip))
      .define("SUM_NEXT", choices.sum_next ? 1 : 0)
      .define("STREAMED", choices.streamed ? 1 : 0)
      .define("STATISTICS_GROUP", integer(sums_group(setup.device())))
      .define("SPECKLE_GROUP", integer(speckle_group(setup.device())));
}

Statistics::Statistics(const Setup& setup, const Layout& layout, const Parameters& p)
    : workspace_(setup.workspace),
      input_(setup.input<SradInput>()),
      p_(p),
      layout_(layout),
      sums_group_(sums_group(workspace_.device())),
      speckle_group_(speckle_group(workspace_.device())),
      region_groups_(std::min(p_.region.bottom - p_.region.top, max_groups)),
      speckle_(workspace_.allocate<float>("speckle", 4, Role::scratch)),
      region_sums_(statistics_kernel(setup, layout, "region_sums")),
      region_speckle_(statistics_kernel(setup, layout, "region_speckle")) {}

void Statistics::allocate_sums(std::size_t count) {
  sums_ = workspace_.allocate<cl_float2>("sums", std::max(count, region_groups_), Role::scratch);
}

void Statistics::reset() {
  workspace_.fill<float>(speckle_, input_->shift());
}

void Statistics::run(Launcher& launcher, const Buffer<float>& image) {
  const Region& region = p_.region;
  const cl_int4 ends = {{static_cast<cl_int>(region.top), static_cast<cl_int>(region.bottom),
                         static_cast<cl_int>(region.left), static_cast<cl_int>(region.right)}};
  launcher.run(region_sums_, region_groups_ * sums_group_, sums_group_, image, sums_,
               static_cast<cl_int>(layout_.rows), static_cast<cl_int>(layout_.stride), ends, speckle_);
  run_speckle(launcher, region_groups_);
}

void Statistics::run_speckle(Launcher& launcher, std::size_t count) {
  launcher.run(region_speckle_, speckle_group_, speckle_group_, sums_, speckle_, static_cast<cl_int>(count),
               static_cast<cl_float>(p_.region.pixels()));
}

Work Statistics::work(double times) const {
  const double pixels = static_cast<double>(p_.region.pixels()) * times;
  return {"statistics", 4 * pixels, 4 * pixels, pixels};
}

namespace {

// A plain-text PGM of the output, for looking at.
std::string picture_of(const std::vector<float>& output, std::size_t rows, std::size_t cols) {
  std::string text = fmt::format("P2\n{} {}\n255\n", cols, rows);
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double grey = std::clamp(255 * std::log(static_cast<double>(output[i])), 0.0, 255.0);
    text += std::to_string(std::lround(grey)) + ((i + 1) % cols == 0 ? '\n' : ' ');
  }
  return text;
}

}  // namespace

ImageCase::ImageCase(const Setup& setup)
    : workspace_(setup.workspace),
      input_(setup.input<SradInput>()),
      p_(stored_image(setup.string("variant"), input_->parameters())),
      layout_(p_, setup.integer("padding") == 1),
      edge_(setup.size("work_group")),
      granularity_(setup.size("granularity")),
      width_(setup.size("vector_width")),
      statistics_(setup, layout_, p_),
      original_(allocate_image("image", Role::input)) {}

void ImageCase::upload() {
  const Parameters& p = input_->parameters();
  std::vector<float> turned;
  if (is_transposed()) turned = transposed(input_->image(), p.rows, p.cols);
  const std::vector<float>& image = is_transposed() ? turned : input_->image();
  layout_.has_margins() ? workspace_.upload(layout_.cells_of(image), original_)
                        : workspace_.upload(image, original_);
}

void ImageCase::download() {
  if (layout_.has_margins()) {
    Staging<float> cells;
    workspace_.download(result(), cells);
    output_ = layout_.image_of(cells);
  } else {
    workspace_.download(result(), output_);
  }
  if (is_transposed()) output_ = transposed(output_, p_.rows, p_.cols);
}

double ImageCase::pixel_iterations() const {
  return static_cast<double>(p_.pixels()) * static_cast<double>(p_.iterations);
}

Work ImageCase::total_work() const {
  return {"total", 8 * pixel_iterations(), 44 * pixel_iterations(), pixel_iterations()};
}

Buffer<float> ImageCase::allocate_image(const std::string& name, Role role) {
  return workspace_.allocate<float>(name, layout_.cells(), role);
}

void ImageCase::dump(DumpSink& sink) const {
  const Parameters& p = input_->parameters();
  sink.array("image", std::span<const float>(input_->image()), {p.rows, p.cols});
  sink.array("output", std::span<const float>(output_), {p.rows, p.cols});
  sink.text("output.pgm", [this, p] { return picture_of(output_, p.rows, p.cols); });
}

std::unique_ptr<Case> make_case(const Setup& setup) {
  const std::string& variant = setup.string("variant");
  return variant == "fused" || variant == "fused_rows" ? make_fused_case(setup) : make_two_pass_case(setup);
}

}  // namespace dwarfsweep::srad
