// How each claim of the papers is judged on one device.
#pragma once

#include <string>
#include <vector>

#include "suite/report/payoff.hpp"

namespace dwarfsweep {

/// What was measured on one device.
struct ClaimFacts {
  const ReportData& data;
  std::size_t column;
  std::vector<AxisEffect> effects;  ///< of the column

  [[nodiscard]] const std::string& device_type() const { return data.model.columns[column].any->device_type; }
};

struct ClaimRule {
  std::string text;
  std::string work;  ///< the name of the work in results/published
  std::string rule;  ///< how the verdict follows from what was measured
  Claim::Verdict (*judge)(const ClaimFacts& facts);
};

const std::vector<ClaimRule>& claim_rules();

}  // namespace dwarfsweep
