// What a sweep and a search have in common: one log, and queues of devices that work stage by stage.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "suite/engine/build_ahead.hpp"
#include "suite/engine/sweep_devices.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/sweep/size_choices.hpp"
#include "suite/worker/device_queues.hpp"

namespace dwarfsweep {

/// What is measured one after the other, with its open device and its builders.
class RunQueue {
 public:
  /// What workers and builders print goes to the file `output`. `cores`: for the device and its builders.
  RunQueue(SweepContext& context, const std::filesystem::path& output, int cores)
      : context_(context), builds_(context.options, output, cores), devices_(context, output) {}

  [[nodiscard]] SweepDevices& devices() { return devices_; }
  [[nodiscard]] BuildAhead& builds() { return builds_; }
  void end() {
    builds_.end();
    devices_.close();
  }

 protected:
  SweepContext& context_;
  BuildAhead builds_;
  SweepDevices devices_;
};

template <typename Queue>
class StagedRun {
 public:
  /// Writes into `folder`, continuing `log` where that holds a run already. Throws UsageError where another
  /// process writes there, or has written since `log` was read.
  StagedRun(const Options& options, const std::filesystem::path& folder, RunLog&& log,
            std::optional<std::chrono::milliseconds> budget = {})
      : context_(options, folder, std::move(log), budget), folder_(folder) {
    if (context_.log.is_new()) context_.log.append(RunRecord(context_.log.run().run));
  }

  /// Chooses the size of each device and dwarf of the groups, as far as the log does not have it; the choices
  /// are then in the log. `groups`: planned at any size, with what a sweep would measure. Part of the budget.
  /// Stops when interrupted.
  void choose_sizes(const std::vector<SweepGroup>& groups) {
    unless_interrupted([&] {
      Queue& first = queue(0, usable_cores());
      dwarfsweep::choose_sizes(context_, first.devices(), first.builds(), groups);
    });
  }
  [[nodiscard]] const RunLog& log() const { return context_.log.run(); }
  [[nodiscard]] bool was_interrupted() const { return interrupted_; }

 protected:
  template <typename Action>
  void unless_interrupted(const Action& action) {
    try {
      action();
    } catch (const Interrupted&) {
      interrupted_ = true;
    }
  }

  /// Of what is measured on these devices. Says what runs at the same time.
  std::vector<Stage> begin_stages(const std::vector<const DeviceInfo*>& devices) {
    std::vector<Stage> stages = plan_stages(devices, usable_cores());
    if (const std::string together = describe_stages(stages, devices); !together.empty())
      print_stderr("{}\n", together);
    // A device that was opened to choose sizes was given all cores.
    if (most_queues(stages) > 1) queues_.clear();
    return stages;
  }

  Queue& queue(std::size_t number, int cores) {
    while (queues_.size() <= number) {
      const std::string name =
          queues_.empty() ? "workers.log" : fmt::format("workers-{}.log", queues_.size() + 1);
      queues_.push_back(std::make_unique<Queue>(context_, folder_ / name, cores));
    }
    return *queues_[number];
  }

  void end() {
    context_.progress.clear();
    for (const auto& each : queues_) each->end();
  }

  SweepContext context_;
  std::filesystem::path folder_;
  std::vector<std::unique_ptr<Queue>> queues_;
  bool interrupted_ = false;
};

}  // namespace dwarfsweep
