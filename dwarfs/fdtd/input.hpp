// The grid and the medium of fdtd, its fields before the first step, and the check of a result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "harness/space/problem.hpp"

namespace dwarfsweep::fdtd {

/// nx rows of ny cells, contiguous. Lengths are in cells, times in cells of light in a vacuum, permittivity
/// and permeability relative to the vacuum's.
struct Grid {
  std::size_t nx = 0, ny = 0;
  int steps = 1;
  bool has_source = false;

  [[nodiscard]] std::size_t cells() const { return nx * ny; }
  [[nodiscard]] bool is_inner(std::size_t i, std::size_t j) const {
    return i > 0 && j > 0 && i + 1 < nx && j + 1 < ny;
  }
  /// Where the source is: an inner cell.
  [[nodiscard]] std::size_t source_row() const { return nx / 3; }
  [[nodiscard]] std::size_t source_column() const { return ny / 2; }
};

Grid grid_of(const Problem& problem);

/// The time step, 0.9 of the longest stable one: D of the head of kernels_cl/fdtd/fdtd.cl.
constexpr float time_step = 0.636396F;

/// What the source adds to Ez in a step: a Ricker pulse whose spectrum peaks at a wavelength of 20 cells.
float source_in_step(int step);

/// A material's two numbers in a step.
struct Coefficients {
  float ca = 0, cb = 0;
};

/// Permittivity at least 1, conductivity at least 0.
Coefficients coefficients_of(double permittivity, double conductivity);

/// A material for each cell, by a byte. The outermost cells have `conductor`, whose coefficients are 0: there
/// Ez stays 0.
struct Medium {
  static constexpr std::uint8_t conductor = 255;

  std::vector<std::uint8_t> index;
  std::array<Coefficients, 256> materials{};

  /// One of the two numbers for every cell.
  [[nodiscard]] std::vector<float> of_each_cell(float Coefficients::*number) const;
};

struct Fields {
  std::vector<float> ez, hx, hy;  ///< of each cell
};

/// The expected fields and the bounds of their errors, computed at the first check.
class Verifier {
 public:
  /// All must outlive the verifier.
  Verifier(const Grid& grid, const Medium& medium, const Fields& start)
      : grid_(grid), medium_(medium), start_(start) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  [[nodiscard]] Check check(const Fields& result) const;

 private:
  void compute_expected() const;

  const Grid& grid_;
  const Medium& medium_;
  const Fields& start_;
  mutable std::once_flag once_;
  mutable std::vector<double> ez_, hx_, hy_;
  mutable double tolerance_ = 0;     ///< of each value
  mutable double energy_bound_ = 0;  ///< of the root of the energy of all errors
};

class FdtdInput final : public Input {
 public:
  FdtdInput(const Grid& grid, Medium medium, Fields start)
      : grid_(grid),
        medium_(std::move(medium)),
        start_(std::move(start)),
        verifier_(grid_, medium_, start_) {}

  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] const Medium& medium() const { return medium_; }
  [[nodiscard]] const Fields& start() const { return start_; }
  [[nodiscard]] Check check(const Fields& result) const { return verifier_.check(result); }

 private:
  Grid grid_;
  Medium medium_;
  Fields start_;
  Verifier verifier_;
};

/// Uniform fields in [-1, 1), Ez 0 on the outermost cells; a background with discs and rectangles of
/// permittivity 1 to 12, every second of them conducting. Throws PointFailure if the host lacks the memory.
std::shared_ptr<const FdtdInput> generate_grid(const Problem& problem, std::uint64_t seed);

/// The medium from a PGM image, as info.input_formats says; fields as generated from seed 1. Throws
/// UsageError, InputError, PointFailure.
Loaded load_medium(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::fdtd
