// measurements.csv, samples.csv and speedups.csv: rows as text and back.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// The whole files, header included.
std::string to_csv(const std::vector<MeasurementRow>& rows);
std::string to_csv(const std::vector<SampleRow>& rows);
std::string to_csv(const std::vector<SpeedupRow>& rows);

/// The files line by line, each with its line break.
std::string samples_csv_header();
std::string to_csv_line(const SampleRow& row);
std::string to_csv_line(const MeasurementRow& row);
std::string to_csv_line(const SpeedupRow& row);

/// Throw InputError naming file, line and column.
std::vector<MeasurementRow> parse_measurements(const std::string& name, const std::string& text);
std::vector<MeasurementRow> read_measurements(const std::filesystem::path& file);
/// Calls `use` with one row after the other, of a file of any size, until it returns false.
void for_each_measurement(const std::filesystem::path& file,
                          const std::function<bool(const MeasurementRow&)>& use);
std::vector<SampleRow> read_samples(const std::filesystem::path& file);

}  // namespace dwarfsweep
