#include "dwarfs/mri/mri.hpp"

#include <algorithm>
#include <limits>

#include "dwarfs/mri/scan.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::mri {
namespace {

// The absolute error of sine and cosine. OpenCL grants sin, cos, sinpi and cospi 4 ulp, and the polynomials
// are within 3.4 u. Native functions have no bound; we assume that they are no worse than the 0.0008 that
// Intel documents for the extended mathematics of its GPUs.
double function_error_of(const std::string& functions) {
  return functions == "precise" || functions == "polynomial" ? 8 * 0x1p-24 : 0.0008;
}

class MriCase final : public Case {
 public:
  explicit MriCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<MriInput>()),
        group_(setup.size("work_group")),
        item_voxels_(setup.size("granularity") * setup.size("vector_width")),
        function_error_(function_error_of(setup.string("functions"))),
        structures_(setup.string("layout") == "aos"),
        voxel_count_(input_->scan().voxel_count()),
        padded_(round_up(voxel_count_, group_ * item_voxels_)),
        pitch_(setup.integer("padding") != 0 ? padded_ : voxel_count_),
        voxels_(workspace_.allocate<float>("voxels", 3 * padded_, Role::input)),
        results_(workspace_.allocate<float>("results", 2 * pitch_, Role::output)),
        macros_(setup.macros().define("KIND_FHD", std::int64_t{input_->scan().fhd})),
        weights_(setup.kernel("weights", "weights", macros_)),
        kernel_(setup.kernel("mri", "mri", macros_)) {
    const auto share = static_cast<std::size_t>(
        samples_per_launch(setup.config, setup.loaded.problem, setup.device().capabilities));
    const std::size_t samples = input_->scan().sample_count();
    for (std::size_t begin = 0; begin < samples; begin += share) {
      const std::size_t count = std::min(share, samples - begin);
      samples_.push_back(workspace_.allocate<float>("samples", count * input_->sample_floats(), Role::input));
      signals_.push_back(workspace_.allocate<float>("signals", count * signal_floats(), Role::input));
    }
  }

  void upload() override {
    std::vector<float> voxels(voxels_.count);
    for (std::size_t i = 0; i < voxel_count_; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        voxels[axis * padded_ + i] = input_->scan().voxels[3 * i + axis];
    }
    workspace_.upload(voxels, voxels_);
    const Scan& scan = input_->scan();
    const std::size_t floats = input_->sample_floats();
    std::size_t index = 0;
    for (std::size_t part = 0; part < samples_.size(); ++part) {
      const std::size_t count = samples_[part].count / floats;
      // Weights are computed by the run: no number that was there before may pass for one.
      std::vector<float> samples(samples_[part].count, std::numeric_limits<float>::quiet_NaN());
      std::vector<float> signals;
      signals.reserve(signals_[part].count);
      for (std::size_t i = 0; i < count; ++i, ++index) {
        for (std::size_t axis = 0; axis < 3; ++axis)
          samples[structures_ ? i * floats + axis : axis * count + i] = scan.samples[3 * index + axis];
        signals.insert(signals.end(), {scan.phi[2 * index], scan.phi[2 * index + 1]});
        if (scan.fhd) signals.insert(signals.end(), {scan.data[2 * index], scan.data[2 * index + 1]});
      }
      workspace_.upload(samples, samples_[part]);
      workspace_.upload(signals, signals_[part]);
    }
  }

  void launch(Launcher& launcher) override {
    for (std::size_t part = 0; part < samples_.size(); ++part) {
      const auto count = static_cast<cl_int>(samples_[part].count / input_->sample_floats());
      launcher.run(weights_, static_cast<std::size_t>(count), {}, count, signals_[part], samples_[part]);
      launcher.run(kernel_, padded_ / item_voxels_, group_, samples_[part], count, cl_ulong{voxel_count_},
                   cl_ulong{padded_}, cl_ulong{pitch_}, static_cast<cl_int>(part > 0), voxels_, results_);
    }
  }

  void download() override {
    std::vector<float> parts;
    workspace_.download(results_, parts);
    result_.resize(2 * voxel_count_);
    for (std::size_t i = 0; i < voxel_count_; ++i) {
      result_[2 * i] = parts[i];
      result_[2 * i + 1] = parts[pitch_ + i];
    }
  }

  [[nodiscard]] Check check() const override { return input_->check(result_, function_error_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto voxels = static_cast<double>(voxel_count_);
    const auto samples = static_cast<double>(input_->scan().sample_count());
    const auto launches = static_cast<double>(samples_.size());
    const double kinds = input_->scan().fhd ? 2 : 1;  // of numbers that a signal and a weight have
    const double sums = (input_->scan().fhd ? 16 : 12) * voxels * samples;
    const double weighing = 3 * kinds * samples;
    return {{"weights", (8 + 4) * kinds * samples, weighing, samples},
            {"mri", (20 * launches - 8 + 8 * launches) * voxels + 4 * (3 + kinds) * samples, sums,
             voxels * samples},
            {"total", 20 * voxels + (12 + 8 * kinds) * samples, sums + weighing, voxels * samples}};
  }

  void dump(DumpSink& sink) const override {
    const Scan& scan = input_->scan();
    sink.array("voxels", std::span<const float>(scan.voxels), {voxel_count_, 3});
    sink.array("samples", std::span<const float>(scan.samples), {scan.sample_count(), 3});
    sink.array("phi", std::span<const float>(scan.phi), {scan.sample_count(), 2});
    if (scan.fhd) sink.array("data", std::span<const float>(scan.data), {scan.sample_count(), 2});
    sink.array(input_->result_name(), std::span<const float>(result_), {voxel_count_, 2});
  }

 private:
  [[nodiscard]] std::size_t signal_floats() const { return input_->scan().fhd ? 4 : 2; }

  Workspace& workspace_;
  std::shared_ptr<const MriInput> input_;
  std::size_t group_, item_voxels_;
  double function_error_;
  bool structures_;
  std::size_t voxel_count_, padded_, pitch_;
  Buffer<float> voxels_, results_;
  Macros macros_;
  Kernel weights_, kernel_;
  std::vector<Buffer<float>> samples_, signals_;  // of each launch
  std::vector<float> result_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<MriCase>(setup);
}

}  // namespace dwarfsweep::mri
