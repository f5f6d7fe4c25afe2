// The frames of h264, and the check of what the search finds and of what the encoder makes of it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dwarfs/h264/encoder.hpp"
#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::h264 {

/// On the device a frame is a plane of bytes that continues beyond its border: by `margin` pixels above and
/// to the left, by at least as many below and to the right.
constexpr std::int64_t margin = 32;
constexpr std::int64_t margin_right = 64;  // vectors of offsets may end behind the last offset

struct Frames {
  std::int64_t rows = 0, cols = 0;  ///< as shown, both even
  std::int64_t search = 0;          ///< offsets in each direction, from -(search / 2) on
  std::int32_t lambda = 0;          ///< what a bit costs
  int qp = 0;
  bool predicts = false;  ///< vectors cost what they differ from that of the frame before
  std::vector<Picture> pictures;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(pictures.size()); }
  [[nodiscard]] std::int64_t across() const { return (cols + 15) / 16; }
  [[nodiscard]] std::int64_t macroblocks() const { return (rows + 15) / 16 * across(); }
  /// Vectors and costs of all frames but the first.
  [[nodiscard]] std::size_t results() const {
    return static_cast<std::size_t>((count() - 1) * macroblocks() * partitions);
  }
  [[nodiscard]] std::int64_t device_rows() const { return (rows + 15) / 16 * 16 + 2 * margin; }
  [[nodiscard]] std::int64_t device_pitch() const { return 16 * across() + margin + margin_right; }
};

/// Bits of a component of a vector that differs by `pixels` from its predictor: se(v) of quarters.
int bits_of(std::int64_t pixels);

/// What a search finds: [frame - 1][macroblock][partition], vectors as dy, dx.
struct Motion {
  std::vector<std::int16_t> vectors;
  std::vector<std::int32_t> costs;
};

/// The stream, and the shown samples of all pictures as a decoder has them.
struct Encoded {
  std::string stream;
  std::vector<std::uint8_t> planes[3];  ///< Y, Cb, Cr
};
Encoded encode(const Frames& frames, const Motion& motion);

/// The search again, another way: for each offset over whole frames.
Motion search_again(const Frames& frames);
/// That vectors and costs are equal, and that no picture is farther from its source than its quantiser
/// allows.
Check check_motion(const Frames& frames, const Motion& expected, const Motion& found, const Encoded& encoded);

class VideoInput final : public Input {
 public:
  explicit VideoInput(Frames frames) : frames_(std::move(frames)) {}

  [[nodiscard]] const Frames& frames() const { return frames_; }
  [[nodiscard]] Check check(const Motion& motion, const Encoded& encoded) const {
    std::call_once(searched_, [this] { expected_ = search_again(frames_); });
    return check_motion(frames_, expected_, motion, encoded);
  }

 private:
  Frames frames_;
  mutable std::once_flag searched_;
  mutable Motion expected_;
};

/// A texture whose left half moves by (1, 2) pixels from frame to frame and whose right half by (-2, 3), with
/// noise. Throws PointFailure.
std::shared_ptr<const VideoInput> generate_video(const Problem& problem, std::uint64_t seed);

/// Throws UsageError, InputError.
Loaded load_video(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::h264
