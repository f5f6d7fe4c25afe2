// A static site of what many runs have found: pages without a server, made of the report's parts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dwarfsweep {

struct AtlasReport {
  std::size_t sources = 0, devices = 0, points = 0, pages = 0;
  std::size_t largest_page = 0;  ///< bytes
};

/// Writes index.html, matrix.html (devices by dwarfs), a page and a JSON file per device, a page per dwarf,
/// atlas.csv, and if a source is the folder of a run yours.html, which places its points among all.
/// `sources`: bundles, summaries of bundles, or folders of runs. Throws UsageError, InputError, and
/// std::runtime_error naming file and reason.
AtlasReport write_atlas(const std::vector<std::filesystem::path>& sources,
                        const std::filesystem::path& folder);

}  // namespace dwarfsweep
