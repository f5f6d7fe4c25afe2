// The check of sums of absolute differences: all of them, and they must be equal. Shares no code with the
// kernels or with the host version: for an offset it takes the differences of whole lines, adds four lines,
// and then the columns of each block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::sad {

struct Frames {
  std::int64_t rows = 0, cols = 0;
  std::int64_t search = 0;  // offsets in each direction, from -(search / 2) on
  std::vector<std::uint8_t> current, reference;

  [[nodiscard]] std::int64_t block_rows() const { return (rows + 3) / 4; }
  [[nodiscard]] std::int64_t block_cols() const { return (cols + 3) / 4; }
  [[nodiscard]] std::size_t sums() const {
    return static_cast<std::size_t>(block_rows() * block_cols() * search * search);
  }
};

/// `sums` are block rows x block columns x search x search.
Check check_sums(const Frames& frames, std::span<const std::uint16_t> sums);

// What sad compares: two frames of one size.

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
