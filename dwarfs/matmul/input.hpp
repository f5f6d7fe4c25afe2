// The operands of matmul together with their check: generated, or from two files.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/matmul/operands.hpp"
#include "dwarfs/matmul/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::matmul {

class MatmulInput final : public Input {
 public:
  explicit MatmulInput(Operands operands) : operands_(std::move(operands)), verifier_(operands_) {}

  [[nodiscard]] const Operands& operands() const { return operands_; }
  [[nodiscard]] const Shape& shape() const { return operands_.shape; }
  [[nodiscard]] Check check(std::span<const float> c) const { return verifier_.check(c); }

 private:
  Operands operands_;
  Verifier verifier_;
};

/// Two matrices, A and B, as info.input_formats says. Throws UsageError, InputError.
Loaded load_operands(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::matmul
