// crc's variant interleaved on a device: how the stream is cut into segments of rows, and its launches.
#include <algorithm>

#include "dwarfs/crc/case.hpp"
#include "dwarfs/crc/crc.hpp"
#include "dwarfs/crc/gf2.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::crc {
namespace {

// Work-items that read a row together where a segment is shared: 32 of them read at least 128 bytes at once,
// the width of a memory transaction on GPUs.
std::size_t lanes_of(const Capabilities& device, const Config& config) {
  return shares_segments(config, device)
             ? std::min<std::size_t>(32, static_cast<std::size_t>(config.integer("work_group")))
             : 1;
}

// How the stream is divided.
struct Segmentation {
  std::size_t rows = 32;     ///< per segment, a multiple of the unit
  std::size_t segments = 1;  ///< a multiple of the segments of a work-group
};

struct SegmentationRequest {
  std::size_t total_rows, segments_per_group, target_segments, compute_units;
  std::size_t unit;  ///< the rows that the first division leaves
};

Segmentation segmentation(const SegmentationRequest& request) {
  // With fewer than four times the rows that a division leaves, processing these costs as much as the others.
  // 32768: a loop over rows must stay below the 65,535 iterations that llvmpipe can do.
  const std::size_t unit = request.unit;
  const std::size_t min_rows = std::min(4 * unit, round_up(request.total_rows, unit));
  const std::size_t max_rows = 32768 / unit * unit;
  const std::size_t target =
      round_up(std::max(request.target_segments, request.compute_units * request.segments_per_group),
               request.segments_per_group);
  Segmentation result;
  result.rows = std::clamp(round_up(ceil_div(request.total_rows, target), unit), min_rows, max_rows);
  result.segments = round_up(ceil_div(request.total_rows, result.rows), request.segments_per_group);
  return result;
}

class InterleavedCase final : public CrcCase {
 public:
  explicit InterleavedCase(const Setup& setup)
      : CrcCase(setup),
        lanes_(lanes_of(setup.device().capabilities, setup.config)),
        width_(setup.size("vector_width")) {
    // Granularity 1 occupies the whole device: with as many work-items as a compute unit of a GPU can hold,
    // or a few per core, to balance the load of a CPU.
    const Capabilities& device = setup.device().capabilities;
    const std::size_t items = device.compute_units * std::size_t{device.is_gpu ? 2048U : 16U} / granularity_;
    segmentation_ = segmentation({ceil_div(padded_bytes(), row_bytes()), group_ / lanes_,
                                  std::max<std::size_t>(1, items / lanes_), device.compute_units,
                                  setup.string("divisor") == "sparse" ? std::size_t{300} : std::size_t{32}});
    declare_arrays(segmentation_.segments * segmentation_.rows * row_bytes());
    states_ = allocate_words("states", partials(), Role::scratch);
    word_weights_ = allocate_words("word weights", 32, Role::input);
    segment_weights_ = allocate_words("segment weights", segmentation_.segments, Role::input);
    compute_ = setup.kernel("compute_interleaved", "compute", macros(setup, lanes_));
    combine_ = setup.kernel("combine_states", "combine", macros(setup, lanes_));
  }

  void upload() override {
    ArrayCase::upload();
    std::vector<std::uint32_t> words(32);
    for (std::size_t i = 0; i < 32; ++i) words[i] = shift_by(4 * (32 - i));
    workspace().upload(words, word_weights_);

    const std::size_t segment_bytes = segmentation_.rows * row_bytes();
    const std::uint32_t per_segment = shift_by(segment_bytes);
    std::vector<std::uint32_t> segments(segmentation_.segments);
    std::uint32_t weight = shift_by(inverse_shift(segmentation_.segments * segment_bytes - bytes()));
    for (std::size_t i = segmentation_.segments; i-- > 0; weight = product(weight, per_segment))
      segments[i] = weight;
    workspace().upload(segments, segment_weights_);
  }

  void launch(Launcher& launcher) override {
    launcher.run(compute_, segmentation_.segments * lanes_, group_, stream_,
                 static_cast<cl_ulong>(padded_bytes() / (4 * width_)),
                 static_cast<cl_uint>(segmentation_.rows), states_);
    launcher.run(combine_, round_up(partials() / width_, combine_group_), combine_group_, states_,
                 static_cast<cl_ulong>(partials() / width_), word_weights_, segment_weights_, result_);
  }

 private:
  [[nodiscard]] std::size_t row_bytes() const { return 4 * width_ * lanes_; }
  [[nodiscard]] std::size_t partials() const override { return segmentation_.segments * 32; }

  std::size_t lanes_, width_;
  Segmentation segmentation_;
  Buffer<cl_uint> states_, word_weights_, segment_weights_;
  Kernel compute_, combine_;
};

}  // namespace

std::unique_ptr<Case> make_interleaved_case(const Setup& setup) {
  return std::make_unique<InterleavedCase>(setup);
}

}  // namespace dwarfsweep::crc
