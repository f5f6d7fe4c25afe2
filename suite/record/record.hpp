// The records of a run's append-only log, log.jsonl: one JSON object per line.
//
// The log is the primary data of a run and is flushed after every record. measurements.csv, samples.csv,
// speedups.csv, run.json and tables.md are made from it and can be made again at any time. A later record of
// a point replaces an earlier one; blocks accumulate.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/device/inventory.hpp"
#include "harness/energy/power_sensors.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/run/sample.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {

/// Whether a JSON number can be converted to the integer type T.
template <std::integral T, typename BasicJson>
bool fits_integer(const BasicJson& number) {
  if (number.is_number_unsigned()) return std::in_range<T>(*number.template get_ptr<const std::uint64_t*>());
  if (number.is_number_integer()) return std::in_range<T>(*number.template get_ptr<const std::int64_t*>());
  const auto real = number.template get<double>();
  return real >= static_cast<double>(std::numeric_limits<T>::min()) &&
         real < static_cast<double>(std::numeric_limits<T>::max());
}

template <typename T, typename = void>
struct CheckedSerializer : nlohmann::adl_serializer<T, void> {};

/// The library converts numbers to integers without a check, which is undefined behaviour for 1e300. A
/// damaged file or answer gets type_error 302 instead, as if the number were of another type.
template <std::integral T>
requires(!std::same_as<T, bool>) struct CheckedSerializer<T, void> : nlohmann::adl_serializer<T, void> {
  template <typename BasicJson>
  static void from_json(const BasicJson& json, T& value) {
    if (json.is_number() && !fits_integer<T>(json))
      throw BasicJson::type_error::create(302, "number out of range: " + json.dump(), &json);
    nlohmann::adl_serializer<T, void>::from_json(json, value);
  }
};

/// Files that touch one include <nlohmann/json.hpp>.
using Json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t,
                                  double, std::allocator, CheckedSerializer>;

/// Of what is written. Runs of `oldest_schema` are read, too: their times of "total" are sums of kernel
/// times, those of schema 2 are of whole runs.
inline constexpr int schema_version = 2;
inline constexpr int oldest_schema = 1;

/// Identifies a point within a run.
struct PointKey {
  std::string device_id;
  std::string dwarf;
  std::string size;     ///< "tiny" to "paper", "custom" or "file"
  std::string problem;  ///< "n=1024"
  std::string config;   ///< "variant=tiled;work_group=16;..."; for the host's own CPU "variant=serial|openmp"

  /// What points have in common that share their data and baseline.
  [[nodiscard]] std::string group() const { return device_id + "|" + dwarf + "|" + size + "|" + problem; }
  [[nodiscard]] std::string text() const { return group() + "|" + config; }
  friend bool operator==(const PointKey&, const PointKey&) = default;
};

/// Values that the system does not report are empty. Lists of CPUs have the system's form: "0-7,16".
struct CpuState {
  std::string allowed;                            ///< the CPUs that this process may use
  std::vector<std::string> governors;             ///< of cpufreq, of the allowed CPUs, each named once
  std::string turbo;                              ///< "on" or "off"
  std::map<std::string, std::string> numa_nodes;  ///< node number -> its CPUs
  std::optional<double> load_average;             ///< of the last minute
  /// How many of the allowed CPUs other programs kept busy, on average over the moment before the run.
  std::optional<double> busy_cpus;
};

/// The machine that the run was made on.
struct HostInfo {
  std::string name;
  std::string processor;
  std::string system;    ///< distribution and kernel
  unsigned threads = 0;  ///< CPUs that the program may use
  std::uint64_t memory_bytes = 0;
  CpuState cpus;
};

/// A run, or what one host measured of it: a run that went on elsewhere is there once for each host.
struct MergedRun {
  std::string run_id;
  std::string shard;          ///< "2/6"; empty where it had the whole plan
  std::int64_t planned = -1;  ///< points, baselines included; -1: killed before that was known
  std::size_t ended = 0;      ///< points that have come to their end here, left out by the budget or not
  friend bool operator==(const MergedRun&, const MergedRun&) = default;
};

