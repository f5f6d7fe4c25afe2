// The runs that are to be merged: outlined, checked to be of one plan, and sorted by host. What one host has
// measured in several of them, as parts of one run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/record/run_log.hpp"

namespace dwarfsweep {

struct MergeInput {
  std::filesystem::path folder;
  LogOutline outline;
};

/// What one host has measured, by shard.
struct HostInputs {
  struct Piece {
    const MergeInput* input = nullptr;
    std::size_t segment = 0;  ///< of the input

    [[nodiscard]] const RunRecord& run() const { return input->outline.segments[segment].run; }
    /// The runs that it holds: one, or those that it was merged of.
    [[nodiscard]] std::vector<MergedRun> runs() const;
  };
  std::string host;
  std::vector<Piece> pieces;
};

struct MergeInputs {
  std::vector<MergeInput> inputs;
  std::vector<std::filesystem::path> empty;  ///< killed before they had written anything
};

/// The same command line without the options that name one run alone: the shard, the folder, the host.
std::vector<std::string> common_arguments(const std::vector<std::string>& arguments);

/// Throws UsageError, a sentence that names what is in conflict: a folder that is no run, a run given twice,
/// another version, revision, kernels or options.
MergeInputs read_inputs(const std::vector<std::filesystem::path>& runs);

/// The hosts by name, whatever the order of the runs. Throws UsageError if two runs have the same part of
/// the plan on one host. The pieces point into `inputs`.
std::vector<HostInputs> sort_by_host(const std::vector<MergeInput>& inputs);

/// Mostly one part; what was measured with another driver, another processor or another timer is a part of
/// its own, as after `sweep --resume --new-part`. Each part has its baselines once, with the measurement
/// blocks of all its runs. `several_hosts`: the host's name is appended to a device's, because nodes of one
/// kind often have the same device names.
std::vector<RunLog> merge_host(const HostInputs& host, bool several_hosts);

}  // namespace dwarfsweep
