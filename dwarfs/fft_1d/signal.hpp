// The signals that fft_1d transforms, and the check of their spectra.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/fft_1d/plan.hpp"
#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::fft_1d {

/// What an error may be, relative to the norm of the spectrum of 2^log_n numbers.
double relative_tolerance(int log_n);

class Verifier {
 public:
  /// `signal` must outlive the verifier.
  Verifier(const Shape& shape, const std::vector<float>& signal) : shape_(shape), signal_(signal) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// Reported errors are norms relative to the norm of the spectrum, for the transform that is furthest off.
  [[nodiscard]] Check check(std::span<const float> spectrum) const;

 private:
  void compute_expected() const;

  const Shape shape_;
  const std::vector<float>& signal_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
};

class Signal final : public Input {
 public:
  /// `values`: the real and imaginary part of each number are adjacent.
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
