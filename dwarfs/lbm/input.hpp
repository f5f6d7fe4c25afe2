// The fluid of lbm before the first step, its obstacles, and the check of a result.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dwarfs/lbm/lattice.hpp"
#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::lbm {

class Verifier {
 public:
  /// `f` and `flags` must outlive the verifier.
  Verifier(const Grid& grid, const std::vector<float>& f, const std::vector<std::uint8_t>& flags)
      : grid_(grid), f_(f), flags_(flags) {}
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `f` is [direction][cell], after all steps.
  [[nodiscard]] Check check(std::span<const float> f, Storage storage) const;

 private:
  /// What the tolerance depends on; f by their weights.
  struct Extremes {
    double speed = 0;       // |u|
    double population = 0;  // f / W
    double deviation = 0;   // |f / W - 1|
    double density = 1e30;  // the least
  };
  /// Bounds for a result; the comments of verification.cpp derive them.
  struct Bounds {
    double last_step = 0;  // of f / W
    double spread = 0;     // of f / sqrt(W)
    double rms = 0;
    double mass = 0;  // of the mean density
  };

  void compute_expected() const;
  void make_step(const double* from, double* to) const;
  void note_extremes(const double* row, const std::uint8_t* flags, const std::vector<double>& density,
                     const std::vector<double>& square, Extremes& e) const;
  [[nodiscard]] double error_of_step() const;
  [[nodiscard]] Bounds bounds(Storage storage) const;

  const Grid grid_;
  const std::vector<float>& f_;
  const std::vector<std::uint8_t>& flags_;
  mutable std::once_flag once_;
  mutable std::vector<float> expected_;
  mutable double mass_ = 0;
  mutable Extremes extremes_;
};

class LbmInput final : public Input {
 public:
  LbmInput(const Grid& grid, std::vector<float> f, std::vector<std::uint8_t> flags)
      : grid_(grid), f_(std::move(f)), flags_(std::move(flags)), verifier_(grid_, f_, flags_) {}

  [[nodiscard]] const Grid& grid() const { return grid_; }
  /// [direction][cell].
  [[nodiscard]] const std::vector<float>& f() const { return f_; }
  /// A Flag for each cell.
  [[nodiscard]] const std::vector<std::uint8_t>& flags() const { return flags_; }
  [[nodiscard]] Check check(std::span<const float> f, Storage storage) const {
    return verifier_.check(f, storage);
  }

 private:
  Grid grid_;
  std::vector<float> f_;
  std::vector<std::uint8_t> flags_;
  Verifier verifier_;
};

/// Each f is its weight times 0.95 to 1.05. Throws PointFailure where the host's memory does not suffice.
std::shared_ptr<const LbmInput> generate_fluid(const Problem& problem, std::uint64_t seed);

/// Fluid at rest around the obstacles of a file. Throws UsageError, InputError.
Loaded load_obstacles(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::lbm
