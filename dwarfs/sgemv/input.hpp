// The operands of sgemv together with their check: generated, or with a matrix from a file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dwarfs/sgemv/operands.hpp"
#include "dwarfs/sgemv/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::sgemv {

class SgemvInput final : public Input {
 public:
  explicit SgemvInput(Operands operands) : operands_(std::move(operands)), verifier_(operands_) {}

  [[nodiscard]] const Operands& operands() const { return operands_; }
  [[nodiscard]] const Shape& shape() const { return operands_.shape; }
  [[nodiscard]] Check check(std::span<const float> y) const { return verifier_.check(y); }

 private:
  Operands operands_;
  Verifier verifier_;
};

/// Throws PointFailure where the host's memory does not suffice.
std::shared_ptr<const SgemvInput> generate_operands(const Shape& shape, std::uint64_t seed);

/// A matrix as info.input_formats says; the vectors are generated. Throws UsageError, InputError,
/// PointFailure.
Loaded load_matrix(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::sgemv
