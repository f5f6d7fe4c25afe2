// What sad compares: two frames of one size.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/sad/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::sad {

class SadInput final : public Input {
 public:
  explicit SadInput(Frames frames) : frames_(std::move(frames)) {}

  [[nodiscard]] const Frames& frames() const { return frames_; }
  [[nodiscard]] Check check(std::span<const std::uint16_t> sums) const { return check_sums(frames_, sums); }

 private:
  Frames frames_;
};

/// Random bytes. Throws PointFailure.
std::shared_ptr<const SadInput> generate_frames(const Problem& problem, std::uint64_t seed);

/// Reads two frames as info.input_formats says. Throws UsageError, InputError.
Loaded load_frames(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::sad
