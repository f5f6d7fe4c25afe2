// The atoms of rpes, the basis that all of them have, the list of integrals, and its check.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/run/case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::rpes {

/// Atoms i, j, k, l of an integral (ij|kl).
using Quartet = std::array<std::int32_t, 4>;

/// Which integrals are computed, and in which order. Pair ij, i >= j, has the number i (i + 1) / 2 + j.
class Quartets {
 public:
  /// All that differ (ij >= kl, i >= j, k >= l), or those with i >= j >= k >= l.
  Quartets(std::int64_t atoms, bool ordered);

  [[nodiscard]] std::size_t count() const { return starts_.back(); }
  [[nodiscard]] std::size_t pairs() const { return atoms_of_.size(); }
  /// The atoms of each pair.
  [[nodiscard]] const std::vector<std::array<std::int32_t, 2>>& atoms_of() const { return atoms_of_; }
  /// The integrals of the pair ij begin at its start with kl = 0 and end where the next one's begin.
  [[nodiscard]] const std::vector<std::uint32_t>& starts() const { return starts_; }
  [[nodiscard]] Quartet operator[](std::size_t index) const;
  /// All of them.
  [[nodiscard]] std::vector<std::int32_t> list() const;

 private:
  std::vector<std::array<std::int32_t, 2>> atoms_of_;
  std::vector<std::uint32_t> starts_;
};

/// How a version computes, as far as its errors depend on it.
struct Method {
  double root = 4 * 0x1p-24;         ///< relative error of 1 / sqrt
  double exponential = 6 * 0x1p-24;  ///< of exp
  double boys = 48 * 0x1p-24;        ///< of F0, without the root
  bool screened = false;             ///< leaves out terms below the square root of 1e-23
};

class RpesInput final : public Input {
 public:
  /// `centres` has x, y, z of each atom, in Bohr radii.
  RpesInput(std::vector<float> centres, std::vector<float> exponents, std::vector<float> coefficients,
            bool ordered);

  [[nodiscard]] const std::vector<float>& centres() const { return centres_; }
  [[nodiscard]] const std::vector<float>& exponents() const { return exponents_; }
  /// The coefficients of primitives that are not normalised.
  [[nodiscard]] const std::vector<float>& coefficients() const { return coefficients_; }
  [[nodiscard]] const Quartets& quartets() const { return quartets_; }
  /// Terms of an integral.
  [[nodiscard]] std::size_t terms() const;
  [[nodiscard]] Check check(std::span<const float> integrals, const Method& method) const;

 private:
  /// What is known of an integral: its value, and sums over its terms of what errors are measured by.
  struct Expected {
    std::size_t index = 0;
    double value = 0;
    double magnitude = 0;     // |t|
    double arguments = 0;     // |t| times those of both exponentials
    double displacement = 0;  // |t| |F0' / F0| times the error of F0's argument
  };
  void compute_expected() const;
  [[nodiscard]] Expected expected_of(std::size_t index) const;
  [[nodiscard]] double tolerance_of(const Expected& expected, const Method& method) const;

  std::vector<float> centres_, exponents_, coefficients_;
  Quartets quartets_;
  mutable std::once_flag once_;
  mutable std::vector<Expected> expected_;
};

/// Throws PointFailure where the host's memory does not suffice.
std::shared_ptr<const RpesInput> generate_atoms(const Problem& problem, std::uint64_t seed);

/// Atoms from .xyz and a basis from a text. Throws UsageError, InputError.
Loaded load_molecule(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::rpes
