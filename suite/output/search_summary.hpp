// What searches have found, from the log of their run.
#pragma once

#include <string>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// For the terminal: of each search its best point, the interval of its speedup, what is as good, and what
/// the search has cost. `folder`: of the run.
std::string search_summary(const RunLog& log, const std::string& folder);

/// trace.csv: a line for each evaluation, in their order, with the best time so far. Empty where the run has
/// no search. results/README.md has the columns.
std::string search_trace(const RunLog& log);

}  // namespace dwarfsweep
