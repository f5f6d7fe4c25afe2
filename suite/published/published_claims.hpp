// What of the published comparisons holds on the devices of a run, in one table.
#pragma once

#include <vector>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"
#include "suite/published/published_rows.hpp"

namespace dwarfsweep {

/// A claim is what one work says of one change of one kernel, on one of its devices: a row with the range of
/// its speedups, and for each of our devices the range of ours and for how many of the settings the two say
/// the same: faster, slower, or neither. Empty where nothing of ours can be compared.
Document published_claims(const TableModel& model, const std::vector<std::vector<PublishedRow>>& figures);

}  // namespace dwarfsweep
