#include "suite/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/error.hpp"
#include "harness/random.hpp"
#include "suite/host_info.hpp"
#include "suite/point_samples.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// Where no budget is set, a group ends by convergence or by its rounds.
constexpr std::chrono::hours no_deadline{24 * 365};
constexpr std::chrono::seconds peaks_limit{12};

std::string cache_name(CacheState cache) {
  return cache == CacheState::cold ? "cold" : "hot";
}

// FNV-1a: the same on every machine, which std::hash need not be.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

std::size_t points_to_do(const SweepGroup& group) {
  return static_cast<std::size_t>(
      std::count_if(group.points.begin(), group.points.end(),
                    [](const SweepPoint& point) { return point.rejected.empty() && !point.ended; }));
}

}  // namespace

Sweep::Sweep(const Options& options, std::filesystem::path folder, RunLog log)
    : options_(options), folder_(std::move(folder)), log_(std::move(log)), writer_(folder_ / log_name) {}

// Every record goes to the file first, then to the run in memory: what is announced is safe.
template <typename Record>
void Sweep::append(const Record& record) {
  writer_.append(record);
  add_to(log_, record);
}

void Sweep::run(std::vector<SweepGroup>& groups) {
  if (log_.run.run_id.empty()) throw std::logic_error("a sweep needs the record of its run");
  if (log_.order.empty()) append(RunRecord(log_.run));
  std::size_t total = 0;
  std::size_t work = 0;
  for (SweepGroup& group : groups) {
    for (SweepPoint& point : group.points) {
      const auto end = log_.ends.find(point.key.text());
      // What the budget cut short goes on when there is a new one.
      if (end != log_.ends.end() && end->second.stop_reason != "budget") point.ended = true;
    }
    total += group.points.size();
    work += points_to_do(group);
  }
  progress_.set_total(total);
  for (SweepGroup& group : groups) {
    const std::size_t mine = points_to_do(group);
    const milliseconds share = options_.budget.count() == 0
                                   ? no_deadline
                                   : milliseconds(left().count() * static_cast<long long>(mine) /
                                                  static_cast<long long>(std::max<std::size_t>(1, work)));
    work -= mine;
    try {
      run_group(group, share);
    } catch (const Interrupted&) {
      interrupted_ = true;
      break;
    }
  }
  progress_.clear();
  clients_.clear();
}

milliseconds Sweep::left() const {
  if (options_.budget.count() == 0) return milliseconds(-1);
  const auto spent = std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
  return std::max(milliseconds(0), options_.budget - spent);
}

void Sweep::run_group(SweepGroup& group, milliseconds share) {
  const Clock::time_point deadline = Clock::now() + share;
  for (SweepPoint& point : group.points) {
    if (point.rejected.empty() || point.ended) continue;
    Preparation preparation;
    preparation.status = Status::rejected;
    preparation.reason = point.rejected;
    record(point, preparation);
    end(point, "rejected");
  }
  if (points_to_do(group) == 0) return progress_.add_done(group.points.size());

  std::unique_ptr<DeviceClient>& client = clients_[group.device.id];
  if (!client) {
    clients_.clear();  // one device at a time: the next may share its cores with the last
    clients_[group.device.id] = std::make_unique<DeviceClient>(
        group.device,
        DeviceClient::Settings{options_.kernels, options_.cache, (folder_ / "workers.log").string()});
  }
  DeviceClient& device = *clients_[group.device.id];
  if (!open_device(device, group)) return progress_.add_done(group.points.size());
  prepare_all(device, group, Clock::now() + share * 3 / 4);
  measure_rounds(device, group, deadline);
  confirm_winner(device, group);
  finish(device, group);
  progress_.add_done(group.points.size());
}

// The baseline first, then every variant as it starts, then the rest in random order: what a small budget
// leaves out is not always the same corner. A quarter of the group's time remains for measuring what was
// prepared.
void Sweep::prepare_all(DeviceClient& client, SweepGroup& group, Clock::time_point deadline) {
  std::vector<SweepPoint*> starts;
  std::vector<SweepPoint*> others;
  std::set<std::string> variants;
  for (SweepPoint& point : group.points) {
    if (!point.rejected.empty() || point.ended) continue;
    (variants.insert(point.request.config.word("variant")).second ? starts : others).push_back(&point);
  }
  Random random(options_.seed);
  random.shuffle(others);
  for (std::vector<SweepPoint*>* list : {&starts, &others}) {
    for (SweepPoint* point : *list) {
      if (point->baseline || Clock::now() < deadline) prepare(client, group, *point);
    }
  }
}

