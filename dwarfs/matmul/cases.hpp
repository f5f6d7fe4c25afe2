// The cases of matmul on a device: what the variants share, and where each is found.
#pragma once

#include <memory>
#include <vector>

#include "dwarfs/matmul/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::matmul {

/// Work-items of a group of the kernel `reduce`.
constexpr std::int64_t reduce_group = 64;

/// The matrices on the device, padded by zeros to whole tiles, so that no kernel has to look for their ends;
/// their transfers; the check of the result.
class ProductCase : public Case {
 public:
  void upload() override;
  void download() override;
  [[nodiscard]] Check check() const override { return input_->check(result_); }
  void dump(DumpSink& sink) const override;

 protected:
  /// The matrices have multiples of these on the device.
  ProductCase(const Setup& setup, const Shape& tile);

  [[nodiscard]] const Shape& shape() const { return input_->shape(); }
  [[nodiscard]] const Shape& padded() const { return padded_; }
  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] const Buffer<float>& a() const { return a_; }
  [[nodiscard]] const Buffer<float>& b() const { return b_; }
  [[nodiscard]] const Buffer<float>& c() const { return c_; }
  /// Each operand is read once, the result is written once; 2 m n k operations.
  [[nodiscard]] Work whole_work(const std::string& kernel) const;
  /// That of `matmul` and `reduce`, where that many groups share the terms of a result, and in total.
  [[nodiscard]] std::vector<Work> shared_work(std::int64_t shares) const;

 private:
  void upload_padded(const std::vector<float>& values, std::int64_t rows, std::int64_t cols,
                     std::int64_t stride, const Buffer<float>& to);

  Workspace& workspace_;
  std::shared_ptr<const MatmulInput> input_;
  Shape padded_;
  Buffer<float> a_, b_, c_;
  std::vector<float> result_;
};

std::unique_ptr<Case> blocked_case(const Setup& setup);  // blocked.cpp
std::unique_ptr<Case> thin_case(const Setup& setup);     // thin.cpp

}  // namespace dwarfsweep::matmul
