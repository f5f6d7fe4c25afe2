// The sequences that needle aligns: random ones, and those from files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "dwarfs/needle/sequences.hpp"
#include "dwarfs/needle/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// Two sequences and the check of their scores.
class NeedleInput final : public Input, public Sequences {
 public:
  /// Throws UsageError for a letter that the scoring does not know. `scoring` must outlive this.
  NeedleInput(SequencePair letters, const Scoring& scoring, std::int32_t gap)
      : Sequences(std::move(letters), scoring, gap), verification_(*this) {}

  [[nodiscard]] const ScoreVerification& verification() const { return verification_; }

 private:
  ScoreVerification verification_;
};

/// Letters drawn uniformly, the same on every machine. `problem` has the keys m, n, scoring and gap.
std::shared_ptr<NeedleInput> random_sequences(const Problem& problem, std::uint64_t seed);

}  // namespace dwarfsweep
