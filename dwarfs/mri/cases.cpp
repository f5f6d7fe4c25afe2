#include "dwarfs/mri/mri.hpp"

#include <algorithm>

#include "dwarfs/mri/scan.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::mri {
namespace {

// Of sine and cosine. OpenCL grants sin, cos, sinpi and cospi 4 ulp, and the polynomials are within 3.4 u.
// What is native may be anything, and is taken to be no worse than what Intel documents of its GPUs' extended
// mathematics, 0.0008.
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
        kernel_(
            setup.kernel("mri", "mri", setup.macros().define("KIND_FHD", std::int64_t{input_->scan().fhd}))) {
    const auto share = static_cast<std::size_t>(
        samples_per_launch(setup.config, setup.loaded.problem, setup.device().capabilities));
    const std::size_t samples = input_->scan().sample_count();
    for (std::size_t begin = 0; begin < samples; begin += share) {
      const std::size_t count = std::min(share, samples - begin);
      samples_.push_back(workspace_.allocate<float>("samples", count * input_->sample_floats(), Role::input));
    }
  }

  void upload() override {
    std::vector<float> voxels(voxels_.count);
    for (std::size_t i = 0; i < voxel_count_; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        voxels[axis * padded_ + i] = input_->scan().voxels[3 * i + axis];
    }
    workspace_.upload(voxels, voxels_);
    const std::size_t floats = input_->sample_floats();
    std::size_t index = 0;
    for (const Buffer<float>& part : samples_) {
      std::vector<float> values(part.count);
      const std::size_t count = part.count / floats;
      for (std::size_t i = 0; i < count; ++i, ++index) {
        const std::vector<float> sample = input_->sample(index);
        for (std::size_t j = 0; j < floats; ++j)
          values[structures_ ? i * floats + j : j * count + i] = sample[j];
      }
      workspace_.upload(values, part);
    }
  }

  void launch(Launcher& launcher) override {
    for (std::size_t part = 0; part < samples_.size(); ++part) {
      launcher.run(kernel_, padded_ / item_voxels_, group_, samples_[part],
                   static_cast<cl_int>(samples_[part].count / input_->sample_floats()),
                   cl_ulong{voxel_count_}, cl_ulong{padded_}, cl_ulong{pitch_}, static_cast<cl_int>(part > 0),
                   voxels_, results_);
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
    const double operations = (input_->scan().fhd ? 16 : 12) * voxels * samples;
    const double sample_bytes = 4 * static_cast<double>(input_->sample_floats()) * samples;
    return {{"mri", (20 * launches - 8 + 8 * launches) * voxels + sample_bytes, operations, voxels * samples},
            {"total", 20 * voxels + sample_bytes, operations, voxels * samples}};
  }

  void dump(DumpSink& sink) const override {
    const Scan& scan = input_->scan();
    sink.array("voxels", std::span<const float>(scan.voxels), {voxel_count_, 3});
    sink.array("samples", std::span<const float>(scan.samples), {scan.sample_count(), 3});
    sink.array("phi", std::span<const float>(scan.phi), {scan.sample_count(), 2});
    sink.array(input_->result_name(), std::span<const float>(result_), {voxel_count_, 2});
  }

 private:
  Workspace& workspace_;
  std::shared_ptr<const MriInput> input_;
  std::size_t group_, item_voxels_;
  double function_error_;
  bool structures_;
  std::size_t voxel_count_, padded_, pitch_;
  Buffer<float> voxels_, results_;
  Kernel kernel_;
  std::vector<Buffer<float>> samples_;  // of each launch
  std::vector<float> result_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<MriCase>(setup);
}

}  // namespace dwarfsweep::mri
