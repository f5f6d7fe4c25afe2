// One point of a sweep: asking the worker about it, and what becomes of it when something goes wrong.
#include <fmt/format.h>

#include <algorithm>

#include "harness/error.hpp"
#include "harness/hash.hpp"
#include "harness/random.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/known_exceptions.hpp"
#include "suite/sweep/sweep.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// A measurement block may take so many times as long as the longest before it without running into the
// point's limit.
constexpr int block_reserve = 4;

std::string cache_name(CacheState cache) {
  return cache == CacheState::cold ? "cold" : "hot";
}

// Rejected points are legal answers of a device that works.
bool is_failure(Status status) {
  return status != Status::ok && status != Status::rejected && status != Status::unsupported;
}

std::string device_and_dwarf(const PointKey& key) {
  return key.device_id + "|" + key.dwarf + "|";
}

std::string kernel_of(const SweepPoint& point) {
  return device_and_dwarf(point.key) + point.request.config.string("variant");
}

// The first sentence or so: the whole is in the row of the point that failed.
std::string shortened(const std::string& reason) {
  constexpr std::size_t most = 120;
  return reason.size() <= most ? reason : reason.substr(0, reason.rfind(' ', most)) + " ...";
}

}  // namespace

bool Sweep::ask(DeviceClient& client, SweepGroup& group, SweepPoint& point, const Json& request,
                milliseconds limit, const Take& take) {
  const auto doing = request.at("do").get<std::string>();
  std::string died_once;
  for (;;) {
    try {
      const Json answer = client.ask(request, limit);
      take(answer);
      take_late(client, group);
      if (!died_once.empty()) note(point, "a worker died of this once, a new one did not: " + died_once);
      return true;
    } catch (const PointFailure& failure) {
      take_late(client, group);
      const bool declined = !is_failure(failure.status());
      fail(point, failure.status(), failure.what(), declined ? "rejected" : "failed");
    } catch (const WorkerCrash& crash) {
      // A wild store may take its time to kill the process. This point is at fault only if it also kills a
      // worker that has done nothing else.
      if (client.questions() > 1 && died_once.empty()) {
        died_once = crash.what();
        continue;
      }
      fail(point, crash.status(), crash.what());
    } catch (const WorkerTimeout&) {
      fail(point, Status::timed_out,
           fmt::format("the point's limit of {} was reached while doing '{}'; the worker process was killed",
                       human_duration(options_.point_timeout), doing));
    } catch (const Json::exception& error) {
      client.stop();
      fail(point, Status::crashed,
           fmt::format(
               "the worker process answered '{}' with something else than asked for and was killed: {}",
               doing, error.what()));
    } catch (const UsageError& error) {
      fail(point, Status::launch_failed, error.what());
    } catch (const NoDeviceError& gone) {
      fail(point, Status::launch_failed, gone.what());
    }
    return false;
  }
}

void Sweep::take_late(DeviceClient& client, SweepGroup& group) {
  for (const Json& late : client.late()) {
    for (SweepPoint& point : group.points) {
      if (point.request.key() == late.at("key")) fail(point, Status::wrong_result, late.at("reason"));
    }
  }
}

void Sweep::prepare(DeviceClient& client, SweepGroup& group, SweepPoint& point) {
  if (recall(point)) {
    const Status status = log_.points.at(point.key.text()).preparation.status;
    if (!point.alive) end(point, is_failure(status) ? "failed" : "rejected");
    return;
  }
  if (given_up(point)) return skip(point);
  show(group, point, "preparing");
  const auto begin = Clock::now();
  Preparation preparation;
  const bool done =
      ask(client, group, point, {{"do", "prepare"}, {"point", point.request}}, options_.point_timeout,
          [&](const Json& answer) { preparation = answer.get<Preparation>(); });
  point.spent += std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
  if (!done) return;
  preparation.reason = point.note;
  point.alive = true;
  point.process = client.process();
  point.sample_ns = preparation.sample_ns;
  record(point, preparation);
  failures_[kernel_of(point)].in_row = 0;
}

// A resumed run trusts what the log says: failures stay, and what was right is prepared when it is measured.
// False where the point has not been prepared before.
bool Sweep::recall(SweepPoint& point) {
  const auto known = log_.points.find(point.key.text());
  if (known == log_.points.end() || known->second.preparation.status == Status::rejected) return false;
  point.alive = known->second.preparation.status == Status::ok;
  point.sample_ns = known->second.preparation.sample_ns;
  count_known(point);
  return true;
}

// Prepares in a new worker what the last one had: at no cost to the point's limit, since another point took
// the worker down. False where it does not work any more.
bool Sweep::revive(DeviceClient& client, SweepGroup& group, SweepPoint& point) {
  if (point.process == client.process()) return true;
  if (!ask(client, group, point, {{"do", "prepare"}, {"point", point.request}}, options_.point_timeout,
           [](const Json& answer) { (void)answer.get<Preparation>(); })) {
    return false;
  }
  point.process = client.process();
  return true;
}

