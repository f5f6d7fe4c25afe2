// micro's input: a random word for each result.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dwarfs/micro/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::micro {

class MicroInput final : public Input {
 public:
  MicroInput(const Parameters& parameters, std::uint64_t seed);

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] std::span<const std::uint32_t> seeds() const { return seeds_; }
  [[nodiscard]] const Reference& reference() const { return reference_; }

 private:
  Parameters parameters_;
  std::vector<std::uint32_t> seeds_;
  Reference reference_;
};

std::shared_ptr<const Input> generate(const Problem& problem, std::uint64_t seed);

}  // namespace dwarfsweep::micro
