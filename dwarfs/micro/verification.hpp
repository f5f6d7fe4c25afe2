// What every result of micro is compared with. Shares no code with the host version and the kernels.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "harness/dwarf.hpp"

namespace dwarfsweep::micro {

constexpr std::size_t edge = 32;         ///< work-items that share a tile, and words of a line
constexpr std::size_t block_words = 64;  ///< words of a block that is permuted

/// The problem.
struct Parameters {
  std::size_t items = 0;     ///< results of each kernel
  std::uint32_t rounds = 0;  ///< repetitions
  std::uint32_t bits = 0;    ///< positions of a block that are permuted
};

struct Results {
  std::vector<std::uint32_t> traversed, diverged, permuted;
};

/// How a configuration assigns work: `divergent` of 32 work-items have a path of their own, and `width`
/// neighbouring results belong to one work-item (and to the same position of as many blocks).
struct Assignment {
  std::uint32_t divergent = 0;
  std::size_t width = 1;
};

/// The expected results, computed when first needed. The seeds must outlive it.
class Reference {
 public:
  Reference(const Parameters& parameters, std::span<const std::uint32_t> seeds)
      : parameters_(parameters), seeds_(seeds) {}
  /// Exact; of each array, the first `items` words.
  [[nodiscard]] Check compare(const Results& got, const Assignment& assignment) const;

 private:
  Parameters parameters_;
  std::span<const std::uint32_t> seeds_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint32_t> traversed_, one_path_;
};

}  // namespace dwarfsweep::micro
