#include "dwarfs/srad/input.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "harness/device/host.hpp"
#include "harness/formats/pgm.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::srad {

Parameters parameters_of(const Problem& problem) {
  const auto key = [&](const char* name) { return static_cast<std::size_t>(problem.integer(name)); };
  Parameters p;
  p.rows = key("rows");
  p.cols = key("cols");
  p.iterations = static_cast<int>(problem.integer("iterations"));
  p.lambda = problem.real("lambda");
  p.region = {key("roi_top"), key("roi_top") + key("roi_rows"), key("roi_left"),
              key("roi_left") + key("roi_cols")};
  if (p.region.top >= p.rows || p.region.left >= p.cols || p.region.bottom > p.rows ||
      p.region.right > p.cols) {
    throw UsageError(fmt::format(
        "srad: the region of interest, {} x {} pixels (0: all that follow) from row {}, column {} on, is "
        "not inside the image of {} x {}",
        key("roi_rows"), key("roi_cols"), p.region.top, p.region.left, p.rows, p.cols));
  }
  if (p.region.bottom == p.region.top) p.region.bottom = p.rows;
  if (p.region.right == p.region.left) p.region.right = p.cols;
  return p;
}

namespace {

void require_memory(const Parameters& p) {
  // The image, and the verification in double precision: the expected pixels, and those of a second reference
  // before and after a step, with its coefficients.
  require_host_memory(fmt::format("srad: an image of {} x {} and its check", p.rows, p.cols),
                      p.pixels() * (sizeof(float) + 4 * sizeof(double)));
}

// Rows are added in their order, however many threads sum them up.
template <typename T, typename ValueOf>
double mean_of(const std::vector<T>& image, const Parameters& p, const ValueOf& value_of) {
  std::vector<double> sums(p.region.bottom - p.region.top);
#pragma omp parallel for schedule(static)
  for (std::size_t row = p.region.top; row < p.region.bottom; ++row) {
    double sum = 0;
    for (std::size_t column = p.region.left; column < p.region.right; ++column)
      sum += value_of(static_cast<double>(image[row * p.cols + column]));
    sums[row - p.region.top] = sum;
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0) / static_cast<double>(p.region.pixels());
}

double itself(double value) {
  return value;
}

}  // namespace

double region_mean(const std::vector<float>& image, const Parameters& p) {
  return mean_of(image, p, itself);
}

double region_mean(const std::vector<double>& image, const Parameters& p) {
  return mean_of(image, p, itself);
}

double region_variance(const std::vector<double>& image, const Parameters& p, double mean) {
  return mean_of(image, p, [mean](double value) { return (value - mean) * (value - mean); });
}

SradInput::SradInput(const Parameters& parameters, std::vector<float> image)
    : parameters_(parameters),
      image_(std::move(image)),
      shift_(static_cast<float>(region_mean(image_, parameters))),
      verifier_(parameters_, image_) {}

std::shared_ptr<const SradInput> generate_image(const Parameters& parameters, std::uint64_t seed) {
  require_memory(parameters);
  constexpr std::size_t patch = 48;
  constexpr std::size_t levels_across = 64;
  std::vector<float> levels(levels_across * levels_across);
  Random(seed_of_part(seed, 1)).fill_uniform(levels, 1, 2);
  std::vector<float> image(parameters.pixels());
  Random(seed).fill_uniform(image, 0.5F, 1.5F);
  for (std::size_t row = 0; row < parameters.rows; ++row) {
    const float* level = levels.data() + row / patch % levels_across * levels_across;
    float* pixels = image.data() + row * parameters.cols;
    for (std::size_t column = 0; column < parameters.cols; ++column)
      pixels[column] *= level[column / patch % levels_across];
  }
  return std::make_shared<SradInput>(parameters, std::move(image));
}

Loaded load_image(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 1);
  GreyImage grey = read_pgm(files.front());
  ValueMap values = with_found(info.name, request, "rows", grey.rows, files.front());
  values = with_found(info.name, values, "cols", grey.cols, files.front());
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  const Parameters p = parameters_of(problem);
  require_memory(p);
  for (float& pixel : grey.pixels)
    pixel = static_cast<float>(std::exp(static_cast<double>(pixel) / static_cast<double>(grey.maxval)));
  return {std::move(problem), std::make_shared<SradInput>(p, std::move(grey.pixels))};
}

}  // namespace dwarfsweep::srad
