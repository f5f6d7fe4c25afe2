// The records of a run's append-only log, log.jsonl: one JSON object per line.
//
// The log is the primary data of a run and is flushed after every record. measurements.csv, samples.csv,
// speedups.csv, run.json and tables.md are made from it and can be made again at any time. A later record of
// a point replaces an earlier one; blocks accumulate.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/device/inventory.hpp"
#include "harness/energy/power_sensors.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/measure.hpp"
#include "harness/run/sample.hpp"
#include "harness/run/timer_test.hpp"
#include "harness/space/status.hpp"
#include "suite/record/cpu_state.hpp"
#include "suite/record/merged_run.hpp"
#include "suite/record/search_record.hpp"

namespace dwarfsweep {

/// Of what is written. Runs of `oldest_schema` are read, too: their times of "total" are sums of kernel
/// times, those of schema 2 are of whole runs.
inline constexpr int schema_version = 2;
inline constexpr int oldest_schema = 1;

/// The machine that the run was made on.
struct HostInfo {
  std::string name;
  std::string processor;
  std::string system;    ///< distribution and kernel
  unsigned threads = 0;  ///< CPUs that the program may use
  std::uint64_t memory_bytes = 0;
  CpuState cpus;
};

/// First record ("run"): what was to be measured, with which version of the program, on which machine.
struct RunRecord {
  int schema = schema_version;
  std::string run_id;     ///< "<host>-<UTC time>"
  std::string timestamp;  ///< ISO 8601, UTC
  std::string version;
  std::string revision;                ///< of git; ends in "-dirty" where files were changed
  std::string kernels;                 ///< hash of the kernel files used; empty in logs that lack it
  std::vector<std::string> arguments;  ///< the command line without the program's name
  std::string shard;                   ///< "2/6": of the plan; empty: the whole plan was asked for
  std::vector<MergedRun> merged;       ///< what it was made of; empty: it was measured as one
  HostInfo host;
  std::vector<PlatformNote> notes;  ///< platforms skipped, and why
  /// The variables that influence OpenCL, its drivers and OpenMP, except those whose names suggest a secret.
  std::map<std::string, std::string> environment;
  std::map<std::string, int>
      builders;  ///< processes that build ahead, by device id; without those that have none
};

/// From here on the records are of a new part ("part"), told apart from what was measured before: resumed by
/// another program, with another driver, on another host. Its run has an id of its own.
struct PartRecord {
  RunRecord run;
};

/// A device ("device").
struct DeviceRecord {
  DeviceInfo info;
  TimerReport timer;
};

/// The measured peaks of a device ("peaks"), by the names of harness/peaks/peaks.hpp. A missing name was not
/// measured.
struct PeaksRecord {
  std::string device_id;
  std::map<std::string, double> values;
};

/// How accurate timings of a device are ("selftest"): the numeric results of harness/run/self_test.hpp by
/// name, or why there are none.
struct SelfTestRecord {
  std::string device_id;
  std::map<std::string, double> values;
  std::string failure;
};

/// How many points the plan has ("plan"), baselines included: written before any is measured.
struct PlanRecord {
  std::int64_t points = 0;
};

/// The size that auto has chosen for a dwarf on a device ("size").
struct SizeRecord {
  std::string device_id, dwarf, size;
  std::string problem;
  std::string reason;
};

/// Settings over the baseline, and where they come from, for people.
struct KnownSettings {
  ValueMap settings;
  std::string origin;
};

/// The best point known that the plan `best` has taken for a dwarf and problem on a device, or the points
/// that the plan `transfer` has taken from earlier runs ("known").
struct KnownPointRecord {
  std::string device_id, dwarf, size, problem;
  ValueMap settings;   ///< over the baseline
  std::string origin;  ///< where it comes from, for people
  /// Where that is the user's own: what the program would have taken without it, to be compared with.
  ValueMap other_settings;
  std::string other_origin;
  std::vector<KnownSettings> transferred;  ///< of the plan `transfer`, in place of all these
};

/// By device, dwarf, size and problem.
using KnownPoints = std::map<std::string, KnownPointRecord>;

inline std::string known_point_key(const std::string& device_id, const std::string& dwarf,
                                   const std::string& size, const std::string& problem) {
  return device_id + "|" + dwarf + "|" + size + "|" + problem;
}

/// The key of a SizeRecord.
inline std::string size_key(const std::string& device_id, const std::string& dwarf) {
  return device_id + "|" + dwarf;
}

/// By the keys of the records.
using SizeChoices = std::map<std::string, SizeRecord>;

/// Status of a point ("point"): written when it was prepared or failed, and again if its last check fails.
struct PointRecord {
  PointKey key;
  bool baseline = false;
  std::string timestamp;
  std::string driver;
  std::string timer;  ///< device or host
  std::string cache;  ///< hot or cold
  Preparation preparation;
};

/// incumbent: the point that a search took the variant's pairs with, in place of the baseline.
enum class PairRole { baseline, variant, incumbent };
[[nodiscard]] const char* to_string(PairRole role);  ///< the name

/// One sample within a measurement block.
struct BlockSample {
  int pair = 0;   ///< 0, 1, ... within the block
  int order = 0;  ///< 0: came first in its pair
  PairRole role = PairRole::variant;
  Sample sample;
};

/// A measurement block ("visit"): pairs of {baseline, variant} in random order; a block of the statistics.
struct BlockRecord {
  PointKey key;
  int round = 0;
  int process = 0;     ///< number of the worker process, from 1
  bool paired = true;  ///< false: only the variant was sampled, as where the baseline cannot run
  /// True for the blocks in which the best candidate of a group was re-measured. The samples by which a
  /// candidate was selected are biased in its favour.
  bool confirmation = false;
  std::vector<BlockSample> samples;
  /// Read before and after the block, outside of its samples: the mean, and all reasons of throttling.
  ClockReading clock = {};
  /// The configuration of the point that it was paired with; empty: the baseline.
  std::string opponent = {};
};

/// What runs of a point, back to back, used ("energy"): measured apart from its samples, since counters of
/// energy move in steps longer than those. Of the whole device, its idle share included.
struct EnergyRecord {
  PointKey key;
  std::string meter;   ///< nvml or rapl
  double joules = 0;   ///< from the first to the last step of the counter
  double seconds = 0;  ///< the same time
  double runs = 0;     ///< in that time, the last one in part
  int steps = 0;       ///< of the counter
};

/// The stop reason of points that were not measured, or not measured further, because the budget was spent.
inline constexpr const char* out_of_budget = "budget";
/// The stop reason of points that were not tried, or not measured further, because their variant kept
/// failing.
inline constexpr const char* skipped = "skipped";

/// What stands as `rejected` in logs and rows without the status `not_run`: the budget or a failing variant
/// left the point out.
[[nodiscard]] bool was_left_out(Status status, const std::string& stop_reason);

/// No more blocks of this point ("end").
struct EndRecord {
  PointKey key;
  /// converged, budget, rounds, point-timeout, failed, rejected, skipped; in a search screened (more than
  /// twice the incumbent's time), dropped (no faster than the incumbent) or raced
  std::string stop_reason;
};

/// A run read back from its log: its last part, and the parts before it.
struct RunLog {
  RunRecord run;
  std::map<std::string, DeviceRecord> devices;             ///< by id
  std::map<std::string, PeaksRecord> peaks;                ///< by device id; missing where not measured
  std::map<std::string, SelfTestRecord> self_tests;        ///< by device id
  std::int64_t planned = -1;                               ///< points; -1: not known
  SizeChoices sizes;                                       ///< where auto has chosen
  KnownPoints known_points;                                ///< where the plan is `best` or `transfer`
  std::vector<PointKey> order;                             ///< points in the order of their first record
  std::map<std::string, PointRecord> points;               ///< by key text
  std::map<std::string, std::vector<BlockRecord>> blocks;  ///< by key text
  std::map<std::string, EnergyRecord> energies;            ///< sums, by key text; missing where not measured
  std::map<std::string, EndRecord> ends;                   ///< by key text
  std::map<std::string, SearchRecord> searches;            ///< by the text of the group
  std::map<std::string, std::vector<EvaluationRecord>> evaluations;  ///< by the text of the group
  std::map<std::string, AnswerRecord> answers;                       ///< by the text of the group
  std::vector<RunLog> earlier;                                       ///< each without earlier ones
  bool truncated = false;        ///< the last line is incomplete and was ignored
  std::int64_t whole_bytes = 0;  ///< size of the file up to the end of its last complete line
};

/// The points of a run, those of one device, dwarf and problem beside each other, whatever was measured in
/// between.
std::vector<PointKey> points_by_group(const RunLog& log);

/// All parts of the run, in their order; the last one is `log` itself.
std::vector<const RunLog*> parts_of(const RunLog& log);

/// Adds a record to the run: a later one of the same device, point, end, search or answer replaces
/// the earlier; blocks, evaluations and energies accumulate. What an earlier part did not run has no record
/// there any more when this part has one.
void add_to(RunLog& log, const RunRecord& record);  ///< the first one names the run
void add_to(RunLog& log, const PartRecord& record);
void add_to(RunLog& log, const DeviceRecord& record);
void add_to(RunLog& log, const PeaksRecord& record);
void add_to(RunLog& log, const SelfTestRecord& record);
void add_to(RunLog& log, const SizeRecord& record);
void add_to(RunLog& log, const KnownPointRecord& record);
void add_to(RunLog& log, const PlanRecord& record);
void add_to(RunLog& log, const PointRecord& record);
void add_to(RunLog& log, const BlockRecord& record);
void add_to(RunLog& log, const EnergyRecord& record);
void add_to(RunLog& log, const EndRecord& record);
void add_to(RunLog& log, const SearchRecord& record);
void add_to(RunLog& log, const EvaluationRecord& record);
void add_to(RunLog& log, const AnswerRecord& record);

}  // namespace dwarfsweep
