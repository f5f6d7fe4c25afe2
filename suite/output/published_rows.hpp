// The published figures in results/published/*.csv, as rows. README.md there says what the columns mean.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/value.hpp"

namespace dwarfsweep {

/// A published time, rate or speedup. Numbers are kept as they were printed; empty where the figure has none.
struct PublishedRow {
  std::string source, figure, device, dwarf, kernel, size, setting;
  std::string reference;  ///< what the speedup is over: another setting, or "1 CPU thread" and the like
  Config changes;         ///< what the setting changes in our baseline: columns axis and value
  std::string time_ns, speedup;
  std::string rate, rate_unit;  ///< "46.49", "gflop_per_s"
};

/// All files of the folder, in the order of their names. Throws InputError.
std::vector<PublishedRow> read_published(const std::filesystem::path& folder);

/// Both are of one figure, and about the same dwarf, kernel and size.
bool same_figure(const PublishedRow& a, const PublishedRow& b);

}  // namespace dwarfsweep