bool Sweep::open_device(DeviceClient& client, SweepGroup& group) {
  std::string reason;
  Status status = Status::crashed;
  try {
    const TimerReport& timer = client.timer();
    if (!log_.devices.contains(group.device.id)) append(DeviceRecord{group.device, timer});
    if (!log_.peaks.contains(group.device.id)) measure_peaks(client, group);
    return true;
  } catch (const PointFailure& failure) {
    status = failure.status();
    reason = failure.what();
  } catch (const WorkerCrash& crash) {
    reason = crash.what();
  } catch (const WorkerTimeout& timeout) {
    status = Status::timed_out;
    reason = timeout.what();
  } catch (const NoDeviceError& gone) {
    status = Status::launch_failed;
    reason = gone.what();
  }
  if (!log_.devices.contains(group.device.id)) append(DeviceRecord{group.device, {}});
  for (SweepPoint& point : group.points) {
    if (point.rejected.empty() && !point.ended) fail(point, status, "opening the device: " + reason);
  }
  return false;
}

// A small share of the budget tells how far from its device's limits each point is. Where that fails, or
// costs minutes as in an interpreter, the rows do without.
void Sweep::measure_peaks(DeviceClient& client, const SweepGroup& group) {
  PeaksRecord peaks{group.device.id, {}};
  if (group.device.type != "host" && !group.device.checks_bounds) {
    progress_.show(group.device.name + " · peaks", left());
    const milliseconds most = peaks_limit;
    const milliseconds limit = options_.budget.count() == 0 ? most : std::min(most, options_.budget / 20);
    try {
      peaks.values =
          client.ask({{"do", "peaks"}, {"limit_ms", limit.count()}}, limit + options_.point_timeout)
              .get<std::map<std::string, double>>();
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "dwarfsweep: the peaks of {} could not be measured: {}\n", group.device.name,
                 error.what());
    }
  }
  append(peaks);
}

Json Sweep::ask(DeviceClient& client, SweepGroup& group, SweepPoint& point, const Json& request) {
  const Clock::time_point begin = Clock::now();
  const milliseconds limit = std::max(milliseconds(1), options_.point_timeout - point.spent);
  Json answer;
  try {
    answer = client.ask(request, limit);
    take_late(client, group);
  } catch (const PointFailure& failure) {
    take_late(client, group);
    const bool declined = failure.status() == Status::rejected || failure.status() == Status::unsupported;
    fail(point, failure.status(), failure.what(), declined ? "rejected" : "failed");
  } catch (const WorkerCrash& crash) {
    fail(point, Status::crashed, crash.what());
  } catch (const WorkerTimeout&) {
    fail(point, Status::timed_out,
         fmt::format("the point's limit of {} was reached while doing '{}'; the worker process was killed",
                     human_duration(options_.point_timeout), request.at("do").get<std::string>()));
  } catch (const UsageError& error) {
    fail(point, Status::launch_failed, error.what());
  } catch (const NoDeviceError& gone) {
    fail(point, Status::launch_failed, gone.what());
  }
  point.spent += std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
  return answer;
}

void Sweep::take_late(DeviceClient& client, SweepGroup& group) {
  for (const Json& late : client.late()) {
    for (SweepPoint& point : group.points) {
      if (point.request.key() == late.at("key")) fail(point, Status::wrong_result, late.at("reason"));
    }
  }
}

void Sweep::prepare(DeviceClient& client, SweepGroup& group, SweepPoint& point) {
  // A resumed run trusts what the log says: failures stay, and what was right is prepared when it is visited.
  const auto known = log_.points.find(point.key.text());
  if (known != log_.points.end() && known->second.preparation.status != Status::rejected) {
    point.alive = known->second.preparation.status == Status::ok;
    point.sample_ns = known->second.preparation.sample_ns;
    if (!point.alive) end(point, "failed");
    return;
  }
  show(group, point, "preparing");
  const Json answer = ask(client, group, point, {{"do", "prepare"}, {"point", point.request}});
  if (answer.is_null()) return;
  const auto preparation = answer.get<Preparation>();
  point.alive = true;
  point.sample_ns = preparation.sample_ns;
  record(point, preparation);
}

void Sweep::record(const SweepPoint& point, const Preparation& preparation) {
  const auto device = log_.devices.find(point.key.device_id);
  PointRecord record{point.key, point.baseline, utc_now(), "", "", cache_name(options_.cache), preparation};
  if (device != log_.devices.end()) {
    record.driver = device->second.info.driver;
    record.timer = device->second.timer.timer == Timer::device ? "device" : "host";
  }
  append(record);
}

void Sweep::fail(SweepPoint& point, Status status, const std::string& reason,
                 const std::string& stop_reason) {
  Preparation preparation;
  if (const auto known = log_.points.find(point.key.text()); known != log_.points.end()) {
    preparation = known->second.preparation;
  }
  preparation.status = status;
  preparation.reason = reason;
  point.alive = false;
  record(point, preparation);
  end(point, stop_reason);
}

