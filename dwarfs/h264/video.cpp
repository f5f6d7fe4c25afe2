#include "dwarfs/h264/video.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "harness/device/host.hpp"
#include "harness/formats/pgm.hpp"
#include "harness/formats/y4m.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::h264 {
namespace {

constexpr std::int64_t canvas_edge = 512;
constexpr std::uint64_t noise_levels = 5;

Frames empty_frames(const Problem& problem) {
  Frames frames;
  frames.rows = problem.integer("rows");
  frames.cols = problem.integer("cols");
  frames.search = problem.integer("search");
  frames.lambda = static_cast<std::int32_t>(problem.integer("lambda"));
  frames.qp = static_cast<int>(problem.integer("qp"));
  frames.predicts = problem.string("predictor") == "previous";
  for (const char* key : {"rows", "cols"}) {
    if (problem.integer(key) % 2 != 0)
      throw UsageError(
          fmt::format("h264: problem key '{}' is {}, but must be even", key, problem.integer(key)));
  }
  const std::int64_t count = problem.integer("frames");
  require_host_memory(fmt::format("h264: {} frames of {} x {}", count, frames.rows, frames.cols),
                      static_cast<std::uint64_t>(count * frames.rows * frames.cols * 3 / 2));
  return frames;
}

// From planes of the shown size; the last row and column are repeated beyond it.
Picture picture_of(const Frames& frames, const std::uint8_t* samples) {
  Picture picture;
  picture.rows = (frames.rows + 15) / 16 * 16;
  picture.cols = 16 * frames.across();
  for (int plane = 0; plane < 3; ++plane) {
    const std::int64_t rows = plane == 0 ? frames.rows : frames.rows / 2;
    const std::int64_t cols = plane == 0 ? frames.cols : frames.cols / 2;
    picture.planes[plane].reserve(static_cast<std::size_t>(picture.height(plane) * picture.pitch(plane)));
    for (std::int64_t y = 0; y < picture.height(plane); ++y) {
      for (std::int64_t x = 0; x < picture.pitch(plane); ++x)
        picture.planes[plane].push_back(samples[std::min(y, rows - 1) * cols + std::min(x, cols - 1)]);
    }
    samples += rows * cols;
  }
  return picture;
}

// Cells of random brightness, of several sizes: no place looks like another.
std::vector<std::uint8_t> texture(Random& random) {
  std::vector<std::uint8_t> canvas(canvas_edge * canvas_edge, 0);
  for (const std::int64_t cell : {2, 8, 32}) {
    const std::int64_t cells = canvas_edge / cell;
    std::vector<std::uint8_t> brightness(static_cast<std::size_t>(cells * cells));
    random.fill_bytes(brightness);
    for (std::int64_t i = 0; i < canvas_edge * canvas_edge; ++i) {
      const std::int64_t at = i / canvas_edge / cell * cells + i % canvas_edge / cell;
      canvas[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(
          canvas[static_cast<std::size_t>(i)] + brightness[static_cast<std::size_t>(at)] / 4);
    }
  }
  return canvas;
}

}  // namespace

int bits_of(std::int64_t pixels) {
  const auto number = static_cast<std::uint64_t>(pixels > 0 ? 8 * pixels - 1 : -8 * pixels);
  return 2 * std::bit_width(number + 1) - 1;
}

std::shared_ptr<const VideoInput> generate_video(const Problem& problem, std::uint64_t seed) {
  Frames frames = empty_frames(problem);
  Random random(seed);
  std::array<std::vector<std::uint8_t>, 3> canvases;
  for (auto& canvas : canvases) canvas = texture(random);
  const auto wrapped = [](std::int64_t place) { return ((place % canvas_edge) + canvas_edge) % canvas_edge; };
  for (std::int64_t f = 0; f < problem.integer("frames"); ++f) {
    std::vector<std::uint8_t> samples;
    for (int plane = 0; plane < 3; ++plane) {
      const std::int64_t rows = plane == 0 ? frames.rows : frames.rows / 2;
      const std::int64_t cols = plane == 0 ? frames.cols : frames.cols / 2;
      for (std::int64_t i = 0; i < rows * cols; ++i) {
        const std::int64_t unit = plane == 0 ? 1 : 2;
        const bool left = i % cols < cols / 2;
        const std::int64_t y = wrapped(i / cols + f * (left ? 1 : -2) / unit);
        const std::int64_t x = wrapped(i % cols + f * (left ? 2 : 3) / unit);
        samples.push_back(static_cast<std::uint8_t>(
            canvases[static_cast<std::size_t>(plane)][static_cast<std::size_t>(y * canvas_edge + x)] +
            random.next() % noise_levels));
      }
    }
    frames.pictures.push_back(picture_of(frames, samples.data()));
  }
  return std::make_shared<VideoInput>(std::move(frames));
}

// Frames without colour: both chroma planes are 128.
Video read_pgms(const std::string& dwarf, const std::vector<std::string>& files) {
  Video video;
  ValueMap size;
  for (const std::string& file : files) {
    const GreyImage image = read_pgm(file);
    if (image.maxval > 255) {
      throw InputError(file, "",
                       fmt::format("h264 needs pixels of one byte, and white is {} here", image.maxval));
    }
    video.rows = image.rows;
    video.cols = image.cols;
    size = with_found(dwarf, with_found(dwarf, size, "rows", image.rows, file), "cols", image.cols, file);
    std::vector<std::uint8_t> samples(image.pixels.begin(), image.pixels.end());
    samples.resize(samples.size() + 2 * static_cast<std::size_t>((image.rows / 2) * (image.cols / 2)), 128);
    video.frames.push_back(std::move(samples));
  }
  return video;
}

Loaded load_video(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  const bool single = files.size() < 2;
  if (single) require_files(info.name, info.input_formats, files, 1);
  const Video video = single ? read_y4m(files[0]) : read_pgms(info.name, files);
  ValueMap values = with_found(info.name, request, "rows", video.rows, files[0]);
  values = with_found(info.name, values, "cols", video.cols, files[0]);
  values = with_found(info.name, values, "frames", static_cast<std::int64_t>(video.frames.size()), files[0]);
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  Frames frames = empty_frames(problem);
  for (const auto& samples : video.frames) frames.pictures.push_back(picture_of(frames, samples.data()));
  return {std::move(problem), std::make_shared<VideoInput>(std::move(frames))};
}

Encoded encode(const Frames& frames, const Motion& motion) {
  Encoder encoder(frames.rows, frames.cols, frames.qp, frames.lambda);
  Encoded result;
  const auto of_frame = static_cast<std::size_t>(frames.macroblocks() * partitions);
  for (std::size_t f = 0; f < frames.pictures.size(); ++f) {
    if (f == 0) {
      encoder.add_first(frames.pictures[0]);
    } else {
      encoder.add(frames.pictures[f], std::span(motion.vectors).subspan(2 * (f - 1) * of_frame, 2 * of_frame),
                  std::span(motion.costs).subspan((f - 1) * of_frame, of_frame));
    }
    const Picture& picture = encoder.reconstruction();
    for (int plane = 0; plane < 3; ++plane) {
      for (std::int64_t y = 0; y < (plane == 0 ? frames.rows : frames.rows / 2); ++y) {
        const auto row = picture.planes[plane].begin() + y * picture.pitch(plane);
        result.planes[plane].insert(result.planes[plane].end(), row,
                                    row + (plane == 0 ? frames.cols : frames.cols / 2));
      }
    }
  }
  result.stream = encoder.stream();
  return result;
}

}  // namespace dwarfsweep::h264
