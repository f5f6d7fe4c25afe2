// The two processes of a judgement: a confined one that runs the candidate's kernels, and one of ours that
// holds the reference results, checks every output, and times our kernels.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "harness/statistics/random.hpp"
#include "suite/judge/judgement.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

/// When the judgement must be over.
struct JudgeTime {
  using Clock = std::chrono::steady_clock;

  Clock::time_point begin = Clock::now();
  std::chrono::milliseconds whole{60'000};

  /// Since the beginning, as a share of the whole.
  [[nodiscard]] double spent() const;
  /// At least a millisecond.
  [[nodiscard]] std::chrono::milliseconds left() const;
  /// What a request to the candidate may take: part of the whole.
  [[nodiscard]] std::chrono::milliseconds request_limit() const;
};

/// One launch of the candidate on these data.
struct Trial {
  Problem problem;
  std::uint64_t seed = 1;
  Leftovers leftovers = Leftovers::poison;
};

/// A small problem that this configuration takes: one of the dwarf's odd ones, or drawn as the property tests
/// draw theirs. Nothing if none was found in many draws.
std::optional<Problem> draw_shape(const Dwarf& dwarf, const Config& config, const Capabilities& capabilities,
                                  std::int64_t most_elements, Random& random);

struct Outcome {
  std::string kind;  ///< of a finding; empty: the result is right, or was not asked for
  std::string detail;
  bool skipped = false;  ///< the trial says nothing: no time, or the device has no room for it
  Check check;
  double poison = 0;              ///< share of the output's words that nobody wrote
  std::uint64_t output_hash = 0;  ///< of what was collected
  std::int64_t output_bytes = 0;
  double ns = 0;  ///< of the launch
};

class Bench {
 public:
  /// `folder`: for files of the processes. `kernels`: the candidate's, in there. `environment`: of both.
  Bench(const DeviceInfo& device, const JudgeTime& time, const std::filesystem::path& folder,
        std::string kernels, std::vector<std::string> environment = {});

  /// Throws NoDeviceError, Interrupted.
  Outcome run(const PointRequest& point, const Trial& trial);
  /// The two halves of it: other processes may launch in between.
  Outcome launch_candidate(const PointRequest& point, const Trial& trial);
  void verify(const PointRequest& point, const Trial& trial, Outcome& outcome);
  /// Our own kernels, not verified; nothing if the point does not run. The same throws.
  std::optional<double> time_own(const PointRequest& point, const Trial& trial);
  /// What our own kernels do, as our process says, in the last launch of time_own().
  [[nodiscard]] const StagedPoint& staged() const { return staged_; }
  /// Of the output that our own kernels give.
  std::optional<std::uint64_t> hash_of_own(const PointRequest& point, const Trial& trial);
  /// Ends the candidate's process; the next trial begins a new one.
  void renew() { candidate_.reset(); }
  /// What our process measures of the device.
  std::map<std::string, double> peaks(std::chrono::milliseconds limit);
  /// What the candidate's process has printed since the last call; that of our own.
  std::string take_printed() { return take_printed(candidate_log_, candidate_read_); }
  std::string take_printed_of_own() { return take_printed(own_log_, own_read_); }

  [[nodiscard]] const DeviceInfo& device() const { return device_; }

 private:
  DeviceClient& candidate();
  DeviceClient& own();
  void attempt(Outcome& outcome, const std::string& doing,
               const std::function<void(std::chrono::milliseconds limit)>& action);
  template <typename Action>
  auto with_own(const Action& action) -> std::optional<decltype(action(own()))>;
  double launch(DeviceClient& client, std::chrono::milliseconds limit);
  [[nodiscard]] std::uint64_t hash_of_output() const;
  void check(const PointRequest& request, Outcome& outcome);
  void note_printing(const PointRequest& request, std::uintmax_t before, Outcome& outcome);
  static std::string take_printed(const std::filesystem::path& log, std::uintmax_t& read);

  DeviceInfo device_;
  const JudgeTime& time_;
  std::filesystem::path folder_, candidate_log_, own_log_, output_;
  std::string kernels_;
  std::vector<std::string> environment_;
  std::unique_ptr<DeviceClient> candidate_, own_;
  StagedPoint staged_;
  std::set<std::string> launched_;  // by the candidate's process: first launches may print what a driver says
  std::uintmax_t candidate_read_ = 0, own_read_ = 0;
};

}  // namespace dwarfsweep
