// What the papers claim, checked on what was measured here.
#pragma once

#include <string>
#include <vector>

#include "suite/report/html.hpp"
#include "suite/report/matched_pairs.hpp"

namespace dwarfsweep {

struct Claim {
  enum class Outcome { holds, fails, mixed, open };
  std::string text;
  Outcome outcome = Outcome::open;
  std::string evidence;      ///< counts and examples; where open, what is missing
  std::string command = {};  ///< where open: what would decide; empty: nothing here can
};

std::vector<Claim> check_claims(const ReportData& data, const std::vector<AxisEffect>& effects);
Html claims_part(const ReportData& data, const std::vector<AxisEffect>& effects);

/// Those that rest on matched pairs.
Claim unrolling_claim(const ReportData& data, const std::vector<AxisEffect>& effects);
Claim tile_claim(const ReportData& data, const std::vector<AxisEffect>& effects);
Claim coarsening_claim(const ReportData& data, const std::vector<AxisEffect>& effects);
/// Those that rest on whole spaces and on what a run is part of.
Claim occupancy_claim(const ReportData& data);
Claim local_maxima_claim(const ReportData& data);
Claim transfer_claim(const ReportData& data);
Claim loader_claim(const ReportData& data);

}  // namespace dwarfsweep
