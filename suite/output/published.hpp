// Published figures (results/published) beside our measurements, joined by dwarf, kernel, problem and
// setting.
#pragma once

#include <filesystem>
#include <vector>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// The folder of published figures: beside the installed program, or in the source tree it was built in.
/// Empty where there is none.
std::filesystem::path find_published();

/// A table for every published figure of which at least one setting was measured here. Throws InputError.
Document published_tables(const TableModel& model, const std::filesystem::path& folder);

}  // namespace dwarfsweep
