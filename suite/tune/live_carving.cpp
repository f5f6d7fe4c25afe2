#include "suite/tune/live_carving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "harness/error.hpp"
#include "harness/random.hpp"
#include "suite/search/carve.hpp"
#include "suite/search/search_parameters.hpp"
#include "suite/sweep/counter.hpp"
#include "suite/sweep/strands.hpp"
#include "suite/sweep/worker_process.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

// The problem of size tiny, with what changes the algorithm as it is in the problem that is searched.
Problem small_problem(const DwarfInfo& dwarf, const ValueMap& searched) {
  const auto tiny = std::find_if(dwarf.sizes.begin(), dwarf.sizes.end(),
                                 [](const Size& size) { return size.name == "tiny"; });
  Size size{"custom", tiny == dwarf.sizes.end() ? ValueMap() : tiny->values};
  for (const ProblemKey& key : dwarf.keys) {
    if (role_of(key) == KeyRole::algorithm) size.values = size.values.with(key.name, searched.at(key.name));
  }
  return make_problem(dwarf.name, dwarf.keys, size);
}

class CountingPool {
 public:
  CountingPool(std::vector<PointRequest> requests, const std::string& kernels, Clock::time_point end)
      : requests_(std::move(requests)), kernels_(kernels), end_(end) {}

  std::vector<CountedPoint> run() {
    const auto count = std::min<std::size_t>(requests_.size(), static_cast<std::size_t>(usable_cores()));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { work(); });
    const WhileWaiting others_work;
    for (std::thread& thread : threads) thread.join();
    return std::move(counted_);
  }

 private:
  void work() {
    std::unique_ptr<WorkerProcess> counter;
    for (std::size_t i = next_++; i < requests_.size() && Clock::now() < end_ && !interrupted();
         i = next_++) {
      try {
        if (!counter) counter = open();
        const auto counts = answer_as<InstructionCounts>(
            counter->ask({{"do", "count"}, {"point", requests_[i]}}, time_left()));
        const std::lock_guard lock(mutex_);
        counted_.push_back(
            {requests_[i].config.to_string(), counts.instructions, counts.threads, counts.regions});
      } catch (const WorkerTimeout&) {
        counter.reset();
      } catch (const WorkerCrash&) {
        counter.reset();
      } catch (const std::exception&) {
        // Illegal at this size, or nothing was counted: the point is left out.
      }
    }
  }

  std::unique_ptr<WorkerProcess> open() {
    auto counter = std::make_unique<WorkerProcess>("counter", "/dev/null", WorkerProcess::Control{});
    (void)counter->ask({{"do", "open"}, {"kernels", kernels_}}, std::chrono::seconds(60));
    return counter;
  }

  [[nodiscard]] std::chrono::milliseconds time_left() const {
    constexpr std::chrono::milliseconds most(20'000);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
    return std::clamp(left, std::chrono::milliseconds(1), most);
  }

  std::vector<PointRequest> requests_;
  std::string kernels_;
  Clock::time_point end_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::vector<CountedPoint> counted_;
};

}  // namespace

void require_counter() {
  if (!find_oclgrind().empty()) return;
  throw UsageError(
      "carve goes by the instructions that Oclgrind counts, and liboclgrind-rt-icd.so is not installed "
      "(package "
      "oclgrind; DWARFSWEEP_OCLGRIND names it elsewhere); the other strategies do without");
}

std::vector<CountedPoint> count_pool(SearchGroup& searched, const Options& options, std::uint64_t seed,
                                     std::chrono::milliseconds limit) {
  const auto begin = Clock::now();
  std::vector<PointNumber> pool = carve_pool(searched.space(), seed);
  Random(seed_of_part(seed, pool.size())).shuffle(pool);
  pool.resize(std::min(pool.size(), search_parameters.counted_pool));
  const SweepGroup& group = searched.group();
  const Problem small = small_problem(group.dwarf->info(), ValueMap::parse(group.points.front().key.problem));
  std::vector<PointRequest> requests;
  for (const PointNumber point : pool) {
    requests.push_back(searched.request_of(point));
    requests.back().problem = small;
    requests.back().files.clear();
  }
  std::vector<CountedPoint> counted = CountingPool(requests, options.kernels, begin + limit).run();
  if (interrupted()) throw Interrupted();
  std::sort(counted.begin(), counted.end(),
            [](const CountedPoint& left, const CountedPoint& right) { return left.config < right.config; });
  fmt::print(
      stderr,
      "{} on {}: {} of a pool of {} points counted on Oclgrind at {} in {:.0f} s; carving is by efficiency "
      "alone: registers are not known before a point is compiled, and on CPUs utilisation means nothing\n",
      group.dwarf->info().name, group.device.name, counted.size(), pool.size(), small.values.to_string(),
      std::chrono::duration<double>(Clock::now() - begin).count());
  return counted;
}

void set_metrics(SearchGroup& searched, const std::vector<CountedPoint>& counted) {
  std::map<PointNumber, CarveMetrics> metrics;
  for (const CountedPoint& each : counted) {
    const std::optional<PointNumber> point = searched.space().find(Config::parse(each.config));
    if (point)
      metrics[*point] = {carve_efficiency({each.instructions, each.threads, each.regions}), std::nullopt};
  }
  searched.set_metrics(std::move(metrics));
}

}  // namespace dwarfsweep
