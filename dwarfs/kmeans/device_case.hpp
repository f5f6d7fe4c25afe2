// What all cases of kmeans share: points in device memory, centroids of all steps, the assignment, the check.
#pragma once

#include <memory>
#include <vector>

#include "dwarfs/kmeans/cases.hpp"
#include "dwarfs/kmeans/device_points.hpp"
#include "dwarfs/kmeans/geometry.hpp"
#include "dwarfs/kmeans/input.hpp"
#include "dwarfs/kmeans/verification.hpp"
#include "dwarfs/kmeans/work.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::kmeans {

class KmeansCase : public Case {
 public:
  void upload() override;
  void download() override;
  [[nodiscard]] Check check() const override { return check_outcome(*input_, outcome_, rounding()); }
  void dump(DumpSink& sink) const override;

 protected:
  explicit KmeansCase(const Setup& setup);

  [[nodiscard]] virtual Rounding rounding() const = 0;

  void run_assign(Launcher& launcher, Kernel& assign, const Buffer<float>& centroids);

  // Arguments of the kernels.
  [[nodiscard]] cl_int count() const { return static_cast<cl_int>(shape_.points); }
  [[nodiscard]] cl_ulong stride() const { return static_cast<cl_ulong>(geometry_.stride); }

  /// Centroids as they lie on the device, zeros behind a cluster's features, and back.
  [[nodiscard]] std::vector<float> with_padding(const std::vector<float>& centroids) const;
  [[nodiscard]] std::vector<float> without_padding(const std::vector<float>& padded) const;

  Workspace& workspace_;
  std::shared_ptr<const KmeansInput> input_;
  const Shape& shape_;
  Geometry geometry_;
  StepWork step_work_;
  DevicePoints points_;
  Buffer<cl_int> assignments_;
  Macros macros_;
  std::vector<Buffer<float>> centroids_;  // before the first step, and after each

 private:
  Outcome outcome_;
};

}  // namespace dwarfsweep::kmeans
