#include "suite/engine/measurer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "harness/statistics/random.hpp"
#include "suite/record/duration.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds min_launch_limit{1000};

milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

// The answer; and what points that had to make room in the worker were found out to be.
template <typename Request>
typename Request::Answer Measurer::ask(const Request& request, milliseconds limit) {
  doing_ = Request::name;
  try {
    auto answer = client_.ask(request, limit);
    fail_deferred_points();
    return answer;
  } catch (const PointFailure&) {
    fail_deferred_points();
    throw;
  }
}

void Measurer::prepare(SweepPoint& point) {
  if (outcomes_.restore(point)) {
    const Status status = outcomes_.log().find(point)->preparation.status;
    if (!point.works()) outcomes_.end(point, is_failure(status) ? "failed" : "rejected");
    return;
  }
  if (outcomes_.given_up(point)) return outcomes_.skip(point);
  show(point, "preparing");
  if (const auto built = builds_ ? builds_->outcome_of(point.request) : std::nullopt) {
    if (built->status != Status::ok) return outcomes_.fail(point, built->status, built->reason);
    if (!built->note.empty()) outcomes_.note(point, built->note);
  }
  const auto begin = Clock::now();
  Preparation preparation;
  const bool done = attempt(point, [&] {
    first_launches_.reset();
    (void)ask(BuildPoint{point.request}, time_to_prepare(point));
    first_launches_ = launch_limit(point);
    preparation =
        ask(PreparePoint{point.request}, first_launches_ ? first_launches_->time : time_to_prepare(point));
  });
  first_launches_.reset();
  const milliseconds took = since(begin);
  point.spent += took;
  if (!done) return;
  group_.slowest_preparation = std::max(group_.slowest_preparation, took);
  preparation.reason = point.note;
  point.process = client_.process();
  outcomes_.prepared(point, preparation);
}

// At least a second, so that the last point of a search may come to its end.
milliseconds Measurer::time_to_prepare(const SweepPoint& point) const {
  if (!search_end_) return limit_;
  const Clock::duration whole = *search_end_ - search_begin_;
  const Clock::time_point end = search_begin_ + (point.baseline ? whole * 2 / 3 : whole);
  const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
  return std::min(limit_, std::max(min_launch_limit, left));
}

// What is known: the time of a sample, and what verifying takes at least, of the points so far. Nothing for
// the first one, the baseline, and plain C++. Without a budget there is no hurry. A new worker makes the data
// and the expected results again, for which no point is to blame.
std::optional<Measurer::LaunchLimit> Measurer::launch_limit(const SweepPoint& point) const {
  constexpr double slower = 20;        // than the fastest point
  constexpr double than_baseline = 2;  // in a sweep each of its pairs takes as long as the baseline
  constexpr double launches = 4;       // one that is verified, three to warm up
  constexpr double verifications = 2;  // with what the check takes
  if (context_.budget.unlimited() || point.baseline || group_.device.type == "host") return std::nullopt;
  const SweepPoint* fastest = nullptr;
  double sample_ns = 0;
  double verify_ns = std::numeric_limits<double>::infinity();
  for (const SweepPoint& each : group_.points) {
    const PointRecord* const known = context_.log.find(each);
    if (!each.works() || each.sample_ns <= 0 || known == nullptr) continue;
    verify_ns = std::min(verify_ns, known->preparation.verify_ns);
    if (each.baseline && !is_search_) sample_ns = std::max(sample_ns, than_baseline * each.sample_ns);
    if (fastest == nullptr || each.sample_ns < fastest->sample_ns) fastest = &each;
  }
  if (fastest == nullptr || group_.slowest_preparation == milliseconds(0)) return std::nullopt;
  sample_ns = std::max(sample_ns, slower * fastest->sample_ns);
  // CPUs' drivers compile in the first launch, by its local size.
  const milliseconds least = (group_.device.type == "cpu" ? 10 : 3) * min_launch_limit;
  const double ns = launches * sample_ns + verifications * verify_ns;
  const milliseconds launching =
      std::max(least, milliseconds(static_cast<long long>(std::min(ns * 1e-6, 1e9))));
  const milliseconds time = group_.slowest_preparation + launching;
  if (time >= time_to_prepare(point)) return std::nullopt;
  return LaunchLimit{
      time,
      fmt::format(
          "its first launches had not ended after {} on top of the slowest preparation; a sample of {} takes "
          "{:.4g} ms",
          human_duration(launching), fastest->key.config, fastest->sample_ns * 1e-6)};
}

