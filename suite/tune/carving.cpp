#include "suite/tune/carving.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "dwarfs/registry.hpp"
#include "harness/program/program_cache.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "harness/statistics/random.hpp"
#include "suite/engine/build_ahead.hpp"
#include "suite/record/json.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/search/carve.hpp"
#include "suite/search/random_search.hpp"
#include "suite/search/search_parameters.hpp"
#include "suite/worker/client.hpp"
#include "suite/worker/device_queues.hpp"
#include "suite/worker/serve.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

// --- counts that are kept --------------------------------------------------------------------------------

// The hash of all kernel files: only a build shows which of them a dwarf's programs use.
std::uint64_t hash_of_kernels() {
  std::uint64_t hash = fnv1a_of_nothing;
  for (const KernelSource& each : program_kernels()) hash = fnv1a(each.text, fnv1a(each.name, hash));
  return hash;
}

// --- counting instructions -------------------------------------------------------------------------------

// The problem of size tiny, with what changes the algorithm as it is in the problem that is searched.
Problem small_problem(const DwarfInfo& dwarf, const ValueMap& searched) {
  const auto tiny = std::ranges::find(dwarf.sizes, "tiny", &Size::name);
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
  std::ranges::sort(counted, {}, &CountedPoint::config);
  return counted;
}

double seconds_from(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// --- what the points need, by the compiler of the device -------------------------------------------------

// The programs of all these points; empty if no builder can list them.
ProgramList list_all(SearchGroup& searched, const Options& options, const std::vector<CountedPoint>& counted,
                     Clock::time_point end) {
  std::vector<PointRequest> requests;
  for (const CountedPoint& each : counted) {
    if (const auto point = searched.space().find(Config::parse(each.config)))
      requests.push_back(searched.request_of(*point));
  }
  ProgramList list;
  if (requests.size() != counted.size()) return list;
  ProcessJobs jobs{"builder", 1, 1, end, [](WorkerProcess&) {}, {}};
  jobs.work = [&](WorkerProcess& builder, std::size_t) {
    list = builder.ask(ListPrograms{searched.group().device, options.kernels, requests}, jobs.time_left());
  };
  run_jobs(jobs);
  return list;
}

// Of each program, by its place in the list. A program that was not built, or whose compiler does not report
// its registers, needs none.
std::vector<ProgramNeeds> compile(const SweepGroup& group, const Options& options,
                                  const std::vector<ProgramText>& programs, Clock::time_point end) {
  std::vector<ProgramNeeds> needs(programs.size());
  std::atomic<bool> is_reported{true};
  const int builders = count_builders(group.device, options.builders, usable_cores()).processes;
  ProcessJobs jobs{"builder", programs.size(), static_cast<std::size_t>(std::max(1, builders)), end, {}, {}};
  jobs.open = [&](WorkerProcess& builder) {
    (void)builder.ask(OpenBuilder{group.device, options.kernels}, std::chrono::seconds(60));
  };
  jobs.work = [&](WorkerProcess& builder, std::size_t job) {
    if (!is_reported) return;
    needs[job] = builder.ask(FindNeeds{programs[job]}, jobs.time_left());
    if (needs[job].registers == 0) is_reported = false;
  };
  run_jobs(jobs);
  return needs;
}

// Adds registers and local memory to what was counted, until `end`. Returns how many points have them: none
// on CPUs, where they mean nothing, and if the compiler does not report them, which the first program shows.
std::size_t add_needs(SearchGroup& searched, const Options& options, std::vector<CountedPoint>& counted,
                      Clock::time_point end) {
  const SweepGroup& group = searched.group();
  if (group.device.type == "cpu" || group.device.type == "host") return 0;
  const ProgramList list = list_all(searched, options, counted, end);
  const std::vector<ProgramNeeds> needs = compile(group, options, list.programs, end);
  if (interrupted()) throw Interrupted();
  std::size_t known = 0;
  for (std::size_t i = 0; i < std::min(counted.size(), list.points.size()); ++i) {
    if (!list.points[i]) continue;
    const std::vector<std::size_t>& places = *list.points[i];
    const auto is_known = [&](std::size_t place) { return needs[place].registers > 0; };
    if (places.empty() || !std::ranges::all_of(places, is_known)) continue;
    for (const std::size_t place : places) {
      counted[i].registers = std::max(counted[i].registers, needs[place].registers);
      counted[i].local_bytes = std::max(counted[i].local_bytes, needs[place].local_bytes);
    }
    ++known;
  }
  return known;
}

// --- comparison with random search -----------------------------------------------------------------------

// Random search as far as it came: up to the first of its points that was not measured any more.
struct RandomPoints {
  std::vector<double> values;  // ascending, of those that did not fail
  std::size_t points = 0;
  double seconds = 0;
};

RandomPoints random_points(const SearchSpace& space, std::uint64_t seed, const Evaluated& evaluated) {
  RandomPoints random;
  ControlSample sample(space, seed);
  while (const std::optional<PointNumber> point = sample.next()) {
    const auto found = evaluated.find(*point);
    if (found == evaluated.end()) break;
    ++random.points;
    random.seconds += found->second->cost.seconds();
    if (const auto value = found->second->cost_value()) random.values.push_back(*value);
  }
  std::ranges::sort(random.values);
  return random;
}

void add_kept(CarvingRecord& record, const SearchSpace& space, const Carving& carving,
              const Evaluated& evaluated) {
  for (std::size_t i = 0; i < carving.kept; ++i) {
    const auto found = evaluated.find(carving.order[i]);
    if (found == evaluated.end()) continue;
    ++record.measured;
    record.seconds += found->second->cost.seconds();
    const auto value = found->second->cost_value();
    if (!value || (!record.best.empty() && *value >= record.best_value)) continue;
    const CarveMetrics metrics = *space.carve_metrics(carving.order[i]);
    record.best = found->second->key.config;
    record.best_value = *value;
    record.efficiency = metrics.efficiency;
    record.utilisation = metrics.utilisation.value_or(0);
  }
}

}  // namespace

