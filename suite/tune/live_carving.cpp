#include "suite/tune/live_carving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "harness/program/program_cache.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/search/carve.hpp"
#include "suite/search/search_parameters.hpp"
#include "suite/tune/known_counts.hpp"
#include "suite/tune/point_needs.hpp"
#include "suite/worker/counter.hpp"
#include "suite/worker/process_jobs.hpp"
#include "suite/worker/strands.hpp"

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

std::vector<PointRequest> small_requests(SearchGroup& searched, const std::vector<PointNumber>& pool) {
  const SweepGroup& group = searched.group();
  const Problem small = small_problem(group.dwarf->info(), ValueMap::parse(group.points.front().key.problem));
  std::vector<PointRequest> requests;
  for (const PointNumber point : pool) {
    requests.push_back(searched.request_of(point));
    requests.back().problem = small;
    requests.back().files.clear();
  }
  return requests;
}

// Those that are known already, and then what the time allows.
std::vector<CountedPoint> count(const std::vector<PointRequest>& requests, const Options& options,
                                Clock::time_point end) {
  std::vector<CountedPoint> counted;
  if (requests.empty()) return counted;
  const std::filesystem::path folder = options.kernels.empty() ? program_cache_folder() : "";
  KnownCounts known(folder, requests.front().dwarf, requests.front().problem.values.to_string());
  std::vector<const PointRequest*> unknown;
  for (const PointRequest& each : requests) {
    const auto found = known.find(each.config.to_string());
    if (found) counted.push_back(*found);
    if (!found) unknown.push_back(&each);
  }
  std::mutex mutex;
  ProcessJobs jobs{"counter", unknown.size(), static_cast<std::size_t>(usable_cores()), end, {}, {}};
  jobs.open = [&](WorkerProcess& counter) {
    (void)counter.ask(OpenCounter{options.kernels}, std::chrono::seconds(60));
  };
  // What is illegal at this size, or executes nothing, is left out.
  jobs.work = [&](WorkerProcess& counter, std::size_t job) {
    const InstructionCounts counts = counter.ask(CountPoint{*unknown[job]}, jobs.time_left());
    const std::lock_guard lock(mutex);
    counted.push_back(
        {unknown[job]->config.to_string(), counts.instructions, counts.threads, counts.regions});
    known.add(counted.back());
  };
  run_jobs(jobs);
  if (interrupted()) throw Interrupted();
  std::sort(counted.begin(), counted.end(),
            [](const CountedPoint& left, const CountedPoint& right) { return left.config < right.config; });
  return counted;
}

double seconds_from(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

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
  const std::vector<PointRequest> requests = small_requests(searched, pool);
  std::vector<CountedPoint> counted = count(requests, options, begin + limit);
  const SweepGroup& group = searched.group();
  fmt::print(stderr, "{} on {}: {} of a pool of {} points counted on Oclgrind at {} in {:.0f} s\n",
             group.dwarf->info().name, group.device.name, counted.size(), pool.size(),
             requests.empty() ? "" : requests.front().problem.values.to_string(), seconds_from(begin));
  const auto compiling = Clock::now();
  const std::size_t compiled = add_needs(searched, options, counted, compiling + limit / 2);
  fmt::print(
      stderr, "{}\n",
      compiled > 0
          ? fmt::format(
                "{} of these compiled in {:.0f} s: carving is by efficiency and utilisation, by the limits "
                "of NVIDIA's compute capability 9.0",
                compiled, seconds_from(compiling))
          : "carving is by efficiency alone: no registers are known, as on CPUs, where utilisation means "
            "nothing");
  return counted;
}

void set_metrics(SearchGroup& searched, const std::vector<CountedPoint>& counted) {
  std::map<PointNumber, CarveMetrics> metrics;
  for (const CountedPoint& each : counted) {
    const std::optional<PointNumber> point = searched.space().find(Config::parse(each.config));
    if (!point) continue;
    const InstructionCounts counts{each.instructions, each.threads, each.regions};
    metrics[*point] = {carve_efficiency(counts), std::nullopt};
    if (each.registers == 0) continue;
    const GroupNeeds group{static_cast<std::uint64_t>(each.registers),
                           static_cast<std::uint64_t>(each.local_bytes), searched.group_items_of(*point)};
    if (group.items > 0) metrics[*point].utilisation = carve_utilisation(counts, compute_capability_9, group);
  }
  searched.set_metrics(std::move(metrics));
}

}  // namespace dwarfsweep
