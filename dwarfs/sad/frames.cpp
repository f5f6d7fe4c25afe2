#include "dwarfs/sad/frames.hpp"

#include <fmt/format.h>

#include "harness/device/host.hpp"
#include "harness/formats/pgm.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::sad {
namespace {

Frames empty_frames(const Problem& problem) {
  Frames frames{problem.integer("rows"), problem.integer("cols"), problem.integer("search"), {}, {}};
  require_host_memory(fmt::format("sad: frames of {} x {} and {} x {} sums for each block", frames.rows,
                                  frames.cols, frames.search, frames.search),
                      static_cast<std::uint64_t>(2 * frames.rows * frames.cols) + 2 * frames.sums());
  return frames;
}

std::vector<std::uint8_t> bytes_of(const GreyImage& image, const std::string& file) {
  if (image.maxval > 255) {
    throw InputError(file, "",
                     fmt::format("sad needs pixels of one byte, and white is {} here", image.maxval));
  }
  return {image.pixels.begin(), image.pixels.end()};
}

}  // namespace

std::shared_ptr<const SadInput> generate_frames(const Problem& problem, std::uint64_t seed) {
  Frames frames = empty_frames(problem);
  for (auto* frame : {&frames.current, &frames.reference}) {
    frame->resize(static_cast<std::size_t>(frames.rows * frames.cols));
    Random(seed_of_part(seed, frame == &frames.current ? 0 : 1)).fill_bytes(*frame);
  }
  return std::make_shared<SadInput>(std::move(frames));
}

Loaded load_frames(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files(info.name, info.input_formats, files, 2);
  ValueMap values = request;
  std::vector<std::uint8_t> pixels[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const GreyImage image = read_pgm(files[i]);
    values = with_found(info.name, values, "rows", image.rows, files[i]);
    values = with_found(info.name, values, "cols", image.cols, files[i]);
    pixels[i] = bytes_of(image, files[i]);
  }
  Problem problem = make_problem(info.name, info.keys, {"file", values});
  Frames frames = empty_frames(problem);
  frames.current = std::move(pixels[0]);
  frames.reference = std::move(pixels[1]);
  return {std::move(problem), std::make_shared<SadInput>(std::move(frames))};
}

}  // namespace dwarfsweep::sad