KnownCounts::KnownCounts(const std::filesystem::path& folder, const std::string& dwarf,
                         const std::string& problem) {
  if (folder.empty()) return;
  // The number is that of the rules by which instructions are counted.
  file_ = folder / fmt::format("counts2-{}-{:016x}.jsonl", dwarf, fnv1a(problem, hash_of_kernels()));
  std::ifstream file(file_);
  for (std::string line; std::getline(file, line);) {
    const Json json = parse_json_if_valid(line);
    try {
      const auto point = json.get<CountedPoint>();
      points_[point.config] = point;
    } catch (const Json::exception&) {
      // Not a whole line.
    }
  }
}

std::optional<CountedPoint> KnownCounts::find(const std::string& config) const {
  const auto found = points_.find(config);
  return found == points_.end() ? std::nullopt : std::optional(found->second);
}

void KnownCounts::add(const CountedPoint& point) {
  points_[point.config] = point;
  if (file_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  std::ofstream(file_, std::ios::app) << "\n" + json_text(point) + "\n" << std::flush;
}

void require_counter() {
  if (!find_oclgrind().empty()) return;
  throw UsageError(
      "the strategy carve needs Oclgrind to count instructions, and liboclgrind-rt-icd.so was not found; "
      "install the package oclgrind, set DWARFSWEEP_OCLGRIND to the library, or use another --strategy");
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
  print_stderr("{} on {}: {} of a pool of {} points counted on Oclgrind at {} in {:.0f} s\n",
               group.dwarf->info().name, group.device.name, counted.size(), pool.size(),
               requests.empty() ? "" : requests.front().problem.values.to_string(), seconds_from(begin));
  const auto compiling = Clock::now();
  const std::size_t compiled = add_needs(searched, options, counted, compiling + limit / 2);
  const std::uint32_t capability = group.device.capabilities.compute_capability;
  print_stderr(
      "{}\n",
      compiled > 0
          ? fmt::format(
                "{} of these compiled in {:.0f} s: carving is by efficiency and utilisation, by the limits "
                "of NVIDIA's compute capability {}",
                compiled, seconds_from(compiling),
                limits_of(capability) ? fmt::format("{}.{}", capability / 10, capability % 10)
                                      : "9.0, because those of this device are not known")
          : "carving is by efficiency alone: no registers are known, as on CPUs, where utilisation means "
            "nothing");
  return counted;
}

void set_metrics(SearchGroup& searched, const std::vector<CountedPoint>& counted) {
  const ProcessorLimits limits =
      limits_of(searched.group().device.capabilities.compute_capability).value_or(compute_capability_9);
  std::map<PointNumber, CarveMetrics> metrics;
  for (const CountedPoint& each : counted) {
    const std::optional<PointNumber> point = searched.space().find(Config::parse(each.config));
    if (!point) continue;
    const InstructionCounts counts{each.instructions, each.threads, each.regions};
    metrics[*point] = {carve_efficiency(counts), std::nullopt};
    if (each.registers == 0) continue;
    const GroupNeeds group{static_cast<std::uint64_t>(each.registers),
                           static_cast<std::uint64_t>(each.local_bytes), searched.group_items_of(*point)};
    if (group.items > 0) metrics[*point].utilisation = carve_utilisation(counts, limits, group);
  }
  searched.set_metrics(std::move(metrics));
}

CarvingRecord compare_carving(const SearchSpace& space, const SearchRecord& search,
                              const Evaluated& evaluated) {
  const Carving carving = carve(space, carve_pool(space, search.seed));
  CarvingRecord record;
  record.counted = static_cast<std::int64_t>(search.counted.size());
  record.compiled =
      std::ranges::count_if(search.counted, [](const CountedPoint& point) { return point.registers > 0; });
  record.kept = static_cast<std::int64_t>(carving.kept);
  record.by_efficiency_alone = carving.by_efficiency_alone;
  record.seconds = search.carving_s;
  add_kept(record, space, carving, evaluated);
  const RandomPoints random = random_points(space, search.seed, evaluated);
  record.random = static_cast<std::int64_t>(random.points);
  if (!random.values.empty()) record.random_value = random.values.front();
  if (random.points == 0) return record;
  const RandomSearch drawing(random.values, random.points);
  const auto compare = [&](const char* with, std::int64_t points) {
    const std::int64_t drawn = std::min(points, record.random);
    const double probability =
        record.best.empty() ? 1
                            : drawing.probability_within(record.best_value, static_cast<std::size_t>(drawn));
    record.rows.push_back({with, points, drawn, probability});
  };
  compare("as many measured", record.measured);
  compare("as many compiled", std::max(record.counted, record.measured));
  const double each = random.seconds / static_cast<double>(random.points);
  if (each > 0) compare("the same seconds", static_cast<std::int64_t>(std::floor(record.seconds / each)));
  return record;
}

}  // namespace dwarfsweep
