#include "dwarfs/pns/net.hpp"

#include <fmt/format.h>

#include "harness/device/host.hpp"

namespace dwarfsweep::pns {

std::uint32_t refills_of(const Problem& problem) {
  constexpr std::int64_t steps = refill_words / 2;
  return static_cast<std::uint32_t>((problem.integer("steps") + steps - 1) / steps);
}

PnsInput::PnsInput(const Problem& problem, Random& random)
    : simulation_{static_cast<std::uint32_t>(problem.integer("n")),
                  refills_of(problem),
                  static_cast<std::uint32_t>(problem.integer("batch")),
                  static_cast<std::size_t>(problem.integer("trajectories")),
                  problem.string("rng") == "mt19937",
                  static_cast<std::uint32_t>(random.next() >> 32U)} {
  require_host_memory(
      fmt::format("pns: {} nets of {} places", simulation_.trajectories, simulation_.places()),
      2 * simulation_.marks());
}

Result<std::uint8_t> PnsInput::marks() const {
  const std::size_t n = simulation_.n;
  return {"marks", {simulation_.trajectories, 2 * n, n}, [this](std::size_t i) { return wanted().marks[i]; }};
}

// The sum of squares is exact. It and the number of places are rounded to floats, by at most u = 2^-24 each;
// OpenCL's division errs by 2.5 ulp, at most 5 u, and the subtraction by u of its result: 8 u of the mean of
// squares in all, and one u more for the products of these errors.
Result<float> PnsInput::statistics() const {
  return {"statistics", {simulation_.trajectories, 2}, [this](std::size_t i) -> Expected {
            if (i % 2 == 1) return {wanted().largest[i / 2], 0};
            const double mean = wanted().squares[i / 2] / simulation_.places();
            return {mean - 1, 9 * 0x1p-24 * mean};
          }};
}

}  // namespace dwarfsweep::pns
