// Two drivers in one run: the points of two environments are measured alternately, each by its own workers.
//
// Runs of two evenings differ by everything that the machine did in between. Here each measurement block of a
// point in the old environment is paired with one in the new, in random order. Drift and other programs
// affect both, so their ratio can be taken block by block.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "suite/engine/sweep_group.hpp"
#include "suite/plan/options.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// One of two environments, and its device.
struct PairedSide {
  std::string text;                    ///< as given: "OCL_ICD_VENDORS=/old"
  std::vector<std::string> variables;  ///< "NAME=value"
  DeviceInfo device;                   ///< as its driver has it
  std::string id;                      ///< of the device in the run: its own, and which side it is
};
using PairedSides = std::array<PairedSide, 2>;

/// Asks the environment for its device, which `selectors` choose. `name`: which side it is. Throws UsageError
/// and NoDeviceError, also if its drivers do not answer within the limit.
PairedSide find_side(const std::string& text, const std::string& name,
                     const std::vector<std::string>& selectors,
                     std::chrono::milliseconds limit = std::chrono::seconds(60));

/// Asks the environments, the old and the new one, for their devices; `devices` names one of each, or first
/// the old one's and then the new one's. Throws UsageError and NoDeviceError.
PairedSides find_sides(const std::vector<std::string>& environments, const std::vector<std::string>& devices);

/// The same points on both sides, in the same order: those that the plan has on either.
using PairedGroup = std::array<SweepGroup, 2>;
std::vector<PairedGroup> plan_pairs(const Options& options, const PairedSides& sides);
/// The points of a group, whatever its device, on both sides.
PairedGroup on_both_sides(const SweepGroup& group, const PairedSides& sides);

/// The logarithms of new over old time, of the blocks that both sides have in a round: of the whole run, or
/// of one kernel.
std::vector<double> log_ratios(const std::vector<BlockRecord>& before, const std::vector<BlockRecord>& after,
                               const std::string& kernel = "total");

/// Whether enough is known of a point, from its log_ratios() so far. Asked before each of its rounds.
using KnowsEnough = std::function<bool(const std::vector<double>& log_ratios)>;

/// Every point of the groups on both sides: prepared, verified, measured in rounds until `enough` is known of
/// it (empty: in all rounds), its last output checked. After the deadline no further point is prepared.
/// Writes into `folder`, and returns what it has written. `run`: this program on this host. Throws
/// NoDeviceError where a device does not open, and Interrupted.
RunLog measure_pairs(const Options& options, const std::filesystem::path& folder, const RunRecord& run,
                     const PairedSides& sides, std::vector<PairedGroup>& groups,
                     const KnowsEnough& enough = {});

}  // namespace dwarfsweep
