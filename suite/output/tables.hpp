// The tables of one or several runs: rows are optimisation settings, columns are devices, cells are time and
// speedup over the baseline. They are made from the rows of measurements.csv alone; the same rows give the
// same bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "suite/output/document.hpp"
#include "suite/output/table_model.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

enum class TableFormat { text, markdown, csv, latex };

/// Throws UsageError that lists the formats.
TableFormat parse_table_format(std::string_view name);

struct TableOptions {
  TableFormat format = TableFormat::text;
  /// Makes what follows the tables: the published figures (suite/published/published.hpp).
  std::function<Document(const TableModel&)> appendix = {};
};

/// Rows of a run that was merged of several hosts are seen by kind of device.
std::string make_tables(const std::vector<MeasurementRow>& rows, const TableOptions& options);

/// `runs` are folders of runs (one without measurements.csv is read from its log) or measurements.csv files.
/// Throws UsageError and InputError.
std::string make_tables_of_runs(const std::vector<std::filesystem::path>& runs, const TableOptions& options);
void print_tables(std::ostream& out, const std::vector<std::filesystem::path>& runs,
                  const TableOptions& options);

}  // namespace dwarfsweep
