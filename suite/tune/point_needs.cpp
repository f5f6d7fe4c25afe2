#include "suite/tune/point_needs.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "suite/engine/build_ahead.hpp"
#include "suite/worker/builder.hpp"
#include "suite/worker/process_jobs.hpp"
#include "suite/worker/strands.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

// The programs of all these points; empty where no builder can tell.
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

// Of each program, by its place in the list. A program that was not built, or whose compiler does not tell
// its registers, needs none.
std::vector<ProgramNeeds> compile(const SweepGroup& group, const Options& options,
                                  const std::vector<ProgramText>& programs, Clock::time_point end) {
  std::vector<ProgramNeeds> needs(programs.size());
  std::atomic<bool> is_told{true};
  const int builders = count_builders(group.device, options.builders, usable_cores()).processes;
  ProcessJobs jobs{"builder", programs.size(), static_cast<std::size_t>(std::max(1, builders)), end, {}, {}};
  jobs.open = [&](WorkerProcess& builder) {
    (void)builder.ask(OpenBuilder{group.device, options.kernels}, std::chrono::seconds(60));
  };
  jobs.work = [&](WorkerProcess& builder, std::size_t job) {
    if (!is_told) return;
    needs[job] = builder.ask(FindNeeds{programs[job]}, jobs.time_left());
    if (needs[job].registers == 0) is_told = false;
  };
  run_jobs(jobs);
  return needs;
}

}  // namespace

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
    if (places.empty() || !std::all_of(places.begin(), places.end(), is_known)) continue;
    for (const std::size_t place : places) {
      counted[i].registers = std::max(counted[i].registers, needs[place].registers);
      counted[i].local_bytes = std::max(counted[i].local_bytes, needs[place].local_bytes);
    }
    ++known;
  }
  return known;
}

}  // namespace dwarfsweep
