// What is said of why a point has no time.
#pragma once

#include <string>

namespace dwarfsweep {

/// ".../gemv.so" for every path from the root: rows and tables are published, and where somebody's driver
/// keeps its files is nobody's business.
std::string without_folders(const std::string& text);

/// The first line of a reason, for a footnote: without folders, and cut where it is long: all of it is in
/// measurements.csv.
std::string short_reason(const std::string& reason);

}  // namespace dwarfsweep
