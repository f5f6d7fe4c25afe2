// What the command line asked for, as plain data: suite/commands/command_line.hpp reads it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/run/sample.hpp"
#include "harness/space/value.hpp"

namespace dwarfsweep {

/// A share of a plan, so that several machines measure it together. The whole plan if `count` is 0 (nobody
/// asked to split it) or 1.
struct Shard {
  int index = 1;  ///< from 1
  int count = 0;
  friend bool operator==(const Shard&, const Shard&) = default;
};

/// The defaults of `--plan ci`, which measures the same points with the same seed in every run, so that runs
/// can be compared. The blocks of each point were found by simulation with the noise of the reference runs
/// (tests/compare_calibration_test.cpp). They are spread over several worker processes, because where a
/// buffer lies may make a point faster or slower as long as its process lives.
inline constexpr int ci_blocks = 112;
inline constexpr int ci_processes = 4;
inline constexpr int ci_budget_seconds = 60;

/// How carefully a sweep measures.
struct Quality {
  double half_width = 0.03;  ///< target relative half-width of the 95 % interval
  int blocks = 3;            ///< minimum number of measurement blocks before a point may be called converged
  int rounds = 30;           ///< maximum number of measurement blocks per point
  int pairs = 5;             ///< pairs of {baseline, variant} in a measurement block
  /// The rounds after which a new worker process starts, with new buffers; 0: only if the worker dies.
  int blocks_per_process = 0;
};

/// What is measured, and how.
struct Options {
  std::vector<std::string> dwarfs;
  std::vector<std::string> devices;  ///< selectors; empty: all
  std::vector<std::string> sizes;
  ValueMap problem;
  ValueMap settings;
  std::vector<std::pair<std::string, std::vector<Value>>> axes;
  std::string plan = "one-at-a-time";
  std::vector<std::string> runs;  ///< folders: of runs for the plan transfer, of an atlas for best
  Shard shard;                    ///< of the plan
  Quality quality;
  std::chrono::milliseconds budget{0};  ///< zero: none
  std::chrono::milliseconds point_timeout{60'000};
  int give_up_after = 3;  ///< failures in a row after which a variant's other points are skipped; 0: never
  int builders = -1;      ///< processes that build ahead; negative: as suits the device and the host's cores
  std::uint64_t seed = 1;
  CacheState cache = CacheState::hot;
  bool cpu_reference = false;
  bool device_characteristics = true;  ///< measure each device's peaks and the self-test as well
  std::vector<std::string> inputs;
  std::string kernels;  ///< a folder of edited kernel files; empty: those in the program
  std::string against;  ///< of `run`: a second such folder, to compare with
  std::vector<std::string> strategies = {"auto"};
  std::string objective = "time";  ///< of a search: time, energy or both
  std::vector<std::size_t> evaluations = {100, 200, 400};
  bool evaluations_given = false;
};

}  // namespace dwarfsweep
