// The two sides of a comparison: each a run, or one device of a run, with its points by names that both
// share.
#pragma once

#include <map>
#include <set>
#include <string>

#include "suite/compare/block_samples.hpp"
#include "suite/compare/compare_match.hpp"

namespace dwarfsweep {

/// One of the two sides.
struct ComparedSide {
  /// `ids`: id of a device of this run -> its id on both sides. Rows of other devices are left out.
  ComparedSide(const RunData& own, const RunData& other, std::map<std::string, std::string> ids);

  const RunData& run;
  PointNames names;
  std::map<std::string, ComparedDevice> devices;  ///< by id in this run
  std::map<std::string, std::string> ids;
  std::map<std::string, const MeasurementRow*> rows;  ///< the last part's, by name of the point
  std::map<std::string, PointBlocks> blocks;          ///< by name of the point
  std::map<std::string, double> inflations;           ///< see variance_inflation; by id on both sides

  /// The name of the row's point; empty where its device is on this side alone.
  [[nodiscard]] std::string name(const RowIdentity& row) const;
};

/// The names of those points of this side that are baselines or re-measured best candidates: of the latter
/// all count, because the fastest of them is again chosen by its samples.
std::set<std::string> best_names(const ComparedSide& side);

}  // namespace dwarfsweep
