#include "suite/worker/strands.hpp"

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

std::mutex turn;  // of the strand that works
thread_local bool is_strand = false;
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

// Those of which each shares nothing with any other device of the list that could be apart.
std::vector<const DeviceInfo*> devices_apart(const std::vector<const DeviceInfo*>& devices) {
  std::vector<const DeviceInfo*> apart;
  for (const DeviceInfo* device : devices) {
    const bool known = std::any_of(apart.begin(), apart.end(),
                                   [&](const DeviceInfo* other) { return other->id == device->id; });
    const bool alone = std::all_of(devices.begin(), devices.end(), [&](const DeviceInfo* other) {
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

std::vector<Wave> plan_waves(const std::vector<const DeviceInfo*>& devices, int cores) {
  std::vector<const DeviceInfo*> apart = devices_apart(devices);
  if (apart.size() < 2 || cores < static_cast<int>(apart.size())) apart.clear();
  Wave together(apart.size());
  Strand rest;
  for (std::size_t place = 0; place < devices.size(); ++place) {
    const auto found = std::find_if(apart.begin(), apart.end(), [&](const DeviceInfo* device) {
      return device->id == devices[place]->id;
    });
    (found == apart.end() ? rest : together[static_cast<std::size_t>(found - apart.begin())])
        .push_back(place);
  }
  std::vector<Wave> waves;
  if (!together.empty()) waves.push_back(std::move(together));
  if (!rest.empty() || waves.empty()) waves.push_back({rest});
  return waves;
}

std::size_t most_strands(const std::vector<Wave>& waves) {
  std::size_t most = 1;
  for (const Wave& wave : waves) most = std::max(most, wave.size());
  return most;
}

std::size_t length_of(const std::vector<Wave>& waves) {
  std::size_t length = 0;
  for (const Wave& wave : waves) {
    std::size_t longest = 0;
    for (const Strand& strand : wave) longest = std::max(longest, strand.size());
    length += longest;
  }
  return length;
}

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

int cores_for_strand(const std::vector<Wave>& waves) {
  return usable_cores() / static_cast<int>(most_strands(waves));
}

std::string describe_waves(const std::vector<Wave>& waves, const std::vector<const DeviceInfo*>& devices) {
  if (most_strands(waves) < 2) return "";
  const auto name = [&](std::size_t place) {
    return fmt::format("{} ({})", devices[place]->name, devices[place]->id);
  };
  std::vector<std::string> together;
  for (const Strand& strand : waves.front()) together.push_back(name(strand.front()));
  std::string text = fmt::format("at the same time, as they share nothing: {}", fmt::join(together, ", "));
  if (waves.size() == 1) return text;
  std::vector<std::string> after;
  for (const std::size_t place : waves.back().front()) {
    if (std::find(after.begin(), after.end(), devices[place]->name) == after.end())
      after.push_back(devices[place]->name);
  }
  return text + fmt::format("; then, one after the other: {}", fmt::join(after, ", "));
}

void run_strands(const std::vector<std::function<void()>>& strands) {
  if (strands.size() == 1) return strands.front()();
  abandoned = false;
  std::exception_ptr first;
  const auto run = [&first](const std::function<void()>& strand) {
    const std::lock_guard lock(turn);
    is_strand = true;
    try {
      strand();
    } catch (...) {
      // Those that are interrupted because of it come later.
      if (!first) first = std::current_exception();
      abandoned = true;
    }
    is_strand = false;
  };
  std::vector<std::thread> threads;
  for (const std::function<void()>& strand : strands) threads.emplace_back(run, std::cref(strand));
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

WhileWaiting::WhileWaiting() {
  if (is_strand) turn.unlock();
}

WhileWaiting::~WhileWaiting() {
  if (is_strand) turn.lock();
}

bool is_abandoned() {
  return is_strand && abandoned;
}

}  // namespace dwarfsweep
