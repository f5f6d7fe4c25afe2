// Published figures (results/published) next to our measurements, joined by dwarf, kernel, problem and
// setting.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"
#include "suite/output/tables.hpp"

namespace dwarfsweep {

/// The folder of that name among the results that come with the program: next to the installed program, or in
/// the source tree it was built in. Empty if there is none.
std::filesystem::path find_results(const std::string& name);

/// That of the published figures.
std::filesystem::path find_published();

/// The options of tables with these figures; without them where `folder` is empty.
TableOptions with_published(TableFormat format, const std::filesystem::path& folder = find_published());

/// The published claims that hold here, and a table for every published figure with at least one setting that
/// was measured here. Throws InputError.
Document published_tables(const TableModel& model, const std::filesystem::path& folder);

}  // namespace dwarfsweep