bool Sweep::has_time_for_block(const SweepPoint& point) const {
  return point.spent + block_reserve * point.longest_block < options_.point_timeout;
}

void Sweep::measure_block(DeviceClient& client, SweepGroup& group, SweepPoint& point, int round, int pairs,
                          bool confirmation) {
  SweepPoint& baseline = group.points.front();
  // The baseline on its own account, so that its failure is not the variant's.
  const bool paired = baseline.baseline && baseline.alive && revive(client, group, baseline);
  if (!point.alive || !revive(client, group, point)) return;
  show(group, point, confirmation ? "measuring the winner again" : fmt::format("round {}", round + 1));
  Json request = {{"do", "measure"}, {"point", point.request}, {"pairs", pairs}};
  request["baseline"] = paired ? Json(baseline.request) : Json();
  // Another order in every block, the same in every run of the same seed.
  request["seed"] =
      seed_of_part(seed_of_part(options_.seed, static_cast<std::uint64_t>(round)), fnv1a(point.key.config));
  BlockRecord block{point.key, round, 0, paired, confirmation, {}};
  const auto begin = Clock::now();
  const bool done =
      ask(client, group, point, request, std::max(milliseconds(1), options_.point_timeout - point.spent),
          [&](const Json& answer) {
            block.samples = answer.at("samples").get<std::vector<BlockSample>>();
            block.process = client.process();
          });
  const auto took = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
  point.spent += took;
  point.longest_block = std::max(point.longest_block, took);
  if (!done || !point.alive) return;
  append(block);
  failures_[kernel_of(point)].in_row = 0;
}

// In a worker that did not take the last sample there is no such output: then a new launch is checked.
bool Sweep::check_last_output(DeviceClient& client, SweepGroup& group, SweepPoint& point) {
  return revive(client, group, point) &&
         ask(client, group, point, {{"do", "finish"}, {"point", point.request}}, options_.point_timeout,
             [](const Json&) {}) &&
         point.alive;
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

// Of a point that is right in the end.
void Sweep::note(SweepPoint& point, const std::string& what) {
  point.note = what;
  const auto known = log_.points.find(point.key.text());
  if (known == log_.points.end() || known->second.preparation.status != Status::ok) return;
  Preparation preparation = known->second.preparation;
  preparation.reason = what;
  record(point, preparation);
}

void Sweep::fail(SweepPoint& point, Status status, const std::string& reason,
                 const std::string& stop_reason) {
  Preparation preparation;
  if (const auto known = log_.points.find(point.key.text()); known != log_.points.end()) {
    preparation = known->second.preparation;
  }
  preparation.status = status;
  preparation.reason = reason;
  if (const auto device = log_.devices.find(point.key.device_id); device != log_.devices.end()) {
    const std::string known = known_exception(device->second.info, point.key, status);
    if (!known.empty()) preparation.reason += " (" + known + ")";
  }
  point.alive = false;
  record(point, preparation);
  end(point, stop_reason);
  count_failure(point, status, reason);
}

void Sweep::skip(SweepPoint& point) {
  const Failures& failures = failures_[kernel_of(point)];
  fail(point, Status::rejected,
       fmt::format("not tried: variant '{}' failed {} times in a row on this device; the last: {}",
                   point.request.config.string("variant"), failures.in_row, failures.last),
       skipped);
}

void Sweep::end(SweepPoint& point, const std::string& reason) {
  point.ended = true;
  append(EndRecord{point.key, reason});
}

// A resumed run counts what it finds, as if it had happened just now.
void Sweep::count_known(const SweepPoint& point) {
  const auto known = log_.points.find(point.key.text());
  if (known == log_.points.end()) return;
  const Preparation& preparation = known->second.preparation;
  if (preparation.status == Status::ok) failures_[kernel_of(point)].in_row = 0;
  count_failure(point, preparation.status, preparation.reason);
}

void Sweep::count_failure(const SweepPoint& point, Status status, const std::string& reason) {
  if (!is_failure(status)) return;
  Failures& failures = failures_[kernel_of(point)];
  ++failures.in_row;
  failures.last = fmt::format("{}: {}", to_string(status), shortened(reason));
}

bool Sweep::given_up(const SweepPoint& point) const {
  const auto failures = failures_.find(kernel_of(point));
  return options_.give_up_after > 0 && failures != failures_.end() &&
         failures->second.in_row >= options_.give_up_after;
}

// Another problem may suit a variant better: one point of it is tried.
void Sweep::give_another_chance(const SweepGroup& group) {
  const std::string prefix = device_and_dwarf(group.points.front().key);
  for (auto& [kernel, failures] : failures_) {
    if (kernel.rfind(prefix, 0) == 0)
      failures.in_row = std::min(failures.in_row, std::max(0, options_.give_up_after - 1));
  }
}

}  // namespace dwarfsweep
