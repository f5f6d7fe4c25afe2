// Whether runs are of one plan, by one program.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dwarfsweep {

struct MergeInput;

/// What was measured, and how: the values of the options by name. Without those that say where, for how long,
/// and which share of it.
std::map<std::string, std::string> plan_options(const std::vector<std::string>& arguments);

/// The same command line without what names one run alone: the shard, the folder, the host.
std::vector<std::string> common_arguments(const std::vector<std::string>& arguments);

/// Throws UsageError that names the first run which differs from the first, and all in which it does.
void require_same_plan(const std::vector<MergeInput>& inputs);

}  // namespace dwarfsweep
