#include "suite/sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/error.hpp"
#include "harness/random.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// Where no budget is set, a group ends by convergence or by its rounds.
constexpr std::chrono::hours no_deadline{24 * 365};
constexpr std::chrono::seconds peaks_limit{12};

constexpr const char* out_of_budget = "budget";
constexpr std::size_t no_count = ~std::size_t{0};

// Opening a device loads its driver, compiles the self-test's kernels and runs them.
constexpr std::chrono::seconds min_open_limit{30};
constexpr std::chrono::seconds max_open_limit{60};

std::size_t points_to_do(const SweepGroup& group) {
  return static_cast<std::size_t>(
      std::count_if(group.points.begin(), group.points.end(),
                    [](const SweepPoint& point) { return point.rejected.empty() && !point.ended; }));
}

}  // namespace

Sweep::Sweep(const Options& options, std::filesystem::path folder, RunLog log)
    : options_(options), folder_(std::move(folder)), log_(std::move(log)), writer_(folder_ / log_name) {
  // Between reading and locking the log another process may have written it to its end.
  if (writer_.whole_bytes() != log_.whole_bytes) {
    throw UsageError(
        fmt::format("another process has written the run in '{}' just now; start again", folder_.string()));
  }
}

void Sweep::run(std::vector<SweepGroup>& groups) {
  if (log_.run.run_id.empty()) throw std::logic_error("a sweep needs the record of its run");
  if (log_.order.empty() && log_.whole_bytes == 0) append(RunRecord(log_.run));
  try {
    for (std::size_t cut_short = no_count, before = no_count;; before = cut_short) {
      take_up(groups);
      run_all(groups);
      // What some groups left of the budget is for the points of others.
      cut_short = cut_short_by_budget(groups);
      if (cut_short == 0 || cut_short >= before || left() < options_.budget / 20) break;
    }
  } catch (const Interrupted&) {
    interrupted_ = true;
  }
  progress_.clear();
  clients_.clear();
}

void Sweep::run_all(std::vector<SweepGroup>& groups) {
  std::size_t work = 0;
  for (const SweepGroup& group : groups) work += points_to_do(group);
  for (SweepGroup& group : groups) {
    const std::size_t mine = points_to_do(group);
    const milliseconds share = options_.budget.count() == 0
                                   ? no_deadline
                                   : milliseconds(left().count() * static_cast<long long>(mine) /
                                                  static_cast<long long>(std::max<std::size_t>(1, work)));
    work -= mine;
    run_group(group, share);
    progress_.add_done(mine);
  }
}

// What the log says of the points: a run goes on where it ended, or where it ended before.
void Sweep::take_up(std::vector<SweepGroup>& groups) {
  std::size_t total = 0;
  for (SweepGroup& group : groups) {
    for (SweepPoint& point : group.points) {
      const auto end = log_.ends.find(point.key.text());
      // What the budget cut short goes on when there is more.
      point.ended = end != log_.ends.end() && end->second.stop_reason != out_of_budget;
      point.alive = false;
      point.stop_reason.clear();
      point.process = 0;
    }
    total += points_to_do(group);
  }
  progress_.start(total);
}

std::size_t Sweep::cut_short_by_budget(const std::vector<SweepGroup>& groups) const {
  std::size_t count = 0;
  for (const SweepGroup& group : groups) {
    for (const SweepPoint& point : group.points) {
      const auto end = log_.ends.find(point.key.text());
      if (end != log_.ends.end() && end->second.stop_reason == out_of_budget) ++count;
    }
  }
  return count;
}

milliseconds Sweep::left() const {
  if (options_.budget.count() == 0) return milliseconds(-1);
  const auto spent = std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
  return std::max(milliseconds(0), options_.budget - spent);
}

