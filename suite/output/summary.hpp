// What a sweep or a search ends with on the terminal: the answer, what failed, and where the rest is.
#pragma once

#include <string>
#include <vector>

#include "suite/output/document.hpp"
#include "suite/record/record.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// How many points have which status, and the failures with their shortened reasons.
Document status_summary(const std::vector<MeasurementRow>& rows);

/// At most 40 lines of 120 characters. Made from the rows of measurements.csv, like the tables: the devices,
/// the best setting of every dwarf, how many points have which status, the failures with their shortened
/// reasons, and how to see all: with the report, where the run has one. `folder`: of the run.
std::string make_summary(const std::vector<MeasurementRow>& rows, const std::string& folder);

/// For the terminal: of each search its best point, the interval of its speedup, what is as good, and what
/// the search has cost. `folder`: of the run.
std::string search_summary(const RunLog& log, const std::string& folder);

/// trace.csv: a line for each evaluation, in their order, with the best time so far. Empty where the run has
/// no search. docs/output-format.md has the columns.
std::string search_trace(const RunLog& log);

}  // namespace dwarfsweep
