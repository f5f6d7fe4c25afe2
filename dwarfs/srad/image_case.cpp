#include "dwarfs/srad/image_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/run/setup.hpp"

namespace dwarfsweep::srad {
namespace {

// A plain-text PGM of the output, for looking at.
std::string picture_of(const std::vector<float>& output, std::size_t rows, std::size_t cols) {
  std::string text = fmt::format("P2\n{} {}\n255\n", cols, rows);
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double grey = std::clamp(255 * std::log(static_cast<double>(output[i])), 0.0, 255.0);
    fmt::format_to(std::back_inserter(text), "{}{}", std::lround(grey), (i + 1) % cols == 0 ? '\n' : ' ');
  }
  return text;
}

}  // namespace

ImageCase::ImageCase(const Setup& setup)
    : workspace_(setup.workspace),
      input_(setup.input<SradInput>()),
      p_(input_->parameters()),
      layout_(p_, setup.integer("padding") == 1),
      edge_(setup.size("work_group")),
      granularity_(setup.size("granularity")),
      width_(setup.size("vector_width")),
      statistics_(setup, layout_),
      original_(allocate_image("image", Role::input)) {}

void ImageCase::upload() {
  workspace_.upload(layout_.cells_of(input_->image()), original_);
}

void ImageCase::download() {
  std::vector<float> cells;
  workspace_.download(result(), cells);
  output_ = layout_.image_of(cells);
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
  sink.array("image", std::span<const float>(input_->image()), {p_.rows, p_.cols});
  sink.array("output", std::span<const float>(output_), {p_.rows, p_.cols});
  sink.text("output.pgm", picture_of(output_, p_.rows, p_.cols));
}

}  // namespace dwarfsweep::srad