void Sweep::run_group(SweepGroup& group, milliseconds share) {
  const Clock::time_point deadline = Clock::now() + share;
  record_rejected(group);
  give_another_chance(group);
  if (points_to_do(group) == 0) {
    for (const SweepPoint* point : preparation_order(group)) count_known(*point);
    return;
  }
  DeviceClient& client = client_of(group.device);
  if (!open_device(client, group)) return;
  prepare_all(client, group, Clock::now() + share * 3 / 4);
  measure_rounds(client, group, deadline);
  confirm_winner(client, group);
  finish(client, group);
}

void Sweep::record_rejected(SweepGroup& group) {
  for (SweepPoint& point : group.points) {
    if (point.rejected.empty() || point.ended) continue;
    Preparation preparation;
    preparation.status = Status::rejected;
    preparation.reason = point.rejected;
    record(point, preparation);
    end(point, "rejected");
  }
}

DeviceClient& Sweep::client_of(const DeviceInfo& device) {
  std::unique_ptr<DeviceClient>& client = clients_[device.id];
  if (client) return *client;
  clients_.clear();  // one device at a time: the next may share its cores with the last
  DeviceClient::Settings settings{options_.kernels, options_.cache, (folder_ / "workers.log").string()};
  for (const auto& [key, blocks] : log_.blocks) {
    if (blocks.empty() || blocks.front().key.device_id != device.id) continue;
    for (const BlockRecord& block : blocks)
      settings.processes_before = std::max(settings.processes_before, block.process);
  }
  settings.open_limit = std::clamp<milliseconds>(options_.point_timeout, min_open_limit, max_open_limit);
  return *(clients_[device.id] = std::make_unique<DeviceClient>(device, settings));
}

// The baseline first, then every variant as it starts, then the rest in random order: what a small budget
// leaves out is not always the same corner. The same order again when the run is resumed.
std::vector<SweepPoint*> Sweep::preparation_order(SweepGroup& group) const {
  std::vector<SweepPoint*> starts;
  std::vector<SweepPoint*> others;
  std::set<std::string> variants;
  for (SweepPoint& point : group.points) {
    if (!point.rejected.empty()) continue;
    (variants.insert(point.request.config.string("variant")).second ? starts : others).push_back(&point);
  }
  Random random(options_.seed);
  random.shuffle(others);
  starts.insert(starts.end(), others.begin(), others.end());
  return starts;
}

// A quarter of the group's time remains for measuring what was prepared.
void Sweep::prepare_all(DeviceClient& client, SweepGroup& group, Clock::time_point deadline) {
  for (SweepPoint* point : preparation_order(group)) {
    if (point->ended) {
      // What is still to do is paired with the baseline.
      if (!point->baseline || !recall(*point)) count_known(*point);
    } else if (point->baseline || Clock::now() < deadline) {
      prepare(client, group, *point);
    }
  }
}

bool Sweep::open_device(DeviceClient& client, SweepGroup& group) {
  if (!unusable_.contains(group.device.id)) {
    Unusable problem;
    try {
      const TimerReport& timer = client.timer();
      if (!log_.devices.contains(group.device.id)) append(DeviceRecord{group.device, timer});
      const bool figures = options_.device_figures && group.device.type != "host";
      if (figures && !log_.peaks.contains(group.device.id)) measure_peaks(client, group);
      if (figures && !log_.self_tests.contains(group.device.id)) test_harness(client, group);
      return true;
    } catch (const PointFailure& failure) {
      problem = {failure.status(), failure.what()};
    } catch (const WorkerCrash& crash) {
      problem = {crash.status(), crash.what()};
    } catch (const WorkerTimeout& timeout) {
      problem = {Status::timed_out, timeout.what()};
    } catch (const NoDeviceError& gone) {
      problem = {Status::launch_failed, gone.what()};
    }
    unusable_[group.device.id] = problem;
    if (!log_.devices.contains(group.device.id)) append(DeviceRecord{group.device, {}});
  }
  const Unusable& problem = unusable_[group.device.id];
  for (SweepPoint& point : group.points) {
    if (point.rejected.empty() && !point.ended)
      fail(point, problem.status, "opening the device: " + problem.reason);
  }
  return false;
}