bool Measurer::measure_block(SweepPoint& point, const BlockPlan& block) {
  SweepPoint* const reference = block.reference;
  const bool is_incumbent = reference != nullptr && !reference->baseline;
  if (!point.works()) return false;
  show(point,
       block.remeasured ? "re-measuring the best candidate" : fmt::format("round {}", block.round + 1));
  std::optional<BlockRecord> record;
  std::optional<Clock::time_point> begin;
  const bool done = attempt(point, [&] {
    // The reference first, in a request of its own, so that its failure is not the point's.
    const bool paired = reference == &point || (reference != nullptr && hold_reference(*reference));
    if (is_incumbent && !paired) return;
    hold(point);
    if (!point.works()) return;
    MeasureBlock request{point.request, {}, block.pairs, block.seed};
    if (paired) request.baseline = reference->request;
    point.state = PointState::unchecked;
    begin = Clock::now();
    MeasuredBlock taken = ask(request, std::max(milliseconds(1), limit_ - point.spent));
    record = BlockRecord{point.key,  block.round,      client_.process(),
                         paired,     block.remeasured, std::move(taken.samples),
                         taken.clock};
    const TimerReport& timer = client_.timer();
    record->tick_ns = timer.timer == Timer::host ? 1 : timer.tick_ns;
  });
  if (begin) {
    const milliseconds took = since(*begin);
    point.spent += took;
    point.longest_block = std::max(point.longest_block, took);
  }
  if (!done || !record || !point.works()) return false;
  if (is_incumbent) {
    record->opponent = reference->key.config;
    for (BlockSample& sample : record->samples) {
      if (sample.role == PairRole::baseline) sample.role = PairRole::incumbent;
    }
    if (reference->works()) reference->state = PointState::unchecked;
  }
  outcomes_.measured(point, *record);
  return true;
}

std::optional<double> Measurer::measure_energy(SweepPoint& point, double seconds) {
  if (!point.works()) return std::nullopt;
  show(point, "energy");
  std::optional<EnergyRecord> energy;
  const bool done = attempt(point, [&] {
    hold(point);
    point.state = PointState::unchecked;
    const std::optional<MeteredEnergy> metered = ask(MeasureEnergy{point.request, seconds}, limit_);
    if (!metered) return;
    const EnergyUse& use = metered->use;
    energy = {point.key, metered->meter, use.joules, use.seconds, use.runs, use.steps};
  });
  if (!done || !point.works() || !energy) return std::nullopt;
  outcomes_.measured(*energy);
  return energy->joules / energy->runs;
}

void Measurer::take_digests(SweepPoint& point) {
  if (point.state != PointState::checked || context_.log.run().digests.contains(point.key.text())) return;
  try {
    const PointDigests digests = ask(DigestPoint{point.request}, limit_);
    if (!digests.results.empty()) outcomes_.measured(DigestRecord{point.key, point.request.seed, digests});
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client_.stop();
  }
}

bool Measurer::has_time_for_block(const SweepPoint& point) const {
  // A block may take this many times as long as the longest one before it without reaching the point's limit.
  constexpr int block_reserve = 4;
  return point.spent + block_reserve * point.longest_block < limit_;
}

void Measurer::verify_last_outputs() {
  for (SweepPoint& point : group_.points) {
    if (point.state == PointState::unchecked) verify_last_output(point, false);
  }
}

void Measurer::release(SweepPoint& point, bool keep) {
  if (!point.works()) return;
  verify_last_output(point, !keep);
  if (!keep) point.process = 0;
}

void Measurer::verify_last_output(SweepPoint& point, bool forget) {
  const bool done = attempt(point, [&] {
    hold(point);
    if (ask(FinishPoint{point.request, forget}, limit_) == LastOutput::verified) return;
    point.process = 0;
    hold(point);
    (void)ask(FinishPoint{point.request, forget}, limit_);
  });
  if (done && point.works()) point.state = PointState::checked;
}

void Measurer::begin_round(int round) {
  const int blocks_per_process = context_.options.quality.blocks_per_process;
  if (blocks_per_process == 0 || round % blocks_per_process != 0) return;
  const auto measured = [](const SweepPoint& point) { return point.state == PointState::unchecked; };
  if (std::ranges::none_of(group_.points, measured)) return;
  verify_last_outputs();
  client_.stop();
}

