#include "dwarfs/sad/sad.hpp"

#include <fmt/format.h>

#include "dwarfs/sad/frames.hpp"
#include "harness/formats/npy.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/error.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::sad {
namespace {

// A frame that `expand` makes: continued beyond its border, in bytes or in words.
struct Expanded {
  std::int64_t margin = 0, height = 0, pitch = 0;
  Buffer<cl_uchar> pixels;
};

class SadCase final : public Case {
 public:
  explicit SadCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<SadInput>()),
        variant_(setup.string("variant")),
        group_(setup.size("work_group")),
        granularity_(setup.integer("granularity")),
        blocks_(setup.integer("blocks")),
        direct_(variant_ == "direct"),
        by_image_(setup.string("source") == "image"),
        expands_(!direct_ || setup.integer("padding") != 0),
        expand_run_(setup.device().capabilities.is_gpu ? 1 : 64),
        expand_group_(setup.device().capabilities.is_gpu ? 64 : 1),
        current_(frame("current")),
        reference_(frame("reference")),
        result_(workspace_.allocate<cl_ushort>("sad", frames().sums(), Role::output)) {
    if (setup.device().capabilities.work_group_items < expand_group_) expand_group_ = 1;
    const Macros macros = setup.macros()
                              .define("EXPAND_RUN", std::int64_t{expand_run_})
                              .define("EXPAND_GROUP", static_cast<std::int64_t>(expand_group_));
    kernel_ = setup.kernel("sad", "sad", macros);
    if (!expands_) return;
    expand_ = setup.kernel("expand", "expand", macros);
    const std::int64_t offsets = round_up(frames().search, direct_ ? 1 : granularity_);
    // The last vector of bytes, or the last word, has some unused ones.
    expanded_reference_ = {
        frames().search / 2, height() + offsets, width() + round_up(frames().search, 16), {}};
    allocate("expanded reference", expanded_reference_);
    if (direct_) return;
    expanded_current_ = {0, height(), width(), {}};
    allocate("expanded current", expanded_current_);
  }

  void upload() override {
    workspace_.upload(frames().current, current_);
    workspace_.upload(frames().reference, reference_);
    if (by_image_ && !workspace_.session().dry_run()) make_image();
  }

  void launch(Launcher& launcher) override {
    if (expands_) expand(launcher, reference_, expanded_reference_);
    if (!direct_) expand(launcher, current_, expanded_current_);
    const std::int64_t count = frames().block_rows() * frames().block_cols();
    const std::int64_t items =
        variant_ == "vectors"
            ? round_up(count * ceil_div(frames().search, granularity_), static_cast<std::int64_t>(group_))
            : ceil_div(count, blocks_) * static_cast<std::int64_t>(group_);
    const auto run = [&](const auto& reference) {
      launcher.run(
          kernel_, static_cast<std::size_t>(items), group_, direct_ ? current_ : expanded_current_.pixels,
          reference, static_cast<cl_int>(frames().rows),
          static_cast<cl_int>(direct_ ? frames().cols : expanded_current_.pitch),
          static_cast<cl_int>(frames().block_cols()), static_cast<cl_int>(count),
          static_cast<cl_int>(frames().search), static_cast<cl_int>(expanded_reference_.pitch), result_);
    };
    if (by_image_)
      run(image_);
    else
      run(expands_ ? expanded_reference_.pixels : reference_);
  }

