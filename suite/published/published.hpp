// Published figures (results/published) beside our measurements, joined by dwarf, kernel, problem and
// setting.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"
#include "suite/output/tables.hpp"

namespace dwarfsweep {

/// The folder of that name among the results that come with the program: beside the installed program, or in
/// the source tree it was built in. Empty where there is none.
std::filesystem::path find_results(const std::string& name);

/// That of the published figures.
std::filesystem::path find_published();

/// The options of tables with these figures; without them where `folder` is empty.
TableOptions with_published(TableFormat format, const std::filesystem::path& folder = find_published());

/// What holds here of what was published, and a table for every published figure of which at least one
/// setting was measured here. Throws InputError.
Document published_tables(const TableModel& model, const std::filesystem::path& folder);

}  // namespace dwarfsweep