/// Behind the id of a run that was made of several.
inline constexpr const char* merged_suffix = "-merged";

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

/// From here on the records belong to a new part ("part"), kept apart from what was measured before: the run
/// was resumed by another program, with another driver, or on another host. Its run has an id of its own.
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
  ValueMap settings;                      ///< over the baseline
  std::string origin;                     ///< where it comes from, for people
  std::vector<KnownSettings> candidates;  ///< others that may be as good: the fastest of all goes on
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

/// incumbent: the point that the variant's pairs were taken with, in place of the baseline: in a search the
/// one that it was raced against, in a sweep the anchor.
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
  std::int64_t tick_ns = 0;  ///< of the timer; 0: not recorded, in older logs
};

/// Other points of its group are paired with this one ("anchor"), because the baseline takes far longer. It
/// is itself paired with the baseline. Written before any block of the group.
struct AnchorRecord {
  PointKey key;
  double baseline_ns = 0, anchor_ns = 0;  ///< of an execution, in the first look that decided
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
/// The stop reason of points that are far too slow to be of interest.
inline constexpr const char* too_slow = "screened";
/// The stop reason of points whose intervals are as narrow as requested.
inline constexpr const char* narrow_enough = "converged";

/// What stands as `rejected` in logs and rows without the status `not_run`: the budget or a failing variant
/// left the point out.
[[nodiscard]] bool was_left_out(Status status, const std::string& stop_reason);

/// What others can check of an array without having it.
struct ArrayDigest {
  std::string type;         ///< "float32", "int32", ...
  std::uint64_t count = 0;  ///< of its elements
  /// Of its bytes, little-endian; of an array of more than 16 MiB: of 64 blocks of 256 KiB at even distances.
  std::string sha256;
  /// In place of it for a result that may vary (CheckData::may_differ): elements at places that the seed and
  /// the array's name give.
  std::vector<double> elements;
  friend bool operator==(const ArrayDigest&, const ArrayDigest&) = default;
};

/// How many elements stand for a result of floats.
inline constexpr std::size_t digest_elements = 64;

/// By the names of `--dump`.
struct PointDigests {
  std::map<std::string, ArrayDigest> inputs, results;
};

/// Digests of a point's input and of its verified result ("digest"): of baselines and of points that were
/// re-measured, written outside of all timed phases.
struct DigestRecord {
  PointKey key;
  std::uint64_t seed = 1;  ///< of the input, and of the places of elements
  PointDigests digests;
};

/// No more blocks of this point ("end").
struct EndRecord {
  PointKey key;
  /// converged, budget, rounds, point-timeout, failed, rejected, skipped; screened (its first launches took
  /// too long; or it is a candidate for the best known point, and another is faster); in a search screened
  /// (also: more than twice the incumbent's time), dropped (no faster than the incumbent) or raced
  std::string stop_reason;
};

/// What the kernels of a point execute at a small problem.
struct CountedPoint {
  std::string config;
  double instructions = 0, threads = 0, regions = 0;  ///< as InstructionCounts
  /// The most that a work-item and a group need in any of its kernels, on the searched device and problem; no
  /// registers: the device does not report them.
  std::int64_t registers = 0, local_bytes = 0;
};

/// A search of one dwarf and problem on one device ("search"): written when it begins, and again whenever it
/// enters another phase.
struct SearchRecord {
  PointKey baseline;  ///< names the group
  std::string strategy;
  std::string objective = "time";  ///< the quantity to minimise: time, energy, or both
  std::uint64_t seed = 1;
  std::uint64_t points = 0;                ///< of the space, illegal ones included
  std::vector<std::string> known;          ///< the configurations that it began with
  std::vector<CountedPoint> counted = {};  ///< the points that the strategy carve uses
  double carving_s = 0;                    ///< what counting and compiling them took
  std::string phase;                       ///< search, final or ended
  double seconds = 0;                      ///< spent on this search so far, in all sittings
};

/// What an evaluation, a distinct point that the search has tried, has cost.
struct EvaluationCost {
  double search_s = 0;  ///< until the strategy had proposed it
  double build_s = 0;
  double verify_s = 0;   ///< before the first sample and after the last
  double measure_s = 0;  ///< uploads, warming up and samples

