// What the cases of all variants of sgemv share: the operands' transfers, macros, work, the check.
#pragma once

#include <memory>
#include <vector>

#include "dwarfs/sgemv/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::sgemv {

class MatrixCase : public Case {
 public:
  void upload() override;
  void download() override { workspace_.download(y_, result_); }
  [[nodiscard]] Check check() const override { return input_->check(result_); }
  void dump(DumpSink& sink) const override;

 protected:
  /// `lanes`: adjacent work-items on a row, which read 16 bytes each if there are several.
  MatrixCase(const Setup& setup, std::int64_t lanes);

  /// The macros of all variants. `partial`: groups leave sums for `reduce`.
  [[nodiscard]] Macros macros_of(const Setup& setup, bool partial) const;
  [[nodiscard]] Work total_work() const;

  // Kernel arguments.
  [[nodiscard]] cl_int outputs() const { return static_cast<cl_int>(shape_.outputs()); }
  [[nodiscard]] cl_int terms() const { return static_cast<cl_int>(shape_.terms()); }
  [[nodiscard]] cl_ulong stride() const { return static_cast<cl_ulong>(stride_); }

  // NOLINTBEGIN(*-non-private-member-variables-in-classes)
  Workspace& workspace_;
  std::shared_ptr<const SgemvInput> input_;
  const Shape& shape_;
  Buffer<float> matrix_, x_, y_in_, y_;
  // NOLINTEND(*-non-private-member-variables-in-classes)

 private:
  /// The matrix with its rows `stride` elements apart.
  void copy_rows(std::vector<float>& to, std::int64_t stride) const;

  std::int64_t lanes_;
  std::int64_t stride_;  // of the matrix on the device
  std::vector<float> result_;
};

}  // namespace dwarfsweep::sgemv
