#include "dwarfs/cp/cp.hpp"

#include <algorithm>

#include "dwarfs/cp/atoms.hpp"
#include "harness/run/setup.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::cp {
namespace {

constexpr std::size_t atom_bytes = 4 * sizeof(float);
// The papers' devices have 64 KiB of constant memory.
constexpr std::size_t most_constant_atoms = 4000;
// The steps of a work-item in one launch: few enough for every driver.
constexpr std::size_t most_global_atoms = 32768;

std::size_t atoms_per_launch(const Setup& setup) {
  if (setup.string("memory") == "global") return most_global_atoms;
  const auto bytes = static_cast<std::size_t>(setup.device().capabilities.constant_bytes);
  return std::clamp<std::size_t>(bytes / atom_bytes, 1, most_constant_atoms);
}

// The relative error of a reciprocal square root. OpenCL grants rsqrt 2 ulp, newton is exact to 1.8 u;
// native_rsqrt may be anything, and is taken to be no worse than the estimate that x86 processors document,
// 1.5 * 2^-12.
double root_error_of(const std::string& functions) {
  return functions == "precise" || functions == "newton" ? 4 * 0x1p-24 : 1.5 * 0x1p-12;
}

class CpCase final : public Case {
 public:
  explicit CpCase(const Setup& setup)
      : workspace_(setup.workspace),
        input_(setup.input<CpInput>()),
        shape_(setup.config),
        root_error_(root_error_of(setup.string("functions"))),
        padded_(setup.integer("padding") != 0),
        pitch_(padded_ ? round_up(input_->grid().nx, shape_.columns()) : input_->grid().nx),
        rows_(padded_ ? round_up(input_->grid().ny, shape_.rows()) : input_->grid().ny),
        potential_(
            workspace_.allocate<float>("potential", static_cast<std::size_t>(pitch_ * rows_), Role::output)),
        kernel_(setup.kernel("cp", "cp")) {
    const std::size_t share = atoms_per_launch(setup);
    for (std::size_t begin = 0; begin < input_->count(); begin += share) {
      const std::size_t count = std::min(share, input_->count() - begin);
      atoms_.push_back(workspace_.allocate<float>("atoms", 4 * count, Role::input));
    }
  }

  void upload() override {
    const std::vector<float> atoms = input_->in_plane();
    std::span<const float> left(atoms);
    for (const Buffer<float>& part : atoms_) {
      workspace_.upload(left.first(part.count), part);
      left = left.subspan(part.count);
    }
  }

  void launch(Launcher& launcher) override {
    const Grid& grid = input_->grid();
    const Range local(static_cast<std::size_t>(shape_.group_x), static_cast<std::size_t>(shape_.group_y));
    const Range global(static_cast<std::size_t>(ceil_div(grid.nx, shape_.columns()) * shape_.group_x),
                       static_cast<std::size_t>(ceil_div(grid.ny, shape_.rows()) * shape_.group_y));
    for (std::size_t part = 0; part < atoms_.size(); ++part) {
      launcher.run(kernel_, global, local, atoms_[part], static_cast<cl_int>(atoms_[part].count / 4),
                   static_cast<cl_int>(grid.nx), static_cast<cl_int>(grid.ny), static_cast<cl_int>(pitch_),
                   grid.spacing, static_cast<cl_int>(part > 0), potential_);
    }
  }

  void download() override {
    workspace_.download(potential_, result_);
    const Grid& grid = input_->grid();
    for (std::int64_t row = 1; row < grid.ny && pitch_ != grid.nx; ++row) {
      std::copy_n(result_.data() + row * pitch_, grid.nx, result_.data() + row * grid.nx);
    }
    result_.resize(grid.points());
  }

  [[nodiscard]] Check check() const override { return input_->check(result_, root_error_); }

  [[nodiscard]] std::vector<Work> work() const override {
    const auto points = static_cast<double>(input_->grid().points());
    const auto atoms = static_cast<double>(input_->count());
    const auto launches = static_cast<double>(atoms_.size());
    const double pairs = points * atoms;
    return {{"cp", 4 * (2 * launches - 1) * points + atom_bytes * atoms, 6 * pairs, pairs},
            {"total", 4 * points + atom_bytes * atoms, 6 * pairs, pairs}};
  }

  void dump(DumpSink& sink) const override {
    const Grid& grid = input_->grid();
    sink.array("atoms", std::span<const float>(input_->atoms()), {input_->count(), 4});
    sink.array("potential", std::span<const float>(result_),
               {static_cast<std::size_t>(grid.ny), static_cast<std::size_t>(grid.nx)});
  }

 private:
  Workspace& workspace_;
  std::shared_ptr<const CpInput> input_;
  ItemShape shape_;
  double root_error_;
  bool padded_;
  std::int64_t pitch_, rows_;
  Buffer<float> potential_;
  Kernel kernel_;
  std::vector<Buffer<float>> atoms_;  // of each launch
  std::vector<float> result_;
};

}  // namespace

std::unique_ptr<Case> make_case(const Setup& setup) {
  return std::make_unique<CpCase>(setup);
}

}  // namespace dwarfsweep::cp
