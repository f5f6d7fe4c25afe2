#include "dwarfs/fft_1d/fft_1d.hpp"

#include <vector>

#include "dwarfs/fft_1d/plan.hpp"
#include "dwarfs/fft_1d/signal.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::fft_1d {
namespace {

// From 64 MiB on, the output of a pass does not stay in caches. Nothing reads the output of the last pass, so
// that one streams from half of that size on.
bool streams(const Shape& shape, const Pass& pass) {
  const bool is_last = pass.before + pass.bits == shape.log_n;
  return shape.numbers() >= std::int64_t{1} << (is_last ? 22 : 23);
}

class TransformCase final : public Case {
 public:
  explicit TransformCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<Signal>()),
        shape_(input_->shape()),
        signal_(workspace_.allocate<float>("signal", floats(), Role::input)),
        reads_roots_(setup.string("variant") == "stockham") {
    for (const Pass& pass : passes_of(setup.config, shape_.log_n)) {
      const Macros macros = setup.macros()
                                .define("PASS_BITS", pass.bits)
                                .define("COLUMNS", pass.columns)
                                .define("IS_FIRST", pass.before == 0 ? 1 : 0)
                                .define("ACROSS", pass.across ? 1 : 0)
                                .define("STREAMS", streams(shape_, pass) ? 1 : 0)
                                .define("INVERSE", shape_.inverse ? 1 : 0);
      const Groups groups(setup.config, pass);
      const std::int64_t columns = shape_.numbers() >> pass.bits;
      launches_.push_back({setup.kernel("fft", "fft", macros), pass,
                           static_cast<std::size_t>(ceil_div(columns, groups.columns) * groups.items),
                           static_cast<std::size_t>(groups.items), columns});
      if (reads_roots_) add_roots(launches_.back(), setup.config);
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(launches_.size(), 2); ++i) {
      spectra_[i] = workspace_.allocate<float>(i == 0 ? "spectrum" : "between passes", floats(),
                                               i == 0 ? Role::output : Role::scratch);
    }
  }

  void upload() override {
    workspace_.upload(input_->values(), signal_);
    for (const Launch& launch : launches_) {
      if (!launch.roots.empty()) workspace_.upload(launch.roots, launch.root_buffer);
    }
  }

  void launch(Launcher& launcher) override {
    launcher.batch([&] {
      for (std::size_t i = 0; i < launches_.size(); ++i) make_pass(launcher, i);
    });
  }

  void download() override { workspace_.download(spectra_[0], output_); }

  [[nodiscard]] Check check() const override { return input_->check(output_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto numbers = static_cast<double>(shape_.numbers());
    const double operations = 5 * numbers * shape_.log_n;
    return {{"fft", 16 * numbers * static_cast<double>(launches_.size()), operations, numbers},
            {"total", 16 * numbers, operations, numbers}};
  }

  void dump(DumpSink& sink) const override {
    const DumpSink::Shape shape = {static_cast<std::size_t>(shape_.batch),
                                   static_cast<std::size_t>(shape_.n()), 2};
    sink.array("signal", std::span<const float>(input_->values()), shape);
    sink.array("spectrum", std::span<const float>(output_), shape);
  }

 private:
  struct Launch {
    Kernel kernel;
    Pass pass;
    std::size_t items, group;
    std::int64_t columns;  // of all transforms
    std::vector<float> roots = {};
    Buffer<float> root_buffer = {};
  };

  [[nodiscard]] std::size_t floats() const { return input_->values().size(); }

  void add_roots(Launch& launch, const Config& config) {
    launch.roots = roots_of(config, launch.pass);
    launch.root_buffer = workspace_.allocate<float>("roots of unity", launch.roots.size(), Role::input);
  }

  // Passes alternate between arrays so that the last one writes the spectrum.
  void make_pass(Launcher& launcher, std::size_t i) {
    Launch& launch = launches_[i];
    const std::size_t left = launches_.size() - 1 - i;
    const bool scales = shape_.inverse && left == 0;
    const auto run = [&](const auto&... more) {
      launcher.run(launch.kernel, launch.items, launch.group, i == 0 ? signal_ : spectra_[(left + 1) % 2],
                   spectra_[left % 2], static_cast<cl_ulong>(launch.columns),
                   static_cast<cl_int>(shape_.log_n), static_cast<cl_int>(launch.pass.before),
                   scales ? 1 / static_cast<cl_float>(shape_.n()) : cl_float{1}, more...);
    };
    reads_roots_ ? run(launch.root_buffer) : run();
  }

  Workspace& workspace_;
  std::shared_ptr<const Signal> input_;
  const Shape& shape_;
  Buffer<float> signal_;
  bool reads_roots_;
  Buffer<float> spectra_[2];
  std::vector<Launch> launches_;
  std::vector<float> output_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<TransformCase>(setup);
}

}  // namespace dwarfsweep::fft_1d
