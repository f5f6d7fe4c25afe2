// The rows of measurements.csv, samples.csv and speedups.csv, made from the log of a run.
// docs/output-format.md has the meaning of every column.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// What was measured: the columns that the three files share. An axis that the dwarf does not have is empty.
struct RowIdentity {
  std::string run_id;
  std::string device_id;
  std::string dwarf;
  std::string kernel;  ///< "total": all kernels together
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

/// The identity of a point, without a kernel.
RowIdentity identify(const std::string& run_id, const PointKey& key);

/// The configuration: "variant=tiled;work_group=16;direction=x". An axis that the dwarf does not have is left
/// out.
std::string config_text(const RowIdentity& row);

/// Empty where there is no value: an empty cell, never a zero.
using Number = std::optional<double>;

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
  // Since schema 2, of the row of "total" alone.
  Number kernels_ns;  ///< median over the samples of the sum of END minus START of a run's kernels
  Number host_ns;     ///< median of what the host does within a run: transfers and its own computing
  Number wall_ci_low_ns, wall_ci_high_ns;
  Number wall_speedup, wall_speedup_low, wall_speedup_high;
  Number energy_j;         ///< of one run, from a phase of its own
  Number clock_mhz;        ///< mean over the measurement blocks
  std::string throttled;   ///< true or false; empty if the device does not report it
  std::string program_id;  ///< hash of what went to the compiler
  /// Of every row with a speedup: `baseline`, or the configuration of the anchor that the point was paired
  /// with. Files of earlier versions lack it, and have baselines only.
  std::string reference;
};

/// One row for each sample and kernel, all of them. Samples with a fault are left out of the statistics.
struct SampleRow : RowIdentity {
  std::int64_t round = 0;
  std::int64_t block = 0;     ///< number of the measurement block of this point, from 0
  bool confirmation = false;  ///< taken when the best candidate was re-measured
  std::int64_t pair = 0, order = 0;
  std::string
      role;  ///< baseline or variant; incumbent: what the variant was paired with in place of the baseline
  std::int64_t process = 0, launches = 0, events = 0;
  Number ns;
  std::int64_t queued_ns = 0, submit_ns = 0, start_ns = 0, end_ns = 0, host_begin_ns = 0, host_end_ns = 0;
  Number wall_ns;
  std::string fault;
  // Since schema 2, of the row of "total" alone.
  Number kernels_ns, span_ns, host_ns;
};

/// One row for each point and kernel with a speedup over its baseline.
struct SpeedupRow : RowIdentity {
  Number speedup, speedup_low, speedup_high;
  std::string verdict;
  std::int64_t blocks = 0, pairs = 0;
  std::string baseline_config;  ///< "variant=tiled;work_group=16;..."
  /// Over the samples of these pairs; with an anchor the baseline's are those of its pairs with the anchor.
  Number baseline_median_ns, variant_median_ns;
  std::string reference;  ///< as MeasurementRow's
};

using TakeSample = std::function<void(const SampleRow&)>;

/// A number that is zero where it is not known.
Number unless_zero(double value);

/// Sets `peak_fraction` and `bound` of a row that has its times and its work, by the roofline model: the
/// fraction is the time that its bytes or its operations would take at the measured peak, whichever is
/// longer, over its time. The peak of the operations is that of the dwarf's kind of arithmetic. A fraction
/// above 1 is explained in `reason`. `events_per_launch` is the number of enqueues in one run of the case.
/// Leaves both empty where the device has no measured peaks.
void add_bound(MeasurementRow& row, const RunLog& log, double events_per_launch);

struct RunRows {
  std::vector<MeasurementRow> measurements;
  std::vector<SampleRow> samples;
  std::vector<SpeedupRow> speedups;
};

/// The stop reason of a best candidate that was re-measured. Its row is made from those new blocks alone,
/// because the samples by which it was selected are biased in its favour.
inline constexpr const char* confirmed = "confirmed";

/// In the column `reference`.
inline constexpr const char* by_baseline = "baseline";

RunRows make_rows(const RunLog& log);

/// The same with `samples` empty: each of its rows goes to `take_sample` instead, in the same order.
RunRows make_rows(const RunLog& log, const TakeSample& take_sample);

}  // namespace dwarfsweep