  [[nodiscard]] double seconds() const { return search_s + build_s + verify_s + measure_s; }
  EvaluationCost& operator+=(const EvaluationCost& more) {
    search_s += more.search_s;
    build_s += more.build_s;
    verify_s += more.verify_s;
    measure_s += more.measure_s;
    return *this;
  }
};

/// The outcome of an evaluation ("evaluation"), written when it is over. Holds what a search needs to
/// continue where it was killed.
struct EvaluationRecord {
  PointKey key;
  std::int64_t number = 0;   ///< from 1; 0: the baseline, which nobody proposed
  std::string proposer;      ///< the strategy, or its part, that asked for the point
  std::int64_t planned = 0;  ///< evaluations in all, as was expected when the point was proposed
  std::string outcome;       ///< faster, tied, dropped, screened or failed
  /// On one scale for the whole search: each is the incumbent's, divided by the paired ratio to it. None: the
  /// point failed.
  std::optional<double> time_ns;
  /// Of a run, on a scale of its own; none where the objective is time, or the point was not raced.
  std::optional<double> joules;
  /// What is compared; none where that is the time.
  std::optional<double> value;
  double error = 0;         ///< half-width of the interval of the natural logarithm of the ratio
  std::string opponent;     ///< the configuration of the incumbent that it was raced against; empty: none
  std::int64_t blocks = 0;  ///< measurement blocks of the point
  double seconds = 0;       ///< spent on the search so far, in all sittings
  EvaluationCost cost;
  /// After it: standard deviation of the logarithm of a pair's ratio, and the incumbent's latest times.
  double noise = 0;
  double incumbent_span_ns = 0;
  double incumbent_wall_ns = 0;

