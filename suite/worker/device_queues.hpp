// Devices of a machine that share nothing are measured at the same time: each in a queue of its own, with
// its own worker and builders. All write one log.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"

namespace dwarfsweep {

/// Places in a list of what is to be measured, one after the other.
using DeviceQueue = std::vector<std::size_t>;
/// Queues that work at the same time.
using Stage = std::vector<DeviceQueue>;

/// Whether both are GPUs with memory of their own whose drivers report different identities of the same kind,
/// UUIDs or PCI addresses. All other devices may share cores or memory, and so time: CPU devices with each
/// other, a GPU with the CPU device whose cores feed it, and devices that may be one GPU on two platforms.
bool share_nothing(const DeviceInfo& one, const DeviceInfo& other);

/// Cores that this process may use.
int usable_cores();

/// What is to be measured on these devices, one entry for each: first the GPUs that share nothing with each
/// other, a queue for each, then all the rest in one queue. One stage of one queue where there are no two
/// such GPUs, or not one of the host's `cores` for each worker. Stages follow each other; their queues keep
/// the order of the list.
std::vector<Stage> plan_stages(const std::vector<const DeviceInfo*>& devices, int cores);
/// The most queues of a stage.
std::size_t most_queues(const std::vector<Stage>& stages);
/// How many entries are measured one after the other.
std::size_t length_of(const std::vector<Stage>& stages);
/// How many of the usable cores each queue of the widest stage has for itself.
int cores_for_queue(const std::vector<Stage>& stages);
/// What is measured at the same time, as a line for the user; empty where nothing is.
std::string describe_stages(const std::vector<Stage>& stages, const std::vector<const DeviceInfo*>& devices);

/// Runs each in a thread of its own, and returns when all have ended. Only one of them works at any time: the
/// others wait, by a TurnRelease. Where one throws, the others get Interrupted from their next wait, and its
/// exception is thrown.
void run_queues(const std::vector<std::function<void()>>& queues);

/// The calling device queue waits for another process as long as this lives: the others may work. Does
/// nothing in threads that are no device queues, or whose turn is released already. A lock that is taken
/// while the turn is released must be let go before this ends: the turn comes first, locks second.
class TurnRelease {
 public:
  TurnRelease();
  ~TurnRelease();
  TurnRelease(const TurnRelease&) = delete;
  TurnRelease& operator=(const TurnRelease&) = delete;

 private:
  bool released_;
};

/// Another queue of this one's stage has failed.
bool is_abandoned();

}  // namespace dwarfsweep
