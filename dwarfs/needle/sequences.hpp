// Two sequences of letters and how they score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dwarfs/needle/scoring.hpp"

namespace dwarfsweep {

struct SequencePair {
  std::string first;
  std::string second;
};

class Sequences {
 public:
  /// Throws UsageError for a letter that the scoring does not know. `scoring` must outlive this.
  Sequences(SequencePair letters, const Scoring& scoring, std::int32_t gap);

  [[nodiscard]] std::size_t rows() const { return first_.size(); }      ///< m
  [[nodiscard]] std::size_t columns() const { return second_.size(); }  ///< n
  [[nodiscard]] const SequencePair& letters() const { return letters_; }
  [[nodiscard]] const Scoring& scoring() const { return scoring_; }
  [[nodiscard]] std::int32_t gap() const { return gap_; }
  [[nodiscard]] const std::vector<std::uint8_t>& first() const { return first_; }    ///< codes
  [[nodiscard]] const std::vector<std::uint8_t>& second() const { return second_; }  ///< codes

  /// For every letter a row of its scores with each of `second`, each plus `offset`; rows of `row_length`, at
  /// least columns(), whose tails hold `offset`.
  [[nodiscard]] std::vector<std::int16_t> profile(std::size_t row_length, std::int32_t offset) const;

 private:
  SequencePair letters_;
  const Scoring& scoring_;
  std::int32_t gap_;
  std::vector<std::uint8_t> first_;
  std::vector<std::uint8_t> second_;
};

}  // namespace dwarfsweep
