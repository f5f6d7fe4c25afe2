// The cases of needle on a device: what the variants share, and where each is found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dwarfs/needle/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::needle {

constexpr std::size_t lead = 32;  // words before column 1 of a row: what column 1 is aligned to

/// What the device fills: at least the cells of the problem, whole tiles, strips or bands.
struct Extent {
  std::size_t rows;
  std::size_t columns;
};

/// The axes and LEAD.
Macros macros_of(const Setup& setup);

// What the variants share: sequences, matrix or score, and what is said of them.
class NeedleCase : public Case {
 public:
  NeedleCase(const Setup& setup, const Extent& extent);

  void upload() override;
  void reset() override;
  void launch(Launcher& launcher) final {
    launcher.batch([&] { enqueue(launcher); });
  }
  void download() override;
  [[nodiscard]] Check check() const override;
  [[nodiscard]] std::vector<Work> work() const override;
  void dump(DumpSink& sink) const override;

 protected:
  /// All launches; the host looks at nothing among them.
  virtual void enqueue(Launcher& launcher) = 0;
  [[nodiscard]] double cells() const {
    return static_cast<double>(input_->rows()) * static_cast<double>(input_->columns());
  }
  [[nodiscard]] Work work_of(const std::string& kernel, double cells_of_kernel) const;
  /// Of the kernels `upper_left`, which has the first `growing` diagonals of tiles, and `lower_right`.
  [[nodiscard]] std::vector<Work> work_of_halves(std::size_t tile, std::size_t growing) const;
  void upload_similarity(const Buffer<cl_int>& similarity);
  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] const NeedleInput& input() const { return *input_; }
  [[nodiscard]] const Extent& extent() const { return extent_; }
  [[nodiscard]] cl_int rows() const { return static_cast<cl_int>(input_->rows()); }
  [[nodiscard]] cl_int last() const { return static_cast<cl_int>(input_->columns()); }
  [[nodiscard]] cl_ulong columns() const { return extent_.columns; }
  [[nodiscard]] cl_int gap() const { return input_->gap(); }
  [[nodiscard]] const Buffer<cl_uchar>& first() const { return first_; }
  [[nodiscard]] const Buffer<cl_short>& profile() const { return profile_; }
  [[nodiscard]] const Buffer<cl_int>& device_matrix() const { return matrix_; }
  [[nodiscard]] const Buffer<cl_int>& device_score() const { return score_; }

 private:
  [[nodiscard]] std::size_t stride() const { return lead + extent_.columns; }
  [[nodiscard]] ScoreMatrix matrix() const { return {cells_.data() + lead - 1, stride()}; }

  Workspace& workspace_;
  std::shared_ptr<const NeedleInput> input_;
  Extent extent_;
  bool stored_;
  Buffer<cl_uchar> first_;
  Buffer<cl_short> profile_;
  Buffer<cl_int> matrix_, score_;
  Staging<cl_int> cells_;
  std::vector<cl_int> got_score_;
};

/// An anti-diagonal of a grid of tiles: from its upper right tile on down and left.
struct Diagonal {
  cl_uint top;
  cl_uint right;
  std::size_t tiles;
};

Diagonal diagonal_of(std::size_t index, std::size_t tile_rows, std::size_t tile_columns);

std::unique_ptr<Case> wavefront_case(const Setup& setup);  // wavefront.cpp
std::unique_ptr<Case> global_case(const Setup& setup);     // global.cpp
std::unique_ptr<Case> strip_case(const Setup& setup);      // strip.cpp
std::unique_ptr<Case> scan_case(const Setup& setup);       // scan.cpp

}  // namespace dwarfsweep::needle
