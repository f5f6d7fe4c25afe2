#include "suite/commands/rung_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/commands/documents.hpp"
#include "suite/plan/plan.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/point_samples.hpp"
#include "suite/record/stored_file.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

// What a driver or this program keeps of what it compiled.
constexpr const char* cache_variables[] = {"DWARFSWEEP_CACHE", "POCL_CACHE_DIR", "CUDA_CACHE_PATH"};

// Median ns of each kernel.
std::map<std::string, double> kernel_times(const std::vector<BlockRecord>& blocks) {
  std::map<std::string, double> times;
  for (const KernelSamples& kernel : collect_samples(blocks)) {
    std::vector<double> all;
    for (const auto& block : kernel.blocks) all.insert(all.end(), block.begin(), block.end());
    if (!all.empty() && kernel.kernel != "total") times[kernel.kernel] = median(all);
  }
  return times;
}

const Preparation& preparation_of(const RunLog& log, const SweepPoint& point) {
  static const Preparation none = [] {
    Preparation missing;
    missing.status = Status::not_run;
    missing.reason = "not measured";
    return missing;
  }();
  const auto found = log.points.find(point.key.text());
  return found == log.points.end() ? none : found->second.preparation;
}

const std::vector<BlockRecord>& blocks_of(const RunLog& log, const SweepPoint& point) {
  static const std::vector<BlockRecord> none;
  const auto found = log.blocks.find(point.key.text());
  return found == log.blocks.end() ? none : found->second;
}

PairedPoint paired_point(const RunLog& log, const SweepPoint& before, const SweepPoint& after) {
  using Outcome = PairEvidence::Outcome;
  const Preparation& old_state = preparation_of(log, before);
  const Preparation& new_state = preparation_of(log, after);
  PairedPoint point{after.key, {}, {}, {}};
  if (old_state.status != Status::ok || new_state.status == Status::not_run) {
    const Preparation& reason = old_state.status != Status::ok ? old_state : new_state;
    point.evidence = {
        Outcome::incomparable, {}, fmt::format("{}: {}", to_string(reason.status), reason.reason)};
    return point;
  }
  if (new_state.status != Status::ok) {
    point.evidence = {
        Outcome::fails_after, {}, fmt::format("{}: {}", to_string(new_state.status), new_state.reason)};
    return point;
  }
  const std::vector<BlockRecord>& old_blocks = blocks_of(log, before);
  const std::vector<BlockRecord>& new_blocks = blocks_of(log, after);
  point.evidence.logs = log_ratios(old_blocks, new_blocks);
  const auto old_times = kernel_times(old_blocks);
  double most = 0;
  for (const auto& [kernel, ns] : kernel_times(new_blocks)) {
    const auto old_ns = old_times.find(kernel);
    if (old_ns == old_times.end()) continue;
    point.kernel_ratios[kernel] = ns / old_ns->second;
    if (ns - old_ns->second <= most) continue;
    most = ns - old_ns->second;
    point.slowest_kernel = kernel;
  }
  return point;
}

}  // namespace

RungPairs::RungPairs(Options options, std::vector<Rung> rungs, fs::path folder, RunRecord run)
    : options_(std::move(options)),
      rungs_(std::move(rungs)),
      folder_(fs::absolute(folder)),
      run_(std::move(run)),
      end_(options_.budget.count() == 0 ? Clock::time_point::max() : Clock::now() + options_.budget) {
  options_.quality.blocks_per_process = bisect_blocks_per_process;
  options_.give_up_after = 0;  // variations of a failing point show which of them do not fail
  // No single point may eat the budget.
  if (options_.budget.count() > 0)
    options_.point_timeout =
        std::min(options_.point_timeout, std::max(options_.budget / 8, milliseconds(5000)));
}

