// One published figure as a table, with our own times of the same settings beside it.
#pragma once

#include <optional>
#include <vector>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"
#include "suite/published/published_rows.hpp"

namespace dwarfsweep {

/// `figure` are the rows of one figure about one dwarf, kernel and size; `ours` is our table about the same.
/// None where no setting of the figure was measured here.
std::optional<Block> figure_table(const TableModel& model, const SettingTable& ours,
                                  const std::vector<PublishedRow>& figure);

}  // namespace dwarfsweep
