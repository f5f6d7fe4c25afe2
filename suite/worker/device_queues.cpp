#include "suite/worker/device_queues.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace dwarfsweep {
namespace {

std::mutex turn;  // of the device queue that works

enum class Turn { none, held, released };  // none: this thread is no device queue
thread_local Turn own_turn = Turn::none;

std::atomic<bool> abandoned{false};

// "uuid" or "pci"; empty where the identity is but a name.
std::string kind_of_identity(const DeviceInfo& device) {
  for (const char* kind : {"uuid-", "pci-"}) {
    if (device.id.starts_with(kind)) return kind;
  }
  return "";
}

bool is_apart(const DeviceInfo& device) {
  return device.type == "gpu" && !device.capabilities.unified_memory && !kind_of_identity(device).empty();
}

// Those that share nothing with any other device of the list that could be apart.
std::vector<const DeviceInfo*> devices_apart(const std::vector<const DeviceInfo*>& devices) {
  std::vector<const DeviceInfo*> apart;
  for (const DeviceInfo* device : devices) {
    const bool known =
        std::ranges::any_of(apart, [&](const DeviceInfo* other) { return other->id == device->id; });
    const bool alone = std::ranges::all_of(devices, [&](const DeviceInfo* other) {
      return other->type != "gpu" || (other->id == device->id && other->platform == device->platform) ||
             share_nothing(*device, *other);
    });
    if (is_apart(*device) && !known && alone) apart.push_back(device);
  }
  return apart;
}

}  // namespace

bool share_nothing(const DeviceInfo& one, const DeviceInfo& other) {
  return is_apart(one) && is_apart(other) && one.id != other.id &&
         kind_of_identity(one) == kind_of_identity(other);
}

std::vector<Stage> plan_stages(const std::vector<const DeviceInfo*>& devices, int cores) {
  std::vector<const DeviceInfo*> apart = devices_apart(devices);
  if (apart.size() < 2 || cores < static_cast<int>(apart.size())) apart.clear();
  Stage together(apart.size());
  DeviceQueue rest;
  for (std::size_t place = 0; place < devices.size(); ++place) {
    const auto found = std::ranges::find(apart, devices[place]->id, &DeviceInfo::id);
    (found == apart.end() ? rest : together[static_cast<std::size_t>(found - apart.begin())])
        .push_back(place);
  }
  std::vector<Stage> stages;
  if (!together.empty()) stages.push_back(std::move(together));
  if (!rest.empty() || stages.empty()) stages.push_back({rest});
  return stages;
}

std::size_t most_queues(const std::vector<Stage>& stages) {
  std::size_t most = 1;
  for (const Stage& stage : stages) most = std::max(most, stage.size());
  return most;
}

std::size_t length_of(const std::vector<Stage>& stages) {
  std::size_t length = 0;
  for (const Stage& stage : stages) {
    std::size_t longest = 0;
    for (const DeviceQueue& queue : stage) longest = std::max(longest, queue.size());
    length += longest;
  }
  return length;
}

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

int cores_for_queue(const std::vector<Stage>& stages) {
  return usable_cores() / static_cast<int>(most_queues(stages));
}

std::string describe_stages(const std::vector<Stage>& stages, const std::vector<const DeviceInfo*>& devices) {
  if (most_queues(stages) < 2) return "";
  const auto name = [&](std::size_t place) {
    return fmt::format("{} ({})", devices[place]->name, devices[place]->id);
  };
  std::vector<std::string> together;
  for (const DeviceQueue& queue : stages.front()) together.push_back(name(queue.front()));
  std::string text = fmt::format("at the same time, as they share nothing: {}", fmt::join(together, ", "));
  if (stages.size() == 1) return text;
  std::vector<std::string> after;
  for (const std::size_t place : stages.back().front()) {
    if (std::ranges::find(after, devices[place]->name) == after.end()) after.push_back(devices[place]->name);
  }
  return text + fmt::format("; then, one after the other: {}", fmt::join(after, ", "));
}

void run_queues(const std::vector<std::function<void()>>& queues) {
  if (queues.size() == 1) return queues.front()();
  abandoned = false;
  std::exception_ptr first;
  const auto run = [&first](const std::function<void()>& queue) {
    const std::lock_guard lock(turn);
    own_turn = Turn::held;
    try {
      queue();
    } catch (...) {
      // Those that are interrupted because of it come later.
      if (!first) first = std::current_exception();
      abandoned = true;
    }
    own_turn = Turn::none;
  };
  std::vector<std::thread> threads;
  for (const std::function<void()>& queue : queues) threads.emplace_back(run, std::cref(queue));
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

TurnRelease::TurnRelease() : released_(own_turn == Turn::held) {
  if (!released_) return;
  own_turn = Turn::released;
  turn.unlock();
}

TurnRelease::~TurnRelease() {
  if (!released_) return;
  turn.lock();
  own_turn = Turn::held;
}

bool is_abandoned() {
  return own_turn != Turn::none && abandoned;
}

}  // namespace dwarfsweep
