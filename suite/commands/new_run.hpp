// What the commands have in common that make a run: its folder, its record, its best points, its exit status;
// and the version of the program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/device/inventory.hpp"
#include "suite/commands/command_line.hpp"
#include "suite/plan/best.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// Version and revision, as --version prints them.
std::string version_text();

/// Of the kernel files used: those of the folder `kernels`, or the embedded ones if it is empty. Throws
/// UsageError if the folder lacks one.
std::string kernels_hash(const std::string& kernels);

/// Makes the folder of a new run: the one `given`, or if that is empty one in results/runs, after which `run`
/// is then named. Throws UsageError if it holds anything or cannot be written.
std::filesystem::path new_folder(const std::filesystem::path& given, RunRecord& run);

/// This program on this host, now.
RunRecord new_run(const CommandLine& line, const Inventory& inventory);

/// To standard error, unless it is empty.
void warn(const std::string& warning);

/// What was re-measured and verified on these devices, with their figures.
std::vector<BestPoint> remeasured_best(const std::vector<MeasurementRow>& rows,
                                       const std::vector<DeviceInfo>& devices);

/// 1 if some point failed, else 0.
int status_of(const RunLog& log);

}  // namespace dwarfsweep
