// What every result of micro is compared with. Shares no code with the host version and the kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace dwarfsweep::micro {

constexpr std::size_t edge = 32;         ///< work-items that share a tile, and words of a line
constexpr std::size_t block_words = 64;  ///< words of a block that is permuted

/// The problem.
struct Parameters {
  std::size_t items = 0;     ///< results of each kernel
  std::uint32_t rounds = 0;  ///< repetitions
  std::uint32_t bits = 0;    ///< positions of a block that are permuted
};

/// The expected results, computed when first needed. The seeds must outlive it; those beyond their end are 0.
class Reference {
 public:
  Reference(const Parameters& parameters, std::span<const std::uint32_t> seeds)
      : parameters_(parameters), seeds_(seeds) {}

  [[nodiscard]] std::uint32_t traversed(std::size_t index) const;
  /// `divergent` of 32 work-items have a path of their own, and each work-item has `width` neighbouring
  /// results.
  [[nodiscard]] std::uint32_t diverged(std::size_t index, std::size_t divergent, std::size_t width) const;
  /// `width` neighbouring results have the same position in as many blocks.
  [[nodiscard]] std::uint32_t permuted(std::size_t index, std::size_t width) const;

 private:
  /// What all configurations have in common.
  struct Common {
    std::vector<std::uint32_t> traversed;
    std::vector<std::uint32_t> one_path;             ///< results of `diverge` where nothing diverges
    std::array<std::size_t, block_words> sources{};  ///< where each word of a block comes from in the end
  };
  const Common& common() const;

  Parameters parameters_;
  std::span<const std::uint32_t> seeds_;
  mutable std::once_flag once_;
  mutable Common common_;
};

}  // namespace dwarfsweep::micro
