// What the files of lbm declare to each other: its space, how the fluid lies in the device's memory, its case
// and its host version.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dwarfs/lbm/input.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/space.hpp"

namespace dwarfsweep::lbm {

/// Bytes of a cell: each f is read and written, and a flag is read.
constexpr double bytes_per_cell = 2 * 4 * directions + 1;
/// Operations of a cell's step: 18 and 21 additions and 3 products for density and velocity, 9 for what all
/// directions share, 9 for the first, and 14 for each pair of directions with 6 sums of velocities.
constexpr double operations_per_cell = 186;

/// Cells from one direction's array to the next. 19 arrays are read and 19 written at the same time: if they
/// were a multiple of 4096 bytes apart, as with 96 x 96 x 96 cells, they would share the few places of one
/// set of the first-level cache. They are 384 bytes further apart than that, and begin at multiples of 128.
constexpr std::size_t array_cells(std::size_t cells) {
  return (cells + 1023) / 1024 * 1024 + 96;
}

Space make_space();

/// Where to begin on a device if no point is known.
ValueMap first_choice(const Problem& problem, const Capabilities& device);

/// f as the device keeps it: the place, the shift and the width of each number, by the axes of a point.
class Layout {
 public:
  Layout(const Grid& grid, const Config& config);

  [[nodiscard]] std::int64_t pitch() const { return pitch_; }
  /// Cells with those that pad rows.
  [[nodiscard]] std::size_t cells() const { return cells_; }
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] Storage storage() const { return storage_; }
  /// A flag for each cell, and as many behind as the widest vector has.
  [[nodiscard]] std::vector<std::uint8_t> spread_flags(const std::vector<std::uint8_t>& flags) const;
  /// The buffer before the first step, from [direction][cell].
  [[nodiscard]] std::vector<std::uint8_t> spread(const std::vector<float>& f,
                                                 const std::vector<std::uint8_t>& flags) const;
  /// The reverse, after `steps` steps.
  [[nodiscard]] std::vector<float> gather(const std::vector<std::uint8_t>& buffer, int steps) const;

 private:
  enum class Order { aos, soa, tiled, rows };
  [[nodiscard]] static Order order_of(const std::string& layout);
  [[nodiscard]] std::size_t padded(std::size_t cell) const;
  [[nodiscard]] std::size_t place(std::size_t field, std::size_t padded_cell) const;
  /// Where direction `i` of a cell is; `turned` as after an odd step in place.
  [[nodiscard]] std::size_t place_of(std::size_t i, std::size_t cell, const Place& at, bool turned) const;

  Grid grid_;
  Order order_;
  Storage storage_;
  bool flags_in_cell_, in_place_, pulls_;
  std::int64_t pitch_;
  std::size_t cells_, fields_;
};

std::unique_ptr<Case> make_case(const Setup& setup);

/// On `threads` threads (1: serial).
std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const LbmInput> input, int threads);

}  // namespace dwarfsweep::lbm
