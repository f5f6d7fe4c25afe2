// Where each number of the fluid is in the device's memory, and what it is there; the same derivations as in
// kernels_cl/lbm/lbm.cl.
#include <bit>
#include <cmath>
#include <cstring>

#include "dwarfs/lbm/lbm.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::lbm {
namespace {

constexpr std::int64_t tile_cells = 32;
constexpr std::size_t vector_cells = 16;  // the widest vector may read beyond the last cell
constexpr float half_scale = 0x1p15F;

// To the nearest, ties to even. Within the range of halves.
std::uint16_t half_of(float value) {
  const auto sign = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U & 0x8000U);
  const float size = std::abs(value);
  if (size < 0x1p-14F) return sign | static_cast<std::uint16_t>(std::nearbyint(size * 0x1p24F));
  const auto word = std::bit_cast<std::uint32_t>(size) - (112U << 23U);
  return sign | static_cast<std::uint16_t>((word + 0xfffU + (word >> 13U & 1U)) >> 13U);
}

float float_of(std::uint16_t half) {
  const std::uint32_t exponent = half >> 10U & 31U;
  const std::uint32_t fraction = half & 0x3ffU;
  const float size = exponent == 0 ? static_cast<float>(fraction) * 0x1p-24F
                                   : std::bit_cast<float>((exponent + 112U) << 23U | fraction << 13U);
  return (half & 0x8000U) != 0 ? -size : size;
}

}  // namespace

Layout::Order Layout::order_of(const std::string& layout) {
  return layout == "aos"    ? Order::aos
         : layout == "soa"  ? Order::soa
         : layout == "rows" ? Order::rows
                            : Order::tiled;
}

Layout::Layout(const Grid& grid, const Config& config)
    : grid_(grid),
      order_(order_of(config.string("layout"))),
      storage_(config.string("storage") == "float"     ? Storage::plain
               : config.string("storage") == "shifted" ? Storage::shifted
                                                       : Storage::half),
      flags_in_cell_(config.string("flags") == "in_cell"),
      in_place_(config.string("variant") == "in_place"),
      pulls_(config.string("direction") == "pull"),
      pitch_(config.integer("padding") == 1 ? round_up(grid.nx, 32) : grid.nx),
      cells_(array_cells(static_cast<std::size_t>(pitch_ * grid.ny * grid.nz))),
      fields_(directions + (flags_in_cell_ ? 1 : 0)) {}

std::size_t Layout::bytes() const {
  return (cells_ * fields_ + vector_cells) * (storage_ == Storage::half ? 2 : 4);
}

std::size_t Layout::padded(std::size_t cell) const {
  if (pitch_ == grid_.nx) return cell;
  const auto nx = static_cast<std::size_t>(grid_.nx);
  return cell / nx * static_cast<std::size_t>(pitch_) + cell % nx;
}

std::size_t Layout::place(std::size_t field, std::size_t padded_cell) const {
  switch (order_) {
    case Order::aos:
      return padded_cell * fields_ + field;
    case Order::soa:
      return field * cells_ + padded_cell;
    case Order::rows: {
      const auto pitch = static_cast<std::size_t>(pitch_);
      return padded_cell / pitch * pitch * fields_ + field * pitch + padded_cell % pitch;
    }
    case Order::tiled:
      return padded_cell / tile_cells * (tile_cells * fields_) + field * tile_cells +
             padded_cell % tile_cells;
  }
  return 0;
}

std::size_t Layout::place_of(std::size_t i, std::size_t cell, const Place& at, bool turned) const {
  if (!pulls_ && !turned) return place(i, padded(cell));
  const std::size_t behind = neighbour(grid_, at, lattice[lattice[i].opposite]);
  return place(turned ? lattice[i].opposite : i, padded(behind));
}

std::vector<std::uint8_t> Layout::spread_flags(const std::vector<std::uint8_t>& flags) const {
  std::vector<std::uint8_t> spread(cells_ + vector_cells);
#pragma omp parallel for schedule(static)
  for (std::size_t cell = 0; cell < flags.size(); ++cell) spread[padded(cell)] = flags[cell];
  return spread;
}

std::vector<std::uint8_t> Layout::spread(const std::vector<float>& f,
                                         const std::vector<std::uint8_t>& flags) const {
  std::vector<std::uint8_t> buffer(bytes());
  const std::size_t cells = grid_.cells();
#pragma omp parallel for schedule(static)
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const auto put = [&](std::size_t at, auto value) {
      std::memcpy(buffer.data() + at * sizeof value, &value, sizeof value);
    };
    const Place own = place_of_cell(grid_, cell);
    for (std::size_t i = 0; i < directions; ++i) {
      const std::size_t at = place_of(i, cell, own, false);
      const auto shifted = static_cast<float>(f[i * cells + cell] - lattice[i].weight);
      if (storage_ == Storage::half) {
        put(at, half_of(half_scale * shifted));
      } else {
        put(at, storage_ == Storage::shifted ? shifted : f[i * cells + cell]);
      }
    }
    if (flags_in_cell_) put(place(directions, padded(cell)), static_cast<float>(flags[cell]));
  }
  return buffer;
}

std::vector<float> Layout::gather(const std::vector<std::uint8_t>& buffer, int steps) const {
  const std::size_t cells = grid_.cells();
  std::vector<float> f(directions * cells);
  const bool turned = in_place_ && steps % 2 == 1;
#pragma omp parallel for schedule(static)
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const Place own = place_of_cell(grid_, cell);
    for (std::size_t i = 0; i < directions; ++i) {
      const std::size_t at = place_of(i, cell, own, turned);
      float value = 0;
      if (storage_ == Storage::half) {
        std::uint16_t half = 0;
        std::memcpy(&half, buffer.data() + 2 * at, 2);
        value = float_of(half) / half_scale;
      } else {
        std::memcpy(&value, buffer.data() + 4 * at, 4);
      }
      f[i * cells + cell] = static_cast<float>(value + (storage_ == Storage::plain ? 0 : lattice[i].weight));
    }
  }
  return f;
}

}  // namespace dwarfsweep::lbm
