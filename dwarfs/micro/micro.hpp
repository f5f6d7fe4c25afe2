// micro: its data, and what every result is compared with, which shares no code with the host version and the
// kernels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "harness/run/array_dwarf.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::micro {

constexpr std::size_t edge = 32;         ///< work-items that share a tile, and words of a line
constexpr std::size_t block_words = 64;  ///< words of a block that is permuted

/// The chain of dependent loads: slot s has the address of slot (factor * s + addend) % slots, which makes a
/// single cycle of any power of two (Knuth, "The Art of Computer Programming", vol. 2, 3.2.1.2, theorem A).
struct Chain {
  static constexpr std::uint32_t factor = 1664525, addend = 1013904223;
  /// Odd, so that a chain does not end where it begins.
  static constexpr std::uint64_t loads_of_round = 8191;

  std::uint32_t slots = 512;
  std::uint32_t spacing = 1;  ///< words from one slot to the next

  [[nodiscard]] constexpr std::size_t bytes() const {
    return std::size_t{slots} * spacing * sizeof(std::uint32_t);
  }
  [[nodiscard]] std::vector<std::uint32_t> words() const;
};

/// 2^19 lines of 256 bytes, beyond the caches of today's GPUs. Other chains are within every cache.
constexpr Chain global_chain{1U << 19U, 64};

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
  /// Where a chain leads from its first slot.
  [[nodiscard]] std::uint32_t chased(const Chain& chain) const;

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

/// A random word for each result.
class MicroInput final : public Input {
 public:
  MicroInput(const Problem& problem, Random& random);

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] std::span<const std::uint32_t> seeds() const { return seeds_; }
  [[nodiscard]] const Reference& reference() const { return reference_; }

  /// Of the host version: nothing diverges, and neighbouring results have neighbouring positions.
  [[nodiscard]] std::tuple<Result<std::uint32_t>, Result<std::uint32_t>, Result<std::uint32_t>> results()
      const;
  /// The blocks of 64 are divided among `threads` threads.
  void compute(int threads, std::vector<std::uint32_t>& traversed, std::vector<std::uint32_t>& diverged,
               std::vector<std::uint32_t>& permuted) const;

 private:
  Parameters parameters_;
  std::vector<std::uint32_t> seeds_;
  Reference reference_;
};

/// case.cpp
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::micro