std::uint64_t Measurer::order_seed(int round, const SweepPoint& point) const {
  return seed_of_part(seed_of_part(context_.options.seed, static_cast<std::uint64_t>(round)),
                      fnv1a(point.key.config));
}

// Brings the point into this worker if another one had it. Its time limit is not charged, because the point
// may not be at fault for the end of that worker.
void Measurer::hold(SweepPoint& point) {
  if (point.process == client_.process()) return;
  (void)ask(PreparePoint{point.request}, limit_);
  point.process = client_.process();
}

bool Measurer::hold_reference(SweepPoint& reference) {
  if (!reference.works()) return false;
  return reference.process == client_.process() ||
         (attempt(reference, [&] { hold(reference); }) && reference.works());
}

// Runs `action`, which asks the worker about the point, and brings there again what it needs after a crash.
// False if the point is lost by what goes wrong.
bool Measurer::attempt(SweepPoint& point, const std::function<void()>& action) {
  std::string first_crash;
  for (;;) {
    try {
      action();
      if (!first_crash.empty())
        outcomes_.note(point, "crashed one worker; a retry in a new one succeeded: " + first_crash);
      return true;
    } catch (const PointFailure& failure) {
      if (failure.status() == Status::launch_failed) {
        outcomes_.fail_unless_verified(point, failure.status(), failure.what());
      } else {
        outcomes_.fail(point, failure.status(), failure.what(),
                       is_failure(failure.status()) ? "failed" : "rejected");
      }
    } catch (const WorkerCrash& crash) {
      // A wild store may take its time to kill the process. This point is at fault only if it also kills a
      // worker that has done nothing else.
      if (client_.questions() > 1 && first_crash.empty()) {
        first_crash = crash.what();
        continue;
      }
      outcomes_.fail(point, crash.status(), crash.what());
    } catch (const WorkerTimeout&) {
      end_unanswered(point);
    } catch (const UsageError& error) {
      if (!context_.log.has_file()) throw;  // the user sees it at once
      outcomes_.fail(point, Status::launch_failed, error.what());
    } catch (const NoDeviceError& gone) {
      if (!context_.log.has_file()) throw;
      outcomes_.fail_unless_verified(point, Status::launch_failed, gone.what());
    }
    return false;
  }
}

void Measurer::end_unanswered(SweepPoint& point) {
  if (first_launches_) return outcomes_.cut_off(point, first_launches_->reason);
  if (point.state == PointState::planned && time_to_prepare(point) < limit_) {
    return outcomes_.fail(point, Status::not_run,
                          fmt::format("{} of the search's time was up while doing '{}'",
                                      point.baseline ? "the baseline's part" : "all", doing_),
                          out_of_budget);
  }
  outcomes_.fail(
      point, Status::timed_out,
      fmt::format("the point's limit of {} was reached while doing '{}'; the worker process was killed",
                  human_duration(limit_), doing_));
}

void Measurer::fail_deferred_points() {
  for (const DeferredFailure& failure : client_.take_deferred_failures()) {
    for (SweepPoint& point : group_.points) {
      if (point.request.key() == failure.key) outcomes_.fail(point, Status::wrong_result, failure.reason);
    }
  }
}

void Measurer::show(const SweepPoint& point, const std::string& doing) {
  context_.progress.show(
      fmt::format("{} · {} {} · {}", group_.device.name, point.key.dwarf, doing, point.key.config));
}

std::optional<TrialCost> try_point(DeviceClient& client, const PointRequest& point, milliseconds limit) {
  TrialCost cost;
  try {
    auto begin = Clock::now();
    (void)client.ask(LoadProblem{point}, limit);
    cost.load_s = seconds_since(begin);
    cost.preparation = client.ask(PreparePoint{point}, limit);
    begin = Clock::now();
    (void)client.ask(FinishPoint{point}, limit);
    cost.verify_s = seconds_since(begin);
    return cost;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // its points fail in the same way, and say why
  }
}

ComputedResults compute_results(DeviceClient& client, const PointRequest& point, milliseconds limit) {
  ComputedResults results;
  results.tolerance = client.ask(PreparePoint{point}, limit).check.tolerance;
  (void)client.ask(FinishPoint{point}, limit);
  results.digests = client.ask(DigestPoint{point}, limit);
  (void)client.ask(DropAll{}, limit);
  return results;
}

void drop_points(DeviceClient& client, milliseconds limit) {
  try {
    (void)client.ask(DropAll{}, limit);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client.stop();
  }
}

}  // namespace dwarfsweep
