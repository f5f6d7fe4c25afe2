// The numbers that fft_1d transforms, with their check: generated, or from a file.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/fft_1d/plan.hpp"
#include "dwarfs/fft_1d/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::fft_1d {

class Signal final : public Input {
 public:
  /// `values`: real and imaginary part of each number side by side.
  Signal(const Shape& shape, std::vector<float> values)
      : shape_(shape), values_(std::move(values)), verifier_(shape_, values_) {}

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<float>& values() const { return values_; }
  [[nodiscard]] Check check(std::span<const float> spectrum) const { return verifier_.check(spectrum); }

 private:
  Shape shape_;
  std::vector<float> values_;
  Verifier verifier_;
};

/// Parts uniform in [-1, 1). Throws PointFailure where the host's memory does not suffice.
std::shared_ptr<const Signal> random_signal(const Problem& problem, std::uint64_t seed);

/// A file as info.input_formats says. Throws UsageError, InputError.
Loaded load_signal(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::fft_1d
