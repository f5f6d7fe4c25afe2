// Optimisation carving: Ryoo et al., "Program optimization carving for GPU computing", JPDC 68, 2008 (paper
// 001). Two metrics that need no measurement decide which points of a pool are worth measuring.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "suite/search/search_space.hpp"

namespace dwarfsweep {

/// What one processor of a GPU (SM, compute unit) holds at most.
struct ProcessorLimits {
  std::uint64_t registers = 0;    ///< of 32 bits
  std::uint64_t local_bytes = 0;  ///< of local memory
  std::uint64_t items = 0;        ///< work-items
  std::uint64_t groups = 0;
  std::uint64_t warp = 32;                 ///< work-items that run in lockstep
  std::uint64_t register_step = 1;         ///< a warp's registers are allocated in multiples of this number
  std::uint64_t local_bytes_of_group = 0;  ///< of local memory that each group takes in addition to its own
};

/// The GeForce 8800 by the paper's Table 2, and NVIDIA's compute capability 9.0 (H100, H200) by the CUDA C++
/// Programming Guide.
inline constexpr ProcessorLimits geforce_8800 = {8192, 16384, 768, 8};
inline constexpr ProcessorLimits compute_capability_9 = {65536, 233472, 2048, 32, 32, 256, 1024};

/// By the same guide; `capability` is ten times the major number plus the minor one, 86 for 8.6. None where
/// it is not in the table.
std::optional<ProcessorLimits> limits_of(std::uint32_t capability);

/// What a group needs.
struct GroupNeeds {
  std::uint64_t registers = 0;  ///< of each work-item; 0: not known to be limited
  std::uint64_t local_bytes = 0;
  std::uint64_t items = 0;
};

/// B_SM: how many groups a processor has resident at the same time; 0 where it cannot hold one.
std::uint64_t resident_groups(const ProcessorLimits& limits, const GroupNeeds& group);

/// What was counted of a point, over all its launches.
struct InstructionCounts {
  double instructions = 0;  ///< executed, by all work-items: the paper's Instr * Threads
  double threads = 0;       ///< work-items of all launches
  double regions = 0;       ///< of a work-item: its intervals between blocking instructions
};

/// Efficiency = 1 / (Instr * Threads).
double carve_efficiency(const InstructionCounts& counts);

/// Utilisation = (Instr / Regions) * [(W_TB - 1) / 2 + (B_SM - 1) * W_TB]; 0 for a group that no processor
/// can hold.
double carve_utilisation(const InstructionCounts& counts, const ProcessorLimits& limits,
                         const GroupNeeds& group);

struct Carving {
  /// The points of the pool that have metrics, in the order in which they are worth measuring: the Pareto
  /// front of efficiency and utilisation, then the front of what is left, and so on; each by efficiency.
  std::vector<PointNumber> order;
  /// So many of them are kept: the front.
  std::size_t kept = 0;
  /// No point has a utilisation, as on CPUs: the order is by efficiency, and of one metric there is no front
  /// but its maximum. Kept is the share of SearchParameters::carved_share, and what equals the last of it.
  bool by_efficiency_alone = false;
};

/// If some points of the pool have a utilisation, those without are left out. A point is dominated by one
/// that is not worse in either metric and better in one.
Carving carve(const SearchSpace& space, const std::vector<PointNumber>& pool);

/// The points that carving considers: all legal ones, or, if there are more than
/// SearchParameters::carved_pool, that many, drawn uniformly.
std::vector<PointNumber> carve_pool(const SearchSpace& space, std::uint64_t seed);

}  // namespace dwarfsweep
