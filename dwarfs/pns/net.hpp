// The nets of pns: what is simulated, and what each trajectory's marks must be.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "harness/run/array_dwarf.hpp"

namespace dwarfsweep::pns {

constexpr std::size_t refill_words = 624;

/// As kernels_cl/pns/pns.cl has them: the rule, the random words and the numbers of places.
struct Simulation {
  std::uint32_t n = 0;  ///< columns; there are twice as many rows
  std::uint32_t refills = 0;
  std::uint32_t batch = 0;
  std::size_t trajectories = 0;
  bool mersenne = true;
  std::uint32_t seed = 0;

  [[nodiscard]] std::uint32_t places() const { return 2 * n * n; }
  [[nodiscard]] std::size_t marks() const { return trajectories * places(); }
  [[nodiscard]] double attempts() const {
    return static_cast<double>(refill_words) * refills * static_cast<double>(trajectories);
  }
};

/// Half of the words of a refill count as steps, as in the public code.
std::uint32_t refills_of(const Problem& problem);

/// The words of a trajectory's refills, one after the other.
std::vector<std::uint32_t> reference_words(const Simulation& simulation, std::size_t trajectory);
/// The marks of a trajectory after its run. Verification alone uses these two.
std::vector<std::uint32_t> reference_marks(const Simulation& simulation, std::size_t trajectory);

class PnsInput final : public Input {
 public:
  PnsInput(const Problem& problem, Random& random);

  [[nodiscard]] const Simulation& simulation() const { return simulation_; }
  [[nodiscard]] Result<std::uint8_t> marks() const;
  /// For each trajectory, the mean of the squares of its marks, less 1, and the largest mark.
  [[nodiscard]] Result<float> statistics() const;
  [[nodiscard]] auto results() const { return std::tuple(marks(), statistics()); }
  void compute(int threads, std::vector<std::uint8_t>& marks, std::vector<float>& statistics) const;

 private:
  struct Wanted {
    std::vector<std::uint8_t> marks;
    std::vector<double> squares, largest;  // of each trajectory: sum of squares, largest mark
  };
  [[nodiscard]] const Wanted& wanted() const;

  Simulation simulation_;
  mutable std::once_flag once_;
  mutable Wanted wanted_;
};

}  // namespace dwarfsweep::pns
