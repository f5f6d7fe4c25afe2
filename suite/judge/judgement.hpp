// What judging kernels ends with: a verdict, what led to it, and a score.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"

namespace dwarfsweep {

/// The form of `judge --json`.
inline constexpr int judgement_schema = 1;

/// Why a candidate is not correct. docs/judge.md lists the kinds.
struct JudgeFinding {
  std::string kind;
  std::string detail;
};

/// The verdict that a finding of this kind leads to: "wrong", "cheats" or "fails".
std::string verdict_of(const std::string& kind);

/// If inputs and results of so many bytes cannot be read and written in that time, by the measured peaks of
/// the device, caches and local memory included. Operations do not count: a better algorithm may need fewer.
std::optional<JudgeFinding> find_impossible_time(const std::map<std::string, double>& peaks, double bytes,
                                                 double ns);

/// With the 95 % interval.
struct Interval95 {
  double value = 0, low = 0, high = 0;
};

struct Score {
  std::optional<Interval95> over_baseline, over_best, peak_fraction;
};

struct Judgement {
  std::string dwarf, problem, config;
  DeviceInfo device;
  std::uint64_t seed = 0;
  std::vector<JudgeFinding> findings;
  std::optional<Score> score;  ///< of a correct candidate alone, and if there was time
  bool unchanged = false;      ///< the candidate's programs are the built-in ones
  int verified = 0, shapes = 0, timed = 0, simulated = 0;
  double seconds = 0;

  /// "correct", or that of the first finding.
  [[nodiscard]] std::string verdict() const;
};

std::string judgement_as_json(const Judgement& judgement);
std::string judgement_as_text(const Judgement& judgement);

}  // namespace dwarfsweep