void Sweep::end(SweepPoint& point, const std::string& reason) {
  point.ended = true;
  append(EndRecord{point.key, reason});
}

std::size_t Sweep::blocks_of(const SweepPoint& point) const {
  const auto visits = log_.visits.find(point.key.text());
  return visits == log_.visits.end() ? 0 : visits->second.size();
}

bool Sweep::converged(const SweepPoint& point) const {
  const auto visits = log_.visits.find(point.key.text());
  if (visits == log_.visits.end()) return false;
  const StoppingRule rule{options_.quality.half_width, static_cast<std::size_t>(options_.quality.blocks),
                          static_cast<std::size_t>(options_.quality.rounds)};
  const std::vector<KernelSamples> kernels = collect_samples(visits->second);
  if (kernels.empty()) return false;
  const KernelSamples& total = kernels.back();
  if (const auto speedup = paired_speedup(total.pairs, sequential_confidence)) {
    return rule.satisfied(visits->second.size(), relative_half_width(*speedup));
  }
  const auto summary = summarise(total.blocks, sequential_confidence);
  return summary && rule.satisfied(visits->second.size(), relative_half_width(*summary));
}

// Fewer pairs in a visit where the least number of rounds would not fit otherwise: many short looks spread
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
      if (!point->alive || static_cast<int>(blocks_of(*point)) > round)
        continue;  // a resumed run has it already
      // The first round goes beyond the budget, so that what was prepared is not in vain.
      if (Clock::now() > deadline && round > 0) {
        point->stop_reason = "budget";
        continue;
      }
      visit(client, group, *point, round, pairs, false);
      if (point->alive && converged(*point)) point->stop_reason = "converged";
    }
    std::erase_if(open, [](const SweepPoint* point) { return !point->alive || !point->stop_reason.empty(); });
  }
  for (SweepPoint* point : open) point->stop_reason = "rounds";
}

void Sweep::visit(DeviceClient& client, SweepGroup& group, SweepPoint& point, int round, int pairs,
                  bool confirmation) {
  const SweepPoint& baseline = group.points.front();
  const bool paired = baseline.baseline && baseline.alive;
  show(group, point, confirmation ? "measuring the winner again" : fmt::format("round {}", round + 1));
  Json request = {{"do", "visit"}, {"point", point.request}, {"pairs", pairs}};
  request["baseline"] = paired ? Json(baseline.request) : Json();
  // Another order in every visit, the same in every run of the same seed.
  request["seed"] =
      seed_of_part(seed_of_part(options_.seed, static_cast<std::uint64_t>(round)), hash_of(point.key.config));
  const Json answer = ask(client, group, point, request);
  if (answer.is_null() || !point.alive) return;
  VisitRecord visit{point.key, round,        client.process(),
                    paired,    confirmation, answer.at("samples").get<std::vector<VisitSample>>()};
  append(visit);
}

void Sweep::confirm_winner(DeviceClient& client, SweepGroup& group) {
  SweepPoint* best = nullptr;
  double best_ratio = 1;
  for (SweepPoint& point : group.points) {
    const auto visits = log_.visits.find(point.key.text());
    if (!point.alive || point.ended || point.baseline || visits == log_.visits.end()) continue;
    const std::vector<KernelSamples> kernels = collect_samples(visits->second);
    if (kernels.empty()) continue;
    const auto speedup = paired_speedup(kernels.back().pairs);
    if (speedup && speedup->ratio > best_ratio) {
      best = &point;
      best_ratio = speedup->ratio;
    }
  }
  if (!best) return;
  const auto& visits = log_.visits[best->key.text()];
  const int pairs = std::max(1, static_cast<int>(visits.front().samples.size()) / 2);
  const int first = visits.back().round + 1;
  for (int i = 0; i < options_.quality.blocks && best->alive; ++i) {
    visit(client, group, *best, first + i, pairs, true);
  }
}

void Sweep::finish(DeviceClient& client, SweepGroup& group) {
  for (SweepPoint& point : group.points) {
    if (point.ended || !point.rejected.empty()) continue;
    if (!point.alive || blocks_of(point) == 0) {
      fail(point, Status::rejected,
           "not measured: the budget was spent before its turn; --resume measures it", "budget");
      continue;
    }
    (void)ask(client, group, point, {{"do", "finish"}, {"point", point.request}});
    if (point.alive) end(point, point.stop_reason.empty() ? "budget" : point.stop_reason);
  }
  try {
    (void)client.ask({{"do", "drop"}}, options_.point_timeout);
  } catch (const std::runtime_error&) {
    client.stop();
  }
}

void Sweep::show(const SweepGroup& group, const SweepPoint& point, const std::string& doing) {
  progress_.show(fmt::format("{} · {} {} · {}", group.device.name, point.key.dwarf, doing, point.key.config),
                 left());
}

}  // namespace dwarfsweep