  /// The quantity that the search minimises; none: the point failed.
  [[nodiscard]] std::optional<double> cost_value() const { return value ? value : time_ns; }
};

/// A point that no interval separates from the best one.
struct TiedPoint {
  std::string config;
  double ratio = 1;  ///< time of the best point over its own
  double low = 0, high = 0;
  bool fresh = false;  ///< by blocks taken when the search was over; else by those of the search
};

/// A point that no other of its search is better than in both time and energy.
struct FrontPoint {
  std::string config;
  double time_ns = 0, joules = 0;                            ///< on the scale of the best point
  double time_ratio = 1, time_low = 1, time_high = 1;        ///< time of the best point over its own
  double energy_ratio = 1, energy_low = 1, energy_high = 1;  ///< energy of the best point over its own
};

/// Random search with as much of something as carving had.
struct CarvingRow {
  std::string with;         ///< "as many measured", "as many compiled", "the same seconds"
  std::int64_t points = 0;  ///< that random search would measure for it
  std::int64_t drawn = 0;   ///< of these, at most as many as were measured of the random points
  double probability = 0;   ///< that the best of that many is at least as good as the best of those kept
};

/// What the strategy carve has kept, and what random search finds, whose points it measures in turn.
struct CarvingRecord {
  std::int64_t counted = 0;   ///< points that carving looked at
  std::int64_t compiled = 0;  ///< of these, for the device that is searched, before anything was measured
  std::int64_t kept = 0;
  std::int64_t measured = 0;  ///< of those kept
  bool by_efficiency_alone = false;
  std::string best;  ///< the best of those kept; empty: none ran
  double best_value = 0, efficiency = 0, utilisation = 0;
  std::int64_t random = 0;  ///< points of random search that were measured
  double random_value = 0;  ///< the best of these; 0: none ran
  double seconds = 0;       ///< counting, compiling, and measuring those kept
  std::vector<CarvingRow> rows;
};

/// What a search has found ("answer").
struct AnswerRecord {
  PointKey best;
  /// Over the baseline, from fresh blocks; none where the baseline does not run.
  std::optional<double> speedup;
  double speedup_low = 0, speedup_high = 0;
  double time_ns = 0;  ///< median of the fresh blocks
  /// Where the objective has energy: of a run, and the baseline's over it.
  std::optional<double> joules, saving;
  double saving_low = 0, saving_high = 0;
  std::vector<FrontPoint> front;  ///< where the objective is both, the fastest first
  std::vector<TiedPoint> tied;    ///< no interval separates them from the best
  std::optional<CarvingRecord> carving;
  std::int64_t evaluations = 0;
  double seconds = 0;
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
  std::map<std::string, AnchorRecord> anchors;             ///< by key text; of a group one, merged several
  std::map<std::string, EnergyRecord> energies;            ///< sums, by key text; missing where not measured
  std::map<std::string, DigestRecord> digests;             ///< by key text; older logs have none
  std::map<std::string, EndRecord> ends;                   ///< by key text
  std::map<std::string, SearchRecord> searches;            ///< by the text of the group
  std::map<std::string, std::vector<EvaluationRecord>> evaluations;  ///< by the text of the group
  std::map<std::string, AnswerRecord> answers;                       ///< by the text of the group
  std::vector<RunLog> earlier;                                       ///< each without earlier ones
  bool truncated = false;        ///< the last line is incomplete and was ignored
  std::int64_t whole_bytes = 0;  ///< size of the file up to the end of its last complete line
};

/// The points of a run, grouped by device, dwarf and problem, even if other points were measured in between.
std::vector<PointKey> points_by_group(const RunLog& log);

/// All parts of the run, in their order; the last one is `log` itself.
std::vector<const RunLog*> parts_of(const RunLog& log);

/// Adds a record to the run: a later one of the same device, point, end, search or answer replaces
/// the earlier; blocks, evaluations and energies accumulate. What an earlier part did not run has no record
/// there any more when this part has one.
inline void add_to(RunLog& log, const RunRecord& record) {
  if (log.run.run_id.empty()) log.run = record;  // the first one names the run
}
void add_to(RunLog& log, const PartRecord& record);
inline void add_to(RunLog& log, const DeviceRecord& record) {
  log.devices[record.info.id] = record;
}
inline void add_to(RunLog& log, const PeaksRecord& record) {
  log.peaks[record.device_id] = record;
}
inline void add_to(RunLog& log, const SelfTestRecord& record) {
  log.self_tests[record.device_id] = record;
}
inline void add_to(RunLog& log, const SizeRecord& record) {
  log.sizes[size_key(record.device_id, record.dwarf)] = record;
}
inline void add_to(RunLog& log, const KnownPointRecord& record) {
  log.known_points[known_point_key(record.device_id, record.dwarf, record.size, record.problem)] = record;
}
inline void add_to(RunLog& log, const PlanRecord& record) {
  log.planned = record.points;
}
void add_to(RunLog& log, const PointRecord& record);
inline void add_to(RunLog& log, const BlockRecord& record) {
  log.blocks[record.key.text()].push_back(record);
}
inline void add_to(RunLog& log, const AnchorRecord& record) {
  log.anchors[record.key.text()] = record;
}
void add_to(RunLog& log, const EnergyRecord& record);
inline void add_to(RunLog& log, const DigestRecord& record) {
  log.digests[record.key.text()] = record;
}
void add_to(RunLog& log, const EndRecord& record);
inline void add_to(RunLog& log, const SearchRecord& record) {
  log.searches[record.baseline.group()] = record;
}
inline void add_to(RunLog& log, const EvaluationRecord& record) {
  log.evaluations[record.key.group()].push_back(record);
}
inline void add_to(RunLog& log, const AnswerRecord& record) {
  log.answers[record.best.group()] = record;
}

}  // namespace dwarfsweep
