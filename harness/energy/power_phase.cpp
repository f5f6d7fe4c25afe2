#include "harness/energy/power_phase.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <thread>

#include "harness/device/host.hpp"

namespace dwarfsweep {
namespace {

// Notes when the counter moves, in a thread that lives as long as this.
class CounterWatch {
 public:
  explicit CounterWatch(EnergyMeter& meter)
      : thread_([this, &meter](const std::stop_token& stop) { watch(meter, stop); }) {}

  [[nodiscard]] std::vector<EnergyStep> steps() const {
    const std::lock_guard lock(mutex_);
    return steps_;
  }
  [[nodiscard]] int count() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(steps_.size());
  }
  void stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void watch(EnergyMeter& meter, const std::stop_token& stop) {
    std::optional<double> last = meter.joules();
    while (last && !stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const std::optional<double> now = meter.joules();
      if (now && *now != *last) {
        const std::lock_guard lock(mutex_);
        steps_.push_back({now_ns(), *now});
      }
      last = now;
    }
  }

  mutable std::mutex mutex_;
  std::vector<EnergyStep> steps_;
  std::jthread thread_;  // the last member: it uses the others
};

double runs_at(std::int64_t ns, const std::vector<RunCount>& counts) {
  const auto after = std::lower_bound(counts.begin(), counts.end(), ns,
                                      [](const RunCount& count, std::int64_t at) { return count.ns < at; });
  if (after == counts.begin() || after->ns == ns) return static_cast<double>(after->runs);
  const RunCount& before = *(after - 1);
  const double part = static_cast<double>(ns - before.ns) / static_cast<double>(after->ns - before.ns);
  return static_cast<double>(before.runs) + part * static_cast<double>(after->runs - before.runs);
}

}  // namespace

std::optional<EnergyUse> energy_use(const std::vector<EnergyStep>& steps, const std::vector<RunCount>& counts,
                                    int min_steps) {
  if (counts.empty()) return std::nullopt;
  std::vector<EnergyStep> within;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(within), [&](const EnergyStep& step) {
    return step.ns >= counts.front().ns && step.ns <= counts.back().ns;
  });
  const int moves = static_cast<int>(within.size()) - 1;
  if (moves < std::max(1, min_steps)) return std::nullopt;
  const EnergyStep& first = within.front();
  const EnergyStep& last = within.back();
  EnergyUse use;
  use.joules = last.joules - first.joules;
  use.seconds = static_cast<double>(last.ns - first.ns) * 1e-9;
  use.runs = runs_at(last.ns, counts) - runs_at(first.ns, counts);
  use.steps = moves;
  return use.joules > 0 && use.runs > 0 ? std::optional(use) : std::nullopt;
}

std::optional<EnergyUse> measure_energy(EnergyMeter& meter, const std::function<void(std::int64_t)>& run,
                                        double run_seconds, const EnergyLimits& limits) {
  constexpr double batch_seconds = 0.01;
  constexpr double max_batch = 256;  // each run leaves events until its batch is done
  const auto batch =
      static_cast<std::int64_t>(std::clamp(batch_seconds / std::max(1e-9, run_seconds), 1.0, max_batch));
  CounterWatch watch(meter);
  const std::int64_t begin = now_ns();
  std::vector<RunCount> counts = {{begin, 0}};
  for (;;) {
    run(batch);
    counts.push_back({now_ns(), counts.back().runs + batch});
    const double seconds = static_cast<double>(counts.back().ns - begin) * 1e-9;
    if (seconds >= limits.max_seconds) break;
    if (seconds >= limits.min_seconds && watch.count() > limits.enough_steps) break;
  }
  watch.stop();
  return energy_use(watch.steps(), counts, limits.min_steps);
}

}  // namespace dwarfsweep
