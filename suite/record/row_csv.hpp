// measurements.csv, samples.csv and speedups.csv: rows as text and back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "suite/record/rows.hpp"

namespace dwarfsweep {

/// The whole files, header included.
std::string to_csv(const std::vector<MeasurementRow>& rows);
std::string to_csv(const std::vector<SampleRow>& rows);
std::string to_csv(const std::vector<SpeedupRow>& rows);

/// Throw InputError naming file, line and column.
std::vector<MeasurementRow> parse_measurements(const std::string& name, const std::string& text);
std::vector<MeasurementRow> read_measurements(const std::filesystem::path& file);
std::vector<SampleRow> read_samples(const std::filesystem::path& file);

}  // namespace dwarfsweep
