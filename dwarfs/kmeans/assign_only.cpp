// The variant assign_only of kmeans: assignments on the device, centroids on the host, as in the paper.
#include <utility>

#include "dwarfs/kmeans/device_case.hpp"
#include "dwarfs/kmeans/host.hpp"

namespace dwarfsweep::kmeans {
namespace {

class AssignOnlyCase final : public KmeansCase {
 public:
  explicit AssignOnlyCase(const Setup& setup)
      : KmeansCase(setup), assign_(setup.kernel("assign", "assign", macros_)) {}

  void launch(Launcher& launcher) override {
    std::vector<float> previous = input_->centroids();
    std::vector<float> next;
    std::vector<cl_int> assignments(assignments_.count);
    for (std::size_t i = 1; i < centroids_.size(); ++i) {
      run_assign(launcher, assign_, centroids_[i - 1]);
      launcher.read(assignments_, assignments.data(), assignments.size());
      update_on_host(*input_, assignments, previous, next);
      const std::vector<float> padded = with_padding(next);
      launcher.write(padded.data(), centroids_[i], padded.size());
      std::swap(previous, next);
    }
  }

  [[nodiscard]] std::vector<Work> work() const override { return {step_work_.assign(), step_work_.total()}; }

 private:
  // Sums are in double precision.
  [[nodiscard]] Rounding rounding() const override { return {}; }

  Kernel assign_;
};

}  // namespace

std::unique_ptr<Case> assign_only_case(const Setup& setup) {
  return std::make_unique<AssignOnlyCase>(setup);
}

}  // namespace dwarfsweep::kmeans
