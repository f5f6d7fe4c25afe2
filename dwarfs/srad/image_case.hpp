// What the cases of all variants of srad share: how the image lies in device memory, its transfers, the
// statistics, the check.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/srad/input.hpp"
#include "dwarfs/srad/srad.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::srad {

// How an image of srad lies in device memory.

/// Rows of `stride` floats, whose pixels begin at `left`. With padding the cells before and behind them
/// repeat the first and the last pixel, and rows are aligned.
struct Layout {
  Layout(const Parameters& p, bool padded);

  [[nodiscard]] std::size_t cells() const { return rows * stride; }
  [[nodiscard]] bool has_margins() const { return stride != cols; }
  /// The cells of an image of rows x cols pixels.
  [[nodiscard]] Staging<float> cells_of(const std::vector<float>& image) const;
  /// The inverse: without the cells around the pixels.
  [[nodiscard]] std::vector<float> image_of(const Staging<float>& cells) const;

  std::size_t rows, cols, stride, left;
};

// The kernels that sum the region of interest and compute q0^2, and the macros of all kernels of srad.

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
  /// `p`: of the image as it is stored.
  Statistics(const Setup& setup, const Layout& layout, const Parameters& p);

  /// Makes room for `count` pairs of sums, or more where the region's groups are more. To be called once.
  void allocate_sums(std::size_t count);

  /// The shift becomes the mean of the original region. To be called before the first step.
  void reset();
  /// Sums the region of `image`, and computes q0^2.
  void run(Launcher& launcher, const Buffer<float>& image);
  /// Computes q0^2 from the first `count` pairs of sums.
  void run_speckle(Launcher& launcher, std::size_t count);
  /// The work of computing the region's sums that many times.
  [[nodiscard]] Work work(double times) const;

  /// q0^2, two factors that follow from it, and the shift: the region's last mean.
  [[nodiscard]] const Buffer<float>& speckle() const { return speckle_; }
  /// Pairs: of deviations from the shift, and of their squares.
  [[nodiscard]] const Buffer<cl_float2>& sums() const { return sums_; }

 private:
  Workspace& workspace_;
  std::shared_ptr<const SradInput> input_;
  Parameters p_;
  Layout layout_;
  std::size_t sums_group_, speckle_group_, region_groups_;
  Buffer<float> speckle_;
  Buffer<cl_float2> sums_;
  Kernel region_sums_, region_speckle_;
};

// What the cases of all variants of srad share: the image's transfers, the statistics, the check.

class ImageCase : public Case {
 public:
  void upload() override;
  void reset() override { statistics_.reset(); }
  void download() override;
  [[nodiscard]] Check check() const override { return input_->check(output_); }
  void dump(DumpSink& sink) const override;

 protected:
  explicit ImageCase(const Setup& setup);

  /// The image after all steps.
  [[nodiscard]] virtual const Buffer<float>& result() const = 0;

  [[nodiscard]] double pixel_iterations() const;
  [[nodiscard]] Work total_work() const;

  Buffer<float> allocate_image(const std::string& name, Role role);

  // Kernel arguments.
  [[nodiscard]] cl_int rows() const { return static_cast<cl_int>(p_.rows); }
  [[nodiscard]] cl_int cols() const { return static_cast<cl_int>(p_.cols); }
  [[nodiscard]] cl_int stride() const { return static_cast<cl_int>(layout_.stride); }
  [[nodiscard]] cl_float gain() const { return static_cast<cl_float>(p_.lambda / 4); }

  // NOLINTBEGIN(*-non-private-member-variables-in-classes)
  Workspace& workspace_;
  std::shared_ptr<const SradInput> input_;
  Parameters p_;  // of the image as it is stored
  Layout layout_;
  std::size_t edge_, granularity_, width_;  // work_group, granularity, vector_width
  Statistics statistics_;
  Buffer<float> original_;
  // NOLINTEND(*-non-private-member-variables-in-classes)

 private:
  [[nodiscard]] bool is_transposed() const { return p_.cols != input_->parameters().cols; }

  std::vector<float> output_;
};

}  // namespace dwarfsweep::srad
