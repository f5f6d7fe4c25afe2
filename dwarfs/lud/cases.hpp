// The cases of lud on a device: what the variants share, and where each is found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dwarfs/lud/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::lud {

Work total_work(std::size_t order, const std::string& kernel);

/// Of the kernels diagonal, perimeter and internal, summed over steps of `step` columns, and in total; for
/// the true order.
std::vector<Work> work_of_steps(std::size_t order, std::size_t step);

/// The padded matrix, its transfers, its check.
class LudCase : public Case {
 public:
  /// The order is padded to a multiple of `multiple`; rows are `stride_beyond_order` floats longer than that.
  LudCase(const Setup& setup, std::size_t multiple, std::size_t stride_beyond_order);

  void upload() override;
  void reset() override { workspace_.copy(original_, matrix_); }
  void launch(Launcher& launcher) final {
    launcher.batch([&] { enqueue(launcher); });
  }
  void download() override { workspace_.download(matrix_, factors_); }
  [[nodiscard]] Check check() const override;
  void dump(DumpSink& sink) const override;

 protected:
  /// All launches, among which the host reads nothing.
  virtual void enqueue(Launcher& launcher) = 0;
  static Kernel kernel(const Setup& setup, const std::string& function, const std::string& name,
                       bool groups_wait = false);
  [[nodiscard]] std::size_t order() const { return order_; }
  [[nodiscard]] std::size_t padded() const { return padded_; }
  [[nodiscard]] cl_int stride() const { return static_cast<cl_int>(stride_); }
  [[nodiscard]] const Buffer<float>& matrix() const { return matrix_; }

 private:
  Workspace& workspace_;
  std::shared_ptr<const LudInput> input_;
  std::size_t order_;
  std::size_t padded_;
  std::size_t stride_;
  Buffer<float> original_;
  Buffer<float> matrix_;
  std::vector<float> factors_;
};

std::unique_ptr<Case> tiled_case(const Setup& setup);     // tiled.cpp
std::unique_ptr<Case> blocked_case(const Setup& setup);   // blocked.cpp
std::unique_ptr<Case> dataflow_case(const Setup& setup);  // dataflow.cpp

}  // namespace dwarfsweep::lud