const PairedSide* RungPairs::find(std::size_t rung) {
  if (missing_.contains(rung)) return nullptr;
  if (const auto known = sides_.find(rung); known != sides_.end()) return &known->second;
  const Rung& here = rungs_[rung];
  try {
    PairedSide side = find_side(here.environment, "", options_.devices, limit(std::chrono::seconds(60)));
    side.id = side.device.id;
    for (const char* name : cache_variables) {
      const auto is_named = [&](const std::string& variable) {
        return variable.starts_with(name + std::string("="));
      };
      if (std::ranges::any_of(side.variables, is_named)) continue;
      const fs::path cache = folder_ / "caches" / here.name / name;
      fs::create_directories(cache);
      side.variables.push_back(fmt::format("{}={}", name, cache.string()));
    }
    return &sides_.emplace(rung, side).first->second;
  } catch (const NoDeviceError& error) {
    missing_[rung] = error.what();
    return nullptr;
  }
}

std::string RungPairs::why_missing(std::size_t rung) const {
  const auto found = missing_.find(rung);
  return found == missing_.end() ? "" : found->second;
}

const DeviceInfo* RungPairs::device(std::size_t rung) const {
  const auto found = sides_.find(rung);
  return found == sides_.end() ? nullptr : &found->second.device;
}

PairedSides RungPairs::sides_of(std::size_t before, std::size_t after) {
  PairedSides sides = {*find(before), *find(after)};
  sides[0].id = fmt::format("{}@{}", sides[0].device.id, rungs_[before].name);
  sides[1].id = fmt::format("{}@{}", sides[1].device.id, rungs_[after].name);
  return sides;
}

std::vector<SweepGroup> RungPairs::plan() {
  for (const std::size_t rung : {std::size_t{0}, rungs_.size() - 1}) {
    if (find(rung) == nullptr)
      throw NoDeviceError(fmt::format("the {} rung '{}' cannot be used: {}; choose another by --{}",
                                      rung == 0 ? "good" : "bad", rungs_[rung].name, why_missing(rung),
                                      rung == 0 ? "good" : "bad"));
  }
  std::vector<SweepGroup> groups;
  for (PairedGroup& group : plan_pairs(options_, sides_of(0, rungs_.size() - 1)))
    groups.push_back(std::move(group[0]));
  if (groups.empty()) throw UsageError("the plan has no point that both ends of the ladder can run");
  return groups;
}

bool RungPairs::is_time_over() const {
  return Clock::now() >= end_;
}

milliseconds RungPairs::limit(milliseconds most) const {
  constexpr milliseconds least(3000);
  if (options_.budget.count() == 0) return most;
  return std::clamp(std::chrono::duration_cast<milliseconds>(end_ - Clock::now()) / 2, least,
                    std::max(least, most));
}

Options RungPairs::options_for(double share) const {
  Options options = options_;
  if (options.budget.count() == 0) return options;
  const auto left = std::chrono::duration_cast<milliseconds>(end_ - Clock::now());
  options.budget =
      std::max(milliseconds(1), milliseconds(std::llround(share * static_cast<double>(left.count()))));
  options.point_timeout = limit(options.point_timeout);
  return options;
}

std::vector<PairedPoint> RungPairs::measure(std::size_t before, std::size_t after,
                                            const std::vector<SweepGroup>& groups, const KnowsEnough& enough,
                                            double share) {
  std::vector<PairedPoint> points;
  const auto fail_all = [&](const std::string& reason) {
    points.clear();
    for (const SweepGroup& group : groups) {
      for (const SweepPoint& point : group.points)
        points.push_back({point.key, {PairEvidence::Outcome::incomparable, {}, reason}, {}, {}});
    }
    return points;
  };
  if (is_time_over()) return fail_all("the time was up");
  for (const std::size_t rung : {before, after}) {
    if (find(rung) == nullptr)
      return fail_all(fmt::format("'{}' has no device: {}", rungs_[rung].name, why_missing(rung)));
  }
  const PairedSides sides = sides_of(before, after);
  std::vector<PairedGroup> pairs;
  for (const SweepGroup& group : groups) pairs.push_back(on_both_sides(group, sides));
  const std::string name = fmt::format("{:02}-{}-{}", ++pairs_, rungs_[before].name, rungs_[after].name);
  const fs::path folder = folder_ / "pairs" / name;
  fs::create_directories(folder);
  RunRecord run = run_;
  run.run_id += "-" + name;
  run.timestamp = utc_now();
  try {
    const RunLog log = measure_pairs(options_for(share), folder, run, sides, pairs, enough);
    write_results(folder, log);
    for (const PairedGroup& pair : pairs) {
      for (std::size_t i = 0; i < pair[0].points.size(); ++i)
        points.push_back(paired_point(log, pair[0].points[i], pair[1].points[i]));
    }
    return points;
  } catch (const NoDeviceError& error) {
    return fail_all(error.what());
  }
}

