// The kernels that sum the region of interest and compute q0^2, and the macros of all kernels of srad.
#pragma once

#include <cstddef>
#include <memory>

#include "dwarfs/srad/input.hpp"
#include "dwarfs/srad/layout.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::srad {

/// Work-items of a group in the statistics' kernels; fewer where the device allows fewer.
inline constexpr std::size_t max_statistics_group = 256;

/// What the host chooses of a program beyond the axes.
struct ProgramChoices {
  std::size_t strip = 1;  ///< columns per work-item in fused_rows, a multiple of the vector width
  bool sum_next = false;  ///< a fused step sums the image that it makes
  bool streamed = false;  ///< pixels are stored past the caches
};

/// All macros that the kernels of srad are built with. `config` may differ from the setup's.
Macros macros_of(const Setup& setup, const Config& config, const ProgramChoices& choices);

class Statistics {
 public:
  Statistics(const Setup& setup, const Layout& layout);

  /// Makes room for `count` pairs of sums, or more where the region's groups are more. To be called once.
  void allocate_sums(std::size_t count);

  /// The shift becomes the mean of the original region. To be called before the first step.
  void reset();
  /// Sums the region of `image`, and computes q0^2.
  void run(Launcher& launcher, const Buffer<float>& image);
  /// Computes q0^2 from the first `count` pairs of sums.
  void run_speckle(Launcher& launcher, std::size_t count);
  /// Of so many times the region's sums.
  [[nodiscard]] Work work(double times) const;

  /// q0^2, two factors that follow from it, and the shift: the region's last mean.
  [[nodiscard]] const Buffer<float>& speckle() const { return speckle_; }
  /// Pairs: of deviations from the shift, and of their squares.
  [[nodiscard]] const Buffer<cl_float2>& sums() const { return sums_; }

 private:
  Workspace& workspace_;
  std::shared_ptr<const SradInput> input_;
  Layout layout_;
  std::size_t sums_group_, speckle_group_, region_groups_;
  Buffer<float> speckle_;
  Buffer<cl_float2> sums_;
  Kernel region_sums_, region_speckle_;
};

}  // namespace dwarfsweep::srad
