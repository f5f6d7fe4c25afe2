// The requests that the parent sends to its child processes, each with the type of its answer. A worker does
// everything OpenCL, a builder builds programs into the program cache, and a counter counts instructions on
// Oclgrind.
//
// A request travels as one line of JSON: its fields, and its name under the key "do". An answer is one line,
// too: {"result": ...}, or {"error": sentence, "status": Status or "usage" or "no_device"}. Either may carry
// {"late": [{"key", "reason"}...]}, the deferred failures.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/device/inventory.hpp"
#include "harness/energy/power_phase.hpp"
#include "harness/program/kernel_source.hpp"
#include "harness/run/sample.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/record/record.hpp"
#include "suite/search/carve.hpp"

namespace dwarfsweep {

/// The answer of a request that has only to be done: {}.
struct Done {};

// --- to a worker

struct ListDevices {
  using Answer = Inventory;
  static constexpr const char* name = "devices";
};

struct OpenedDevice {
  TimerReport timer;
  ProgressReport progress;
};

/// Comes before all requests below. Timer and progress are tested unless they are known already.
struct OpenDevice {
  using Answer = OpenedDevice;
  static constexpr const char* name = "open";
  DeviceInfo device;
  std::string kernels;  ///< folder of edited kernels; empty: embedded
  CacheState cache = CacheState::hot;
  std::optional<TimerReport> timer = {};
  double half_width = 0.03;                  ///< target relative half-width of intervals
  std::map<std::string, double> peaks = {};  ///< of the device, as far as the run has measured them
};

/// The name of the meter of the device's energy; empty if it has none, or if it cannot be read.
struct FindMeter {
  using Answer = std::string;
  static constexpr const char* name = "meter";
  DeviceInfo device;
};

struct TestHarness {
  using Answer = SelfTestReport;
  static constexpr const char* name = "selftest";
};

struct MeasurePeaks {
  using Answer = std::map<std::string, double>;
  static constexpr const char* name = "peaks";
  std::int64_t limit_ms = 0;
};

/// Generates or reads the data of a point. The answer has the sizes of the input files.
struct LoadProblem {
  using Answer = Problem;
  static constexpr const char* name = "load";
  PointRequest point;
};

/// Builds the point and uploads its inputs: what comes before its first launch.
struct BuildPoint {
  using Answer = Done;
  static constexpr const char* name = "build";
  PointRequest point;
};

/// Builds the point unless that is done, verifies it and warms it up; from then on it is ready.
struct PreparePoint {
  using Answer = Preparation;
  static constexpr const char* name = "prepare";
  PointRequest point;
};

/// Checks the results of two launches, and keeps nothing of the point.
struct VerifyPoint {
  using Answer = Check;
  static constexpr const char* name = "verify";
  PointRequest point;
};

struct MeasuredBlock {
  std::vector<BlockSample> samples;
  ClockReading clock;
};

/// Pairs of the point and the baseline, or the point alone. Prepares what is not ready.
struct MeasureBlock {
  using Answer = MeasuredBlock;
  static constexpr const char* name = "measure";
  PointRequest point;
  std::optional<PointRequest> baseline;
  int pairs = 1;
  std::uint64_t seed = 0;
};

struct MeteredEnergy {
  std::string meter;
  EnergyUse use;
};

/// Nothing if the device does not report its energy, or reported too few steps.
struct MeasureEnergy {
  using Answer = std::optional<MeteredEnergy>;
  static constexpr const char* name = "energy";
  PointRequest point;
  double seconds = 0;
};

/// What a worker can say of the output of a point's last launch.
enum class LastOutput {
  verified,   ///< now, or when the point had to make room for another
  not_ready,  ///< this worker never prepared the point, or has forgotten it: there is no output to verify
};

/// Verifies the output of the point's last launch. Fails as the point does if it is wrong.
struct FinishPoint {
  using Answer = LastOutput;
  static constexpr const char* name = "finish";
  PointRequest point;
  bool forget = false;  ///< the point gives its memory back
};

/// Digests of the point's input and of its output, which FinishPoint has verified; none if this worker does
/// not hold the point.
struct DigestPoint {
  using Answer = PointDigests;
  static constexpr const char* name = "digest";
  PointRequest point;
};

/// Inputs, result and programs, into a folder that exists. Of a point whose result is wrong the programs; it
/// fails then.
struct DumpPoint {
  using Answer = Done;
  static constexpr const char* name = "dump";
  PointRequest point;
  std::string folder;
};

struct StagedPoint {
  std::string program_id;
  std::vector<Work> work;
  std::uint64_t input_bytes = 0;
};

/// For kernels that are judged or compiled ahead: builds the point, in the memory of the one staged before,
/// uploads its inputs, and makes ready for a launch.
struct StagePoint {
  using Answer = StagedPoint;
  static constexpr const char* name = "stage";
  static constexpr std::size_t kept_data = 4;  ///< problems whose data the worker keeps on the host
  PointRequest point;
  Leftovers leftovers = Leftovers::poison;
  std::uint64_t seed = 0;  ///< of noise
};

/// Launches the staged point once.
struct LaunchStaged {
  using Answer = Sample;
  static constexpr const char* name = "launch";
};

struct CollectedOutput {
  std::string guard;  ///< which buffer was written out of its bounds; empty: none
};

/// Writes what the host has read of the last launch and of its results to a file, unchecked.
struct CollectOutput {
  using Answer = CollectedOutput;
  static constexpr const char* name = "collect";
  std::string file;
};

struct CheckedOutput {
  Check check;
  std::int64_t bytes = 0;   ///< of the file
  std::int64_t poison = 0;  ///< words of it that hold the pattern of the guard bands
};

/// Checks such a file, which another worker has written, against the reference. Runs no kernel.
struct CheckOutput {
  using Answer = CheckedOutput;
  static constexpr const char* name = "check";
  PointRequest point;
  std::string file;
};

/// Forgets all points and data.
struct DropAll {
  using Answer = Done;
  static constexpr const char* name = "drop";
};

using WorkerRequest =
    std::variant<ListDevices, OpenDevice, FindMeter, TestHarness, MeasurePeaks, LoadProblem, BuildPoint,
                 PreparePoint, VerifyPoint, MeasureBlock, MeasureEnergy, FinishPoint, DigestPoint, DumpPoint,
                 StagePoint, LaunchStaged, CollectOutput, CheckOutput, DropAll>;

// --- to a builder

/// For each point by its place in the request the programs it needs, as places in `programs`; nothing if its
/// programs are not known. `reasons` says why they are not: "unsupported: ..."; empty if they are.
struct ProgramList {
  std::vector<ProgramText> programs;
  std::vector<std::optional<std::vector<std::size_t>>> points;
  std::vector<std::string> reasons;
};

/// Of points that share their data. Needs no device.
struct ListPrograms {
  using Answer = ProgramList;
  static constexpr const char* name = "list";
  DeviceInfo device;
  std::string kernels;
  std::vector<PointRequest> points;
};

/// Comes before the requests below.
struct OpenBuilder {
  using Answer = Done;
  static constexpr const char* name = "open";
  DeviceInfo device;
  std::string kernels;
};

struct BuildTime {
  std::int64_t build_ns = 0;
  std::int64_t end_ns = 0;  ///< by now_ns(); 0: the program was built before
};

struct BuildProgram {
  using Answer = BuildTime;
  static constexpr const char* name = "build";
  ProgramText program;
};

/// The most that a kernel of a program needs.
struct ProgramNeeds {
  std::int64_t registers = 0;    ///< of a work-item; 0: the compiler does not report them
  std::int64_t local_bytes = 0;  ///< of a group
};

/// Builds the program unless it was built before.
struct FindNeeds {
  using Answer = ProgramNeeds;
  static constexpr const char* name = "needs";
  ProgramText program;
};

using BuilderRequest = std::variant<ListPrograms, OpenBuilder, BuildProgram, FindNeeds>;

// --- to a counter

struct OpenCounter {
  using Answer = Done;
  static constexpr const char* name = "open";
  std::string kernels;
};

/// Of one execution of the point.
struct CountPoint {
  using Answer = InstructionCounts;
  static constexpr const char* name = "count";
  PointRequest point;
};

using CounterRequest = std::variant<OpenCounter, CountPoint>;

// --- on the way

/// The file descriptors of a child process: standard input, and one that no driver prints to.
inline constexpr int worker_request_fd = 0;
inline constexpr int worker_answer_fd = 3;

/// The last output of a point was wrong when the point had to make room for another. Reported once, with the
/// next answer, whatever that is about.
struct DeferredFailure {
  std::string key;  ///< of the point's request
  std::string reason;
};

/// What went wrong, in place of an answer.
struct ReportedError {
  std::string status;  ///< a Status, or "usage" or "no_device"
  std::string sentence;
};

using JsonAnswer = std::shared_ptr<const Json>;

/// An answer as it travels.
struct Envelope {
  std::variant<JsonAnswer, ReportedError> content;
  std::vector<DeferredFailure> deferred;
};

template <typename Request>
std::string write_request(const Request& request);
/// `Requests`: WorkerRequest, BuilderRequest or CounterRequest. Throws UsageError if the line is none of
/// these, and Json::exception if it lacks a field.
template <typename Requests>
Requests read_request(const std::string& line);

template <typename Request>
JsonAnswer write_answer(const typename Request::Answer& answer);
/// Throws Json::exception if it is not an answer to such a request, std::runtime_error for a number out of
/// range.
template <typename Request>
typename Request::Answer read_answer(const Json& answer);

/// Lines without their end.
std::string write_envelope(const Envelope& envelope);
/// Nothing if the line is not an answer to anything.
std::optional<Envelope> read_envelope(const std::string& line);

// For `plan --programs`, which prints them as they are.
void to_json(Json& json, const ProgramText& text);
void from_json(const Json& json, ProgramText& text);

}  // namespace dwarfsweep