  void download() override { workspace_.download(result_, sums_); }
  [[nodiscard]] Check check() const override { return input_->check(sums_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto pixels = static_cast<double>(frames().rows * frames().cols);
    const auto sums = static_cast<double>(frames().sums());
    const double word = variant_ == "words" ? 4 : 1;
    const double expanded =
        word * static_cast<double>(expanded_reference_.height * expanded_reference_.pitch +
                                   expanded_current_.height * expanded_current_.pitch);
    std::vector<Work> work;
    if (expands_) work.push_back({"expand", (direct_ ? 1 : 2) * pixels + expanded, 0, expanded / word});
    const double read = direct_ ? (expands_ ? pixels + expanded : 2 * pixels) : expanded;
    work.push_back({"sad", read + 2 * sums, 8 * sums, sums});
    work.push_back({"total", 2 * pixels + 2 * sums, 8 * sums, sums});
    return work;
  }

  void dump(DumpSink& sink) const override {
    const auto size = [](std::int64_t count) { return static_cast<std::size_t>(count); };
    const DumpSink::Shape shape = {size(frames().rows), size(frames().cols)};
    sink.array("current", std::span<const std::uint8_t>(frames().current), shape);
    sink.array("reference", std::span<const std::uint8_t>(frames().reference), shape);
    // No other dwarf has results of 16 bits, and the sink's arrays know none.
    sink.text("sad.npy", [this] {
      return npy_bytes(std::span<const std::uint16_t>(sums_),
                       {frames().block_rows(), frames().block_cols(), frames().search, frames().search});
    });
  }

 private:
  [[nodiscard]] const Frames& frames() const { return input_->frames(); }
  [[nodiscard]] std::int64_t height() const { return 4 * frames().block_rows(); }
  [[nodiscard]] std::int64_t width() const { return 4 * frames().block_cols(); }

  Buffer<cl_uchar> frame(const char* name) {
    return workspace_.allocate<cl_uchar>(name, static_cast<std::size_t>(frames().rows * frames().cols),
                                         Role::input);
  }
  void allocate(const char* name, Expanded& expanded) {
    const std::int64_t word = variant_ == "words" ? 4 : 1;
    expanded.pixels = workspace_.allocate<cl_uchar>(
        name, static_cast<std::size_t>(word * expanded.height * expanded.pitch), Role::scratch);
  }
  void make_image() {
    const cl::Context& context = workspace_.session().context();
    const cl::Device device = context.getInfo<CL_CONTEXT_DEVICES>().front();
    const auto rows = static_cast<std::size_t>(frames().rows);
    const auto cols = static_cast<std::size_t>(frames().cols);
    const std::size_t most_rows = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
    const std::size_t most_cols = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
    if (rows > most_rows || cols > most_cols) {
      throw PointFailure(Status::rejected,
                         fmt::format("an image of {} x {} pixels is more than the {} x {} of {}", rows, cols,
                                     most_rows, most_cols, workspace_.device().name));
    }
    image_ = cl::Image2D(context, CL_MEM_READ_ONLY, cl::ImageFormat(CL_R, CL_UNSIGNED_INT8), cols, rows);
    // PoCL 3.1 crashes if a part of a buffer is copied to an image.
    workspace_.session().queue().enqueueWriteImage(image_, CL_TRUE, {0, 0, 0}, {cols, rows, 1}, 0, 0,
                                                   frames().reference.data());
  }
  void expand(Launcher& launcher, const Buffer<cl_uchar>& frame, const Expanded& to) {
    const auto runs = static_cast<std::size_t>(ceil_div(to.pitch, expand_run_));
    launcher.run(expand_, Range(round_up(runs, expand_group_), static_cast<std::size_t>(to.height)),
                 Range(expand_group_, 1), frame, static_cast<cl_int>(frames().rows),
                 static_cast<cl_int>(frames().cols), static_cast<cl_int>(to.margin),
                 static_cast<cl_int>(to.height), static_cast<cl_int>(to.pitch), to.pixels);
  }

  Workspace& workspace_;
  std::shared_ptr<const SadInput> input_;
  std::string variant_;
  std::size_t group_;
  std::int64_t granularity_, blocks_;
  bool direct_, by_image_, expands_;
  std::int64_t expand_run_;
  std::size_t expand_group_;
  Buffer<cl_uchar> current_, reference_;
  cl::Image2D image_;  // the reference
  Buffer<cl_ushort> result_;
  Kernel kernel_, expand_;
  Expanded expanded_reference_, expanded_current_;
  std::vector<cl_ushort> sums_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<SadCase>(setup);
}

}  // namespace dwarfsweep::sad