// A small share of the budget tells how far from its device's limits each point is. Where that fails, or
// costs minutes as in an interpreter, the rows do without.
void Sweep::measure_peaks(DeviceClient& client, const SweepGroup& group) {
  PeaksRecord peaks{group.device.id, {}};
  if (!group.device.checks_bounds) {
    progress_.show(group.device.name + " · peaks", left());
    const milliseconds most = peaks_limit;
    const milliseconds limit = options_.budget.count() == 0 ? most : std::min(most, options_.budget / 15);
    try {
      peaks.values = answer_as<std::map<std::string, double>>(
          client.ask({{"do", "peaks"}, {"limit_ms", limit.count()}}, limit + options_.point_timeout));
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "dwarfsweep: the peaks of {} could not be measured: {}\n", group.device.name,
                 error.what());
    }
  }
  append(peaks);
}

// Without it nobody can tell later how far the run's times were to be trusted.
void Sweep::test_harness(DeviceClient& client, const SweepGroup& group) {
  SelfTestRecord test{group.device.id, {}, ""};
  if (group.device.checks_bounds) {
    test.failure = "an interpreter, where it would take minutes";
  } else {
    progress_.show(group.device.name + " · self-test", left());
    try {
      const Json figures = client.ask({{"do", "selftest"}}, options_.point_timeout);
      for (const auto& [name, value] : figures.items()) {
        if (value.is_number()) test.values[name] = value.get<double>();
        if (value.is_boolean()) test.values[name] = value.get<bool>() ? 1 : 0;
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {
      test.failure = error.what();
    }
  }
  append(test);
}

const std::vector<BlockRecord>& Sweep::blocks_recorded(const SweepPoint& point) const {
  static const std::vector<BlockRecord> none;
  const auto blocks = log_.blocks.find(point.key.text());
  return blocks == log_.blocks.end() ? none : blocks->second;
}

std::vector<BlockRecord> Sweep::ordinary_blocks(const SweepPoint& point) const {
  std::vector<BlockRecord> ordinary;
  const std::vector<BlockRecord>& blocks = blocks_recorded(point);
  std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(ordinary),
               [](const BlockRecord& block) { return !block.confirmation; });
  return ordinary;
}

std::size_t Sweep::blocks_of(const SweepPoint& point) const {
  return ordinary_blocks(point).size();
}

bool Sweep::converged(const SweepPoint& point) const {
  const std::vector<BlockRecord> blocks = ordinary_blocks(point);
  const StoppingRule rule{options_.quality.half_width, static_cast<std::size_t>(options_.quality.blocks),
                          static_cast<std::size_t>(options_.quality.rounds)};
  const std::vector<KernelSamples> kernels = collect_samples(blocks);
  if (kernels.empty()) return false;
  const KernelSamples& total = kernels.back();
  if (const auto speedup = paired_speedup(total.pairs, sequential_confidence)) {
    return rule.satisfied(blocks.size(), relative_half_width(*speedup));
  }
  const auto summary = summarise(total.blocks, sequential_confidence);
  return summary && rule.satisfied(blocks.size(), relative_half_width(*summary));
}

// Fewer pairs in a block where the least number of rounds would not fit otherwise: many short looks spread
// over time tell more than one long look.
int Sweep::pairs_that_fit(const SweepGroup& group, Clock::time_point deadline) const {
  double pair_ns = 0;
  const double baseline_ns = group.points.front().sample_ns;
  for (const SweepPoint& point : group.points) {
    if (point.alive) pair_ns += point.sample_ns + baseline_ns;
  }
  const double left_ns = std::chrono::duration<double, std::nano>(deadline - Clock::now()).count();
  const double fit = left_ns / std::max(1.0, pair_ns * options_.quality.blocks);
  return std::clamp(static_cast<int>(fit), 1, options_.quality.pairs);
}

void Sweep::measure_rounds(DeviceClient& client, SweepGroup& group, Clock::time_point deadline) {
  std::vector<SweepPoint*> open;
  for (SweepPoint& point : group.points) {
    if (point.alive && !point.ended) open.push_back(&point);
  }
  const int pairs = pairs_that_fit(group, deadline);
  for (int round = 0; round < options_.quality.rounds && !open.empty(); ++round) {
    Random random(seed_of_part(options_.seed, static_cast<std::uint64_t>(round)));
    random.shuffle(open);
    for (SweepPoint* point : open) {
      // The first round goes beyond the budget, so that what was prepared is not in vain.
      if (Clock::now() > deadline && round > 0) {
        point->stop_reason = out_of_budget;
      } else if (point->alive) {
        measure_in_turn(client, group, *point, round, pairs);
      }
    }
    std::erase_if(open, [](const SweepPoint* point) { return !point->alive || !point->stop_reason.empty(); });
  }
  for (SweepPoint* point : open) point->stop_reason = "rounds";
}

void Sweep::measure_in_turn(DeviceClient& client, SweepGroup& group, SweepPoint& point, int round,
                            int pairs) {
  const int blocks = static_cast<int>(blocks_of(point));
  if (blocks > round) {  // a resumed run has it already
    if (blocks == round + 1 && converged(point)) point.stop_reason = "converged";
    return;
  }
  if (given_up(point)) {
    if (blocks == 0) return skip(point);
    point.stop_reason = skipped;
    return;
  }
  if (!has_time_for_block(point)) {
    point.stop_reason = "point-timeout";
    return;
  }
  measure_block(client, group, point, round, pairs, false);
  if (point.alive && converged(point)) point.stop_reason = "converged";
}

SweepPoint* Sweep::find_winner(SweepGroup& group) {
  SweepPoint* best = nullptr;
  double best_ratio = 1;
  for (SweepPoint& point : group.points) {
    const auto known = log_.points.find(point.key.text());
    if (point.baseline || known == log_.points.end() || known->second.preparation.status != Status::ok)
      continue;
    if (!gives_whole_result(point.key.dwarf, Config::parse(point.key.config).string("variant"))) continue;
    const std::vector<KernelSamples> kernels = collect_samples(ordinary_blocks(point));
    if (kernels.empty()) continue;
    const auto speedup = paired_speedup(kernels.back().pairs);
    if (speedup && speedup->ratio > best_ratio) {
      best = &point;
      best_ratio = speedup->ratio;
    }
  }
  return best;
}

void Sweep::confirm_winner(DeviceClient& client, SweepGroup& group) {
  SweepPoint* const best = find_winner(group);
  if (!best) return;
  const int pairs = std::max(1, static_cast<int>(blocks_recorded(*best).front().samples.size()) / 2);
  const auto first = static_cast<int>(blocks_of(*best));
  const auto done = static_cast<int>(blocks_recorded(*best).size()) - first;
  for (int i = done; i < options_.quality.blocks && best->alive && has_time_for_block(*best); ++i) {
    measure_block(client, group, *best, first + i, pairs, true);
  }
}

void Sweep::finish(DeviceClient& client, SweepGroup& group) {
  for (SweepPoint& point : group.points) {
    if (point.ended || !point.rejected.empty()) continue;
    if (!point.alive || blocks_of(point) == 0) {
      fail(point, Status::rejected,
           "not measured: the budget was spent before its turn; --resume measures it", out_of_budget);
      continue;
    }
    if (check_last_output(client, group, point))
      end(point, point.stop_reason.empty() ? out_of_budget : point.stop_reason);
  }
  try {
    (void)client.ask({{"do", "drop"}}, options_.point_timeout);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client.stop();
  }
}

void Sweep::show(const SweepGroup& group, const SweepPoint& point, const std::string& doing) {
  progress_.show(fmt::format("{} · {} {} · {}", group.device.name, point.key.dwarf, doing, point.key.config),
                 left());
}

}  // namespace dwarfsweep
