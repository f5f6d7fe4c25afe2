// What a run leaves behind: the records of its append-only log, log.jsonl, one JSON object a line.
//
// The log is the run. It is flushed record by record as things happen; measurements.csv, samples.csv,
// speedups.csv, run.json and tables.md follow from it and can be made again at any time. A later record of a
// point replaces an earlier one; blocks add up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/device.hpp"
#include "harness/dwarf.hpp"
#include "harness/measure.hpp"
#include "harness/sample.hpp"
#include "harness/status.hpp"
#include "harness/timer_test.hpp"

namespace dwarfsweep {

inline constexpr int schema_version = 1;

/// Which point: all that tells it from another point of the run.
struct PointKey {
  std::string device_id;
  std::string dwarf;
  std::string size;     ///< tiny ... paper, custom, file
  std::string problem;  ///< "n=1024"
  std::string config;   ///< "variant=tiled;work_group=16;..."; for the host's own CPU "variant=serial|openmp"

  [[nodiscard]] std::string text() const {
    return device_id + "|" + dwarf + "|" + size + "|" + problem + "|" + config;
  }
  friend bool operator==(const PointKey&, const PointKey&) = default;
};

/// The machine the run was made on.
struct HostInfo {
  std::string name;
  std::string processor;
  std::string system;  ///< distribution and kernel
  unsigned threads = 0;
  std::uint64_t memory_bytes = 0;
};

/// First record ("run"): what was asked for, by which program, where.
struct RunRecord {
  std::string run_id;     ///< "<host>-<UTC time>"
  std::string timestamp;  ///< ISO 8601, UTC
  std::string version;
  std::string revision;                ///< git, "-dirty" where the tree differed
  std::vector<std::string> arguments;  ///< the command line after the program's name
  HostInfo host;
  std::vector<PlatformNote> notes;  ///< platforms skipped, and why
  /// The variables that steer OpenCL, its drivers and OpenMP; none whose name promises a secret.
  std::map<std::string, std::string> environment;
};

/// A device as the run saw it ("device").
struct DeviceRecord {
  DeviceInfo info;
  TimerReport timer;
};

/// What a device reached at best ("peaks"), by the names of harness/peaks.hpp. A name that is missing was not
/// measured.
struct PeaksRecord {
  std::string device_id;
  std::map<std::string, double> values;
};

/// How far timings of a device can be trusted ("selftest"): the figures of harness/self_test.hpp by name,
/// those that are numbers; or why there are none.
struct SelfTestRecord {
  std::string device_id;
  std::map<std::string, double> values;
  std::string failure;
};

/// What became of a point ("point"): written when it is prepared or fails, again when its last check fails.
struct PointRecord {
  PointKey key;
  bool baseline = false;
  std::string timestamp;
  std::string driver;
  std::string timer;  ///< device or host
  std::string cache;  ///< hot or cold
  Preparation preparation;
};

enum class PairRole { baseline, variant };

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
  bool paired = true;  ///< false: the baseline cannot run, so the variant was sampled alone
  /// The winner of a group is measured again before it is announced, for the best of many is biased: true for
  /// the blocks made then.
  bool confirmation = false;
  std::vector<BlockSample> samples;
};

/// No more blocks of this point ("end").
struct EndRecord {
  PointKey key;
  std::string stop_reason;  ///< converged, budget, rounds, point-timeout, failed, rejected, skipped
};

/// A run read back from its log.
struct RunLog {
  RunRecord run;
  std::map<std::string, DeviceRecord> devices;             ///< by id
  std::map<std::string, PeaksRecord> peaks;                ///< by device id; none where not measured
  std::map<std::string, SelfTestRecord> self_tests;        ///< by device id
  std::vector<PointKey> order;                             ///< points in the order of their first record
  std::map<std::string, PointRecord> points;               ///< by key text
  std::map<std::string, std::vector<BlockRecord>> blocks;  ///< by key text
  std::map<std::string, EndRecord> ends;                   ///< by key text
  bool truncated = false;                                  ///< the last line was cut off and is ignored
  std::int64_t whole_bytes = 0;                            ///< of the file, up to the end of its last line
};

/// A record joins the run: a later one of the same device, point or end replaces the earlier; blocks add up.
void add_to(RunLog& log, const RunRecord& record);  ///< the first one names the run
void add_to(RunLog& log, const DeviceRecord& record);
void add_to(RunLog& log, const PeaksRecord& record);
void add_to(RunLog& log, const SelfTestRecord& record);
void add_to(RunLog& log, const PointRecord& record);
void add_to(RunLog& log, const BlockRecord& record);
void add_to(RunLog& log, const EndRecord& record);

}  // namespace dwarfsweep
