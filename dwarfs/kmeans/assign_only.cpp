// The variant assign_only of kmeans: assignments on the device, centroids on the host, as in the paper.
#include <utility>

#include "dwarfs/kmeans/device_case.hpp"
#include "dwarfs/kmeans/kmeans.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::kmeans {
namespace {

class AssignOnlyCase final : public KmeansCase {
 public:
  explicit AssignOnlyCase(const Setup& setup)
      : KmeansCase(setup),
        assign_(setup.kernel("assign", "assign", macros_)),
        host_assignments_(assignments_.count) {}

  void launch(Launcher& launcher) override {
    previous_ = input_->centroids();
    for (std::size_t i = 1; i < centroids_.size(); ++i) {
      run_assign(launcher, assign_, centroids_[i - 1]);
      launcher.read(assignments_, host_assignments_.data(), host_assignments_.size());
      std::vector<float> padded;
      launcher.host([&] {
        update_on_host(*input_, host_assignments_, previous_, next_);
        padded = with_padding(next_);
      });
      launcher.write(padded.data(), centroids_[i], padded.size());
      std::swap(previous_, next_);
    }
  }

  [[nodiscard]] std::vector<Work> work() const override { return {step_work_.assign(), step_work_.total()}; }

 private:
  // Sums are in double precision.
  [[nodiscard]] Rounding rounding() const override { return {}; }

  Kernel assign_;
  std::vector<cl_int> host_assignments_;
  std::vector<float> previous_, next_;  // centroids without padding
};

}  // namespace

std::unique_ptr<Case> assign_only_case(const Setup& setup) {
  return std::make_unique<AssignOnlyCase>(setup);
}

}  // namespace dwarfsweep::kmeans
