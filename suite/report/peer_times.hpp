// Times of comparison libraries (results/peers), joined with our rows by device, dwarf and problem.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// One line of such a file: from another run, by the library's own clock.
struct PeerTime {
  std::string device, dwarf;
  std::string problem;  ///< what it does not name is as the dwarf has it by default
  std::string peer;
  double ns = 0;
};

/// Of all .csv files in the folder that tell the times of libraries; none where there is no such folder.
/// Throws InputError.
std::vector<PeerTime> read_peers(const std::filesystem::path& folder);

/// Those that did what the row did on its device: of each library the shortest, the fastest library first.
std::vector<PeerTime> peers_of(const std::vector<PeerTime>& peers, const MeasurementRow& row);

}  // namespace dwarfsweep
