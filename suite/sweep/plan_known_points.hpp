// The points that a plan takes from what was measured before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "suite/engine/sweep_group.hpp"
#include "suite/plan/best.hpp"
#include "suite/plan/options.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/transfer.hpp"

namespace dwarfsweep {

/// For the plans `best` and `ci` the best points known, for `transfer` those of earlier runs: as the log of
/// the run says, so that it goes on with the same points; else by what is known now. What this machine has
/// found may be another point tomorrow, and so `ci` goes by what is part of the program.
class PlanKnownPoints {
 public:
  PlanKnownPoints(const Options& options, const PlanRequest& plan, const KnownPoints& before);

  [[nodiscard]] bool is_asked() const {
    return plan_.kind == PlanKind::best || plan_.kind == PlanKind::ci || plan_.kind == PlanKind::transfer;
  }
  /// Throws UsageError and InputError where an earlier run cannot be read.
  [[nodiscard]] KnownPointRecord of(const DeviceInfo& device, const Dwarf& dwarf,
                                    const Problem& problem) const;

 private:
  void find_best_of(KnownPointRecord& record, const DeviceInfo& device, const Dwarf& dwarf,
                    const Problem& problem) const;

  [[nodiscard]] const std::vector<EarlierRun>& earlier() const;

  const Options& options_;
  const PlanRequest& plan_;
  const KnownPoints& before_;
  std::vector<BestPoint> own_;
  /// Read when they are needed: a run that goes on has its points in its log, and the folders may be
  /// elsewhere.
  mutable std::optional<std::vector<EarlierRun>> earlier_;
};

/// All settings of the record, for the plan.
std::vector<ValueMap> settings_of(const KnownPointRecord& known);

/// Notes in the group's points where they come from, and which is the best known point. `plan`: with those
/// settings.
void say_origins(SweepGroup& group, const PlanRequest& plan);

}  // namespace dwarfsweep
