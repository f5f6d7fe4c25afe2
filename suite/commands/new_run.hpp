// What the commands have in common that make a run: its folder, its record, its best points, its exit status.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/device/inventory.hpp"
#include "suite/plan/best.hpp"
#include "suite/plan/options.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// The folder of a new run: --out, else one in results/runs. Throws UsageError where it holds anything.
std::filesystem::path new_folder(const Options& options, const std::string& run_id);

/// This program on this host, now.
RunRecord new_run(const Options& options, const Inventory& inventory);

/// To standard error; an empty one is none.
void warn(const std::string& warning);

/// What was re-measured and verified on these devices, with their figures.
std::vector<BestPoint> remeasured_best(const std::vector<MeasurementRow>& rows,
                                       const std::vector<DeviceInfo>& devices);

/// 1 where some point failed, else 0.
int status_of(const RunLog& log);

}  // namespace dwarfsweep
