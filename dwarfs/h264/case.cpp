#include <algorithm>

#include "dwarfs/h264/h264.hpp"
#include "harness/formats/npy.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::h264 {
namespace {

std::size_t size(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

// A run is the whole encoder: frames to the device, the search, vectors and costs back, and on the host what
// follows, up to the stream.
class H264Case final : public Case {
 public:
  explicit H264Case(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<VideoInput>()),
        variant_(setup.string("variant")),
        group_(setup.size("work_group")),
        frames_per_launch_(setup.integer("frames_per_launch")),
        planes_(
            workspace_.allocate<cl_uchar>("frames", size(frames().count() * plane_bytes()), Role::scratch)),
        vectors_(workspace_.allocate<cl_short>("vectors", 2 * frames().results(), Role::output)),
        costs_(workspace_.allocate<cl_int>("costs", frames().results(), Role::output)) {
    const Macros macros = setup.macros()
                              .define("SEARCH", frames().search)
                              .define("PREDICTS", frames().predicts ? 1 : 0)
                              .define("FRAME_PITCH", frames().device_pitch())
                              .define("FRAME_ROWS", frames().device_rows())
                              .define("MARGIN", margin);
    if (variant_ == "three_kernels") {
      const std::int64_t most = std::min(frames_per_launch_, frames().count() - 1);
      sums_ = workspace_.allocate<cl_ushort>("sums", size(most * sums_of_frame()), Role::scratch);
      sad4_ = setup.kernel("sad4", "sad4", macros);
      larger_ = setup.kernel("larger", "larger", macros);
      choose_ = setup.kernel("choose", "choose", macros);
    } else {
      search_ = setup.kernel("search", "search", macros);
    }
    prepare_planes();
  }

  void upload() override {}

  void launch(Launcher& launcher) override {
    launcher.write(host_planes_.data(), planes_, host_planes_.size());
    for (std::int64_t first = 1; first < frames().count(); first += frames_per_launch_)
      search(launcher, first, std::min(frames_per_launch_, frames().count() - first));
    motion_.vectors.resize(vectors_.count);
    motion_.costs.resize(costs_.count);
    launcher.read(vectors_, motion_.vectors.data(), vectors_.count);
    launcher.read(costs_, motion_.costs.data(), costs_.count);
    launcher.host([&] { encoded_ = encode(frames(), motion_); });
  }

  void download() override {}
  [[nodiscard]] Check check() const override { return input_->check(motion_, encoded_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto searched = static_cast<double>(frames().count() - 1);
    const auto offsets = static_cast<double>(frames().search * frames().search);
    const double items = searched * static_cast<double>(frames().macroblocks()) * offsets;
    const double pixels = static_cast<double>(frames().count() * frames().macroblocks() * 256);
    const double results = 8 * static_cast<double>(frames().results());
    const double operations = 130 * items;
    std::vector<Work> work;
    if (variant_ == "three_kernels") {
      work.push_back({"sad4", 2 * pixels + 32 * items, 64 * items, items});
      work.push_back({"larger", 82 * items, 25 * items, items});
      work.push_back({"choose", 82 * items + results, 41 * items, items});
    } else {
      work.push_back({"search", 2 * pixels + results, operations, items});
    }
    work.push_back({"total", pixels + results, operations, items});
    return work;
  }

  void dump(DumpSink& sink) const override {
    const DumpSink::Shape shape = {size(frames().count()), size(frames().rows), size(frames().cols)};
    std::vector<std::uint8_t> luma;
    for (const Picture& picture : frames().pictures) {
      for (std::int64_t y = 0; y < frames().rows; ++y) {
        const auto row = picture.planes[0].begin() + y * picture.cols;
        luma.insert(luma.end(), row, row + frames().cols);
      }
    }
    sink.array("frames", std::span<const std::uint8_t>(luma), shape);
    // No other dwarf has results of 16 bits with a sign, and the sink's arrays know none.
    sink.text("vectors.npy", [this] {
      return npy_bytes(std::span<const std::int16_t>(motion_.vectors),
                       {frames().count() - 1, frames().macroblocks(), partitions, 2});
    });
    sink.array("costs", std::span<const std::int32_t>(motion_.costs),
               {size(frames().count() - 1), size(frames().macroblocks()), size(partitions)});
    sink.text("stream.264", [this] { return encoded_.stream; });
    sink.array("reconstruction", std::span<const std::uint8_t>(encoded_.planes[0]), shape);
    const DumpSink::Shape half = {shape[0], shape[1] / 2, shape[2] / 2};
    sink.array("reconstruction_cb", std::span<const std::uint8_t>(encoded_.planes[1]), half);
    sink.array("reconstruction_cr", std::span<const std::uint8_t>(encoded_.planes[2]), half);
  }

 private:
  [[nodiscard]] const Frames& frames() const { return input_->frames(); }
  [[nodiscard]] std::int64_t plane_bytes() const { return frames().device_rows() * frames().device_pitch(); }
  [[nodiscard]] std::int64_t sums_of_frame() const {
    return frames().macroblocks() * partitions * frames().search * frames().search;
  }

  void prepare_planes() {
    host_planes_.reserve(planes_.count);
    for (const Picture& picture : frames().pictures) {
      for (std::int64_t y = 0; y < frames().device_rows(); ++y) {
        const std::uint8_t* row = picture.planes[0].data() +
                                  std::clamp<std::int64_t>(y - margin, 0, picture.rows - 1) * picture.cols;
        for (std::int64_t x = 0; x < frames().device_pitch(); ++x)
          host_planes_.push_back(row[std::clamp<std::int64_t>(x - margin, 0, picture.cols - 1)]);
      }
    }
  }

  // `count` frames from number `first` on.
  void search(Launcher& launcher, std::int64_t first, std::int64_t count) {
    const auto frame = static_cast<cl_int>(first);
    const auto across = static_cast<cl_int>(frames().across());
    const auto macroblocks = static_cast<cl_int>(frames().macroblocks());
    const auto lambda = static_cast<cl_int>(frames().lambda);
    const std::size_t all = size(count * frames().macroblocks());
    if (variant_ == "three_kernels") {
      const std::size_t positions = all * size(frames().search * frames().search);
      launcher.run(sad4_, 16 * all * group_, group_, planes_, frame, across, macroblocks, sums_);
      launcher.run(larger_, round_up(positions, group_), group_, static_cast<cl_int>(positions), sums_);
      launcher.run(choose_, size(partitions) * all * group_, group_, sums_, frame, macroblocks, lambda,
                   vectors_, costs_);
    } else if (variant_ == "fused") {
      launcher.run(search_, all * group_, group_, planes_, frame, across, macroblocks, lambda, vectors_,
                   costs_);
    } else {
      launcher.run(search_, round_up(all, group_), group_, planes_, frame, across, macroblocks,
                   static_cast<cl_int>(count), lambda, vectors_, costs_);
    }
  }

  Workspace& workspace_;
  std::shared_ptr<const VideoInput> input_;
  std::string variant_;
  std::size_t group_;
  std::int64_t frames_per_launch_;
  Buffer<cl_uchar> planes_;
  Buffer<cl_short> vectors_;
  Buffer<cl_int> costs_;
  Buffer<cl_ushort> sums_;
  Kernel sad4_, larger_, choose_, search_;
  std::vector<cl_uchar> host_planes_;
  Motion motion_;
  Encoded encoded_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<H264Case>(setup);
}

}  // namespace dwarfsweep::h264
