// The rows of measurements.csv, samples.csv and speedups.csv, and how they follow from the log of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// None where there is nothing to say: an empty cell, never a zero.
using Number = std::optional<double>;

/// What was measured: the columns that the three files share. An axis that the dwarf does not have is empty.
struct RowIdentity {
  std::string run_id;
  std::string device_id;
  std::string dwarf;
  std::string kernel;  ///< "total": all of them
  std::string size;
  std::string problem;  ///< "n=1024"
  std::string variant;
  std::string work_group;
  std::string granularity;
  std::string vector_width;
  std::string unroll;
  std::string padding;
  std::string options;  ///< the dwarf's own axes, "direction=x;memory=local"
};

/// One row for each device, dwarf, problem, configuration and kernel. Whatever belongs to the point as a
/// whole (wall_ns, transfers, build, check) stands in the row of "total" only.
struct MeasurementRow : RowIdentity {
  std::int64_t schema_version = dwarfsweep::schema_version;
  std::string timestamp, host, platform, device, device_type, driver;
  bool baseline = false;
  std::string status, reason;
  Number samples, launches;
  Number min_ns, q1_ns, median_ns, q3_ns, mean_ns, stddev_ns, ci_low_ns, ci_high_ns;
  std::string stop_reason;
  Number wall_ns, upload_ns, download_ns, build_ns;
  Number bytes, operations, items, gb_per_s, gop_per_s, items_per_s, peak_fraction;
  std::string bound;  ///< memory, compute or launch
  Number max_error, tolerance;
  Number local_bytes, private_bytes, registers, spill_bytes;
  Number speedup, speedup_low, speedup_high;
  std::string verdict;  ///< faster, slower, within_noise
  std::string timer, cache;
};

/// One row for each sample and kernel. Nothing is left out; what has a fault counts in no statistic.
struct SampleRow : RowIdentity {
  std::int64_t round = 0;
  std::int64_t block = 0;     ///< number of the measurement block of this point, from 0
  bool confirmation = false;  ///< taken when the winner was measured again
  std::int64_t pair = 0, order = 0;
  std::string role;  ///< baseline or variant
  std::int64_t process = 0, launches = 0, events = 0;
  Number ns;
  std::int64_t queued_ns = 0, submit_ns = 0, start_ns = 0, end_ns = 0, host_begin_ns = 0, host_end_ns = 0;
  Number wall_ns;
  std::string fault;
};

/// One row for each point and kernel that was paired with its baseline.
struct SpeedupRow : RowIdentity {
  Number speedup, speedup_low, speedup_high;
  std::string verdict;
  std::int64_t blocks = 0, pairs = 0;
  std::string baseline_config;                   ///< "variant=tiled;work_group=16;..."
  Number baseline_median_ns, variant_median_ns;  ///< over the samples of these pairs
};

struct RunRows {
  std::vector<MeasurementRow> measurements;
  std::vector<SampleRow> samples;
  std::vector<SpeedupRow> speedups;
};

/// The stop reason of a winner that was measured again. Its row is made from those fresh blocks alone, since
/// the blocks it was chosen by flatter it.
inline constexpr const char* confirmed = "confirmed";

RunRows make_rows(const RunLog& log);

/// The whole files, header included.
std::string to_csv(const std::vector<MeasurementRow>& rows);
std::string to_csv(const std::vector<SampleRow>& rows);
std::string to_csv(const std::vector<SpeedupRow>& rows);

/// Throw InputError naming file, line and column.
std::vector<MeasurementRow> parse_measurements(const std::string& name, const std::string& text);
std::vector<MeasurementRow> read_measurements(const std::filesystem::path& file);
std::vector<SampleRow> read_samples(const std::filesystem::path& file);

}  // namespace dwarfsweep
