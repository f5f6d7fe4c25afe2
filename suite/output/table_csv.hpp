// The cells of all tables as CSV, one line for each.
#pragma once

#include <string>

#include "suite/output/table_model.hpp"

namespace dwarfsweep {

/// Header included. A point that failed appears in the table of every kernel of its variant.
std::string to_csv(const TableModel& model);

}  // namespace dwarfsweep
