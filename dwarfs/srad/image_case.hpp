// What the cases of all variants of srad share: the image's transfers, the statistics, the check.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dwarfs/srad/input.hpp"
#include "dwarfs/srad/layout.hpp"
#include "dwarfs/srad/statistics.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::srad {

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
  const Parameters& p_;
  Layout layout_;
  std::size_t edge_, granularity_, width_;  // work_group, granularity, vector_width
  Statistics statistics_;
  Buffer<float> original_;
  // NOLINTEND(*-non-private-member-variables-in-classes)

 private:
  std::vector<float> output_;
};

}  // namespace dwarfsweep::srad