void RungPairs::write_programs(std::size_t rung, const PointRequest& point, const fs::path& folder) {
  const PairedSide* const side = find(rung);
  fs::create_directories(folder);
  const auto fail = [&](const std::string& status, const std::string& reason) {
    write_file(folder / "failure.txt", fmt::format("{}: {}\n", status, reason));
  };
  if (side == nullptr) return fail("no device", why_missing(rung));
  DeviceClient::Settings settings{options_.kernels, options_.cache, (folder / "driver.log").string()};
  settings.environment = side->variables;
  settings.open_limit = limit(settings.open_limit);
  // A build from the cache has no log of the compiler.
  settings.environment.emplace_back("DWARFSWEEP_CACHE=off");
  DeviceClient client(side->device, settings);
  try {
    (void)client.ask(DumpPoint{point, folder.string()}, limit(options_.point_timeout));
  } catch (const PointFailure& failure) {
    fail(std::string(to_string(failure.status())), failure.what());
  } catch (const WorkerCrash& crash) {
    fail(std::string(to_string(crash.status())), crash.what());
  } catch (const WorkerTimeout& timeout) {
    fail("timed_out", timeout.what());
  } catch (const NoDeviceError& gone) {
    fail("launch_failed", gone.what());
  }
}

void RungPairs::remove_caches() const {
  std::error_code ignored;
  fs::remove_all(folder_ / "caches", ignored);
}

std::vector<SweepGroup> variations_of(const SweepGroup& group, const SweepPoint& point,
                                      const Capabilities& device) {
  constexpr std::size_t values_per_axis = 3;  // those nearest to the point's own
  const Space& space = group.dwarf->space();
  const auto varied = [&](const Config& config, const Problem& problem) {
    PointRequest request = point.request;
    request.config = config;
    PointKey key = point.key;
    key.config = config.to_string();
    key.size = problem.size;
    key.problem = problem.values.to_string();
    return SweepPoint{.request = std::move(request), .key = std::move(key)};
  };
  const Problem problem{point.key.size, ValueMap::parse(point.key.problem)};
  const std::string variant = point.request.config.string("variant");
  SweepGroup axes{group.device, group.dwarf, {point}};
  for (const Axis& axis : space.axes()) {
    if (!Space::applies(axis, variant)) continue;
    const auto own = std::ranges::find(axis.values, point.request.config.at(axis.name)) - axis.values.begin();
    std::vector<Value> values = axis.values;
    std::vector<std::ptrdiff_t> order;
    for (std::ptrdiff_t i = 0; i < std::ssize(values); ++i) {
      if (i != own) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [&](std::ptrdiff_t i) { return std::abs(i - own); });
    std::size_t taken = 0;
    for (const std::ptrdiff_t i : order) {
      const Config config = space.set(
          point.request.config, ValueMap().with(axis.name, values[static_cast<std::size_t>(i)]), device);
      if (taken == values_per_axis) break;
      if (space.why_rejected({config, problem, device})) continue;
      axes.points.push_back(varied(config, problem));
      ++taken;
    }
  }
  std::vector<SweepGroup> groups = {axes};
  if (!point.request.files.empty()) return groups;
  for (const char* size : {"tiny", "small", "medium"}) {
    const bool has =
        std::ranges::any_of(group.dwarf->info().sizes, [&](const Size& each) { return each.name == size; });
    if (!has || point.key.size == size) continue;
    const Problem other = plan_problems(*group.dwarf, {}, {size}, {}).front();
    if (space.why_rejected({point.request.config, other, device})) continue;
    SweepPoint sized = varied(point.request.config, other);
    PointRequest request = sized.request;
    request.problem = other;
    groups.push_back({group.device, group.dwarf, {{.request = request, .key = sized.key}}});
  }
  return groups;
}

}  // namespace dwarfsweep
