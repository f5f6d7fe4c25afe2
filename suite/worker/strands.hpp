// Devices of a machine that share nothing are measured at the same time: each in a strand of its own, with
// its own worker and builders. All write one log.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"

namespace dwarfsweep {

/// Places in a list of what is to be measured, one after the other.
using Strand = std::vector<std::size_t>;
/// Tracks that run at the same time.
using Wave = std::vector<Strand>;

/// Two GPUs with memory of their own whose drivers tell by the same kind of identity, UUIDs or PCI addresses,
/// that they are two. Everything else may share cores or memory, and so time: CPU devices with each other, a
/// GPU with the CPU device whose cores feed it, and what can be the same GPU by two platforms.
bool share_nothing(const DeviceInfo& one, const DeviceInfo& other);

/// Cores that this process may use.
int usable_cores();

/// What is to be measured on these devices, one entry for each: first the GPUs that share nothing with each
/// other, a strand for each, then all the rest in one strand. One wave of one strand where there are no two
/// such GPUs, or not one of the host's `cores` for each worker. Waves follow each other; their strands keep
/// the order of the list.
std::vector<Wave> plan_waves(const std::vector<const DeviceInfo*>& devices, int cores);
/// The most strands of a wave.
std::size_t most_strands(const std::vector<Wave>& waves);
/// How many entries are measured one after the other.
std::size_t length_of(const std::vector<Wave>& waves);
/// How many of the usable cores each strand of the widest wave has for itself.
int cores_for_strand(const std::vector<Wave>& waves);
/// What is measured at the same time, as a line for the user; empty where nothing is.
std::string describe_waves(const std::vector<Wave>& waves, const std::vector<const DeviceInfo*>& devices);

/// Runs each in a thread of its own, and returns when all have ended. Only one of them works at any time: the
/// others wait, by a WhileWaiting. Where one throws, the others get Interrupted from their next wait, and its
/// exception is thrown.
void run_strands(const std::vector<std::function<void()>>& strands);

/// The calling strand waits for another process as long as this lives: the others may work. Does nothing in
/// threads that are no strands.
class WhileWaiting {
 public:
  WhileWaiting();
  ~WhileWaiting();
  WhileWaiting(const WhileWaiting&) = delete;
  WhileWaiting& operator=(const WhileWaiting&) = delete;
};

/// Another strand of this one's wave has failed.
bool is_abandoned();

}  // namespace dwarfsweep
