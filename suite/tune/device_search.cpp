// The search of one group on its device, from its log to its answer.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/energy/power_phase.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/record/point_samples.hpp"
#include "suite/tune/carving.hpp"
#include "suite/tune/device_candidates.hpp"
#include "suite/tune/finals.hpp"
#include "suite/tune/search_loop.hpp"
#include "suite/tune/tuning.hpp"

namespace dwarfsweep {
namespace {

// The largest and the least share of a search's time that the last contenders and the confirmation get.
constexpr double max_final_part = 0.25;
constexpr double min_final_part = 0.05;

constexpr const char* searching = "search";
constexpr const char* in_finals = "final";
constexpr const char* ended = "ended";

// A block is to be a small part of the search, so that its end is near the limit.
std::chrono::milliseconds max_block(const SearchShare& share) {
  using std::chrono::milliseconds;
  if (share.time.count() == 0) return milliseconds(3000);
  return std::clamp(share.time / 200, milliseconds(200), milliseconds(3000));
}

// Twenty steps of NVIDIA's counter, or fewer where the search is short.
double energy_seconds(const SearchShare& share) {
  if (share.time.count() == 0) return 2;
  return std::clamp(1e-3 * static_cast<double>(share.time.count()) / 300, 0.7, 2.0);
}

// What carving counts before it measures anything.
std::chrono::milliseconds counting_limit(const SearchShare& share) {
  constexpr int part = 3;
  return share.time.count() == 0 ? std::chrono::minutes(10) : share.time / part;
}

DeviceCandidates::Limits candidate_limits(const Options& options, const SearchShare& share) {
  DeviceCandidates::Limits limits{max_block(share), energy_seconds(share),
                                  objective_of(options.objective) != Objective::time};
  if (share.time.count() > 0) limits.end = std::chrono::steady_clock::now() + share.time * 19 / 20;
  return limits;
}

class DeviceSearch : private SearchSite {
 public:
  // `client`: of the group's device, which is open.
  DeviceSearch(SweepContext& context, BuildAhead& builds, DeviceClient& client, SearchGroup& searched,
               const SearchShare& share)
      : context_(context),
        builds_(builds),
        log_(context.log),
        searched_(searched),
        share_(share),
        objective_(objective_of(context.options.objective)),
        candidates_(context, builds, client, searched.group(), candidate_limits(context.options, share)) {}

  // Continues where the log ends. Throws Interrupted, and UsageError if the log is of another search.
  void run() {
    begin_or_resume();
    if (search_.phase == ended && !share_.extends) return;
    if (search_.strategy == "carve") set_metrics(searched_, search_.counted);
    const std::unique_ptr<Strategy> strategy = make_strategy(search_.strategy, task());
    const RaceRules rules = race_rules(objective_, context_.options.quality.half_width);
    SearchLoop loop(*this, *strategy, rules);
    const auto& evaluations = log_.run().evaluations;
    if (const auto known = evaluations.find(search_.baseline.group()); known != evaluations.end())
      loop.restore(known->second);
    if (search_.phase != in_finals || share_.extends) {
      loop.run({share_.evaluations, share_.time.count() == 0 ? 0 : seconds_before_ + share_seconds()});
      if (search_.phase == ended) return;  // nothing was evaluated
    }
    enter_phase(in_finals);
    find_answer(loop);
    enter_phase(ended);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void begin_or_resume() {
    const PointKey& baseline = searched_.group().points.front().key;
    const auto found = log_.run().searches.find(baseline.group());
    if (found == log_.run().searches.end()) {
      search_.baseline = baseline;
      search_.strategy = context_.options.strategies.front();
      search_.objective = context_.options.objective;
      search_.seed = context_.options.seed;
      search_.points = searched_.space().numbers();
      search_.known = searched_.known();
      search_.phase = searching;
      if (search_.strategy == "carve") {
        search_.counted = count_pool(searched_, context_.options, search_.seed, counting_limit(share_));
        search_.carving_s = search_.seconds = seconds();
      }
      log_.append(search_);
      return;
    }
    search_ = found->second;
    if (search_.points != searched_.space().numbers()) {
      throw UsageError(fmt::format("cannot resume the search of {}: its space had {} points and now has {}",
                                   baseline.dwarf, search_.points, searched_.space().numbers()));
    }
    seconds_before_ = search_.seconds;
    const auto& evaluations = log_.run().evaluations;
    if (const auto known = evaluations.find(baseline.group()); known != evaluations.end())
      seconds_before_ = std::max(seconds_before_, known->second.back().seconds);
  }

  void enter_phase(const std::string& phase) {
    search_.phase = phase;
    search_.seconds = seconds();
    log_.append(search_);
  }

  [[nodiscard]] SearchTask task() const {
    SearchTask task{searched_.space(), {}, 0, search_.seed};
    task.with_control = search_.strategy == "carve";
    for (const std::string& config : search_.known) {
      if (const std::optional<PointNumber> point = searched_.space().find(Config::parse(config)))
        task.known.push_back(*point);
    }
    return task;
  }

  void find_answer(SearchLoop& loop) {
    const double before = seconds();
    const double left = seconds_before_ + share_seconds() - before;
    const double max_seconds =
        std::max(left - 2 * energy_seconds_of_answer(), share_seconds() * min_final_part);
    const TimeLeft time_left = [&] {
      return max_seconds <= 0 ? 1.0 : 1 - (seconds() - before) / max_seconds;
    };
    const Standings& standings = loop.state().standings;
    FinalRules rules = final_rules(objective_, context_.options.quality.half_width, context_.options.seed);
    if (max_seconds > 0)
      rules.confirming_part =
          std::clamp(confirming_seconds(standings) / max_seconds, rules.confirming_part, 0.9);
    const FinalResult result = run_finals(*this, standings, loop.state().noise.deviation(), rules, time_left);
    std::vector<FrontMember> front;
    if (objective_ == Objective::both && result.best)
      front = find_front(*this, standings, *result.best, rules, time_left);
    measure_energies(result);
    SweepGroup& group = searched_.group();
    for (std::size_t point = 0; point < group.points.size(); ++point) {
      if (group.points[point].state == PointState::unchecked) (void)candidates_.leave(point);
    }
    std::erase_if(front, [&](const FrontMember& each) { return !candidates_.runs(each.point); });
    if (result.best && candidates_.runs(*result.best)) write_answer(result, front, loop.evaluations());
  }

  // Of the best point and of the baseline each; 0: none is measured.
  [[nodiscard]] double energy_seconds_of_answer() const {
    constexpr double max_seconds = 2;
    constexpr double part = 0.02;  // of the search
    const double seconds =
        share_.time.count() == 0 ? max_seconds : std::min(max_seconds, part * share_seconds());
    if (objective_ != Objective::time) return 0;  // that of all contenders is known
    if (context_.options.cache == CacheState::cold) return 0;
    return seconds < EnergyLimits().min_seconds ? 0 : seconds;
  }

  // Measures the energies of the baseline and the best point, if the device reports them.
  void measure_energies(const FinalResult& result) {
    const double seconds = energy_seconds_of_answer();
    if (!result.best || seconds == 0) return;
    candidates_.measure_energy(0, seconds);
    if (*result.best != 0) candidates_.measure_energy(*result.best, seconds);
  }

  void write_answer(const FinalResult& result, const std::vector<FrontMember>& front,
                    std::size_t evaluations) {
    const std::vector<SweepPoint>& points = searched_.group().points;
    AnswerRecord answer;
    answer.best = points[*result.best].key;
    if (result.speedup) {
      answer.speedup = result.speedup->ratio;
      answer.speedup_low = result.speedup->low;
      answer.speedup_high = result.speedup->high;
    }
    answer.time_ns = median_ns(*result.best);
    if (objective_ != Objective::time) answer.joules = joules_of(*result.best);
    if (result.saving) {
      answer.saving = result.saving->ratio;
      answer.saving_low = result.saving->low;
      answer.saving_high = result.saving->high;
    }
    for (const FrontMember& each : front) {
      answer.front.push_back({points[each.point].key.config, answer.time_ns / each.by_time.ratio,
                              answer.joules.value_or(0) / each.by_energy.ratio, each.by_time.ratio,
                              each.by_time.low, each.by_time.high, each.by_energy.ratio, each.by_energy.low,
                              each.by_energy.high});
    }
    if (search_.strategy == "carve")
      answer.carving = compare_carving(searched_.space(), search_, evaluated_points());
    for (const FinalComparison& each : result.tied) {
      answer.tied.push_back({points[each.point].key.config, each.over_best.ratio, each.over_best.low,
                             each.over_best.high, each.remeasured});
    }
    answer.evaluations = static_cast<std::int64_t>(evaluations);
    answer.seconds = seconds();
    log_.append(answer);
  }

  [[nodiscard]] Evaluated evaluated_points() const {
    Evaluated evaluated;
    const auto known = log_.run().evaluations.find(searched_.group().points.front().key.group());
    if (known == log_.run().evaluations.end()) return evaluated;
    for (const EvaluationRecord& each : known->second) {
      if (const auto point = searched_.space().find(Config::parse(each.key.config)))
        evaluated[*point] = &each;
    }
    return evaluated;
  }

  [[nodiscard]] std::optional<double> joules_of(std::size_t point) const {
    const auto& energies = log_.run().energies;
    const auto found = energies.find(searched_.group().points[point].key.text());
    return found == energies.end() ? std::nullopt : std::optional(found->second.joules / found->second.runs);
  }

  [[nodiscard]] double share_seconds() const { return std::chrono::duration<double>(share_.time).count(); }

  // The median of the blocks of its re-measurement, if there are any.
  [[nodiscard]] double median_ns(std::size_t point) const {
    const SweepPoint& measured = searched_.group().points[point];
    std::vector<BlockRecord> blocks = log_.remeasured_blocks(measured);
    if (blocks.empty()) blocks = log_.blocks(measured);
    const std::vector<KernelSamples> kernels = collect_samples(blocks);
    if (kernels.empty()) return 0;
    const auto summary = summary_of(kernels.back());
    return summary ? summary->median : 0;
  }

  std::optional<RunTimes> enter(std::size_t point) override { return candidates_.enter(point); }
  std::optional<double> joules(std::size_t point) override { return candidates_.joules(point); }
  std::vector<PairTimes> measure(const Block& block) override { return candidates_.measure(block); }
  bool leave(std::size_t point) override { return candidates_.leave(point); }
  [[nodiscard]] bool runs(std::size_t point) const override { return candidates_.runs(point); }
  std::size_t index_of(PointNumber point) override {
    return searched_.index_of(searched_.space().config(point));
  }

  [[nodiscard]] std::optional<PointNumber> number_of(std::size_t index) const override {
    return searched_.number_of(index);
  }

  std::size_t index_of(const std::string& config) override {
    return searched_.index_of(Config::parse(config));
  }

  [[nodiscard]] std::string config_of(std::size_t index) const override {
    return searched_.group().points[index].key.config;
  }

  void write(std::size_t point, EvaluationRecord record) override {
    SweepPoint& evaluated = searched_.group().points[point];
    record.key = evaluated.key;
    record.blocks = candidates_.blocks_of(point);
    const EvaluationCost cost = candidates_.take_cost();
    record.cost.build_s = cost.build_s;
    record.cost.verify_s = cost.verify_s;
    record.cost.measure_s = cost.measure_s;
    if (record.outcome == to_string(RaceOutcome::faster) || record.outcome == to_string(RaceOutcome::tied))
      prepare_seconds_ = std::max(prepare_seconds_, candidates_.prepare_seconds());
    if (evaluated.stop_reason == too_slow) record.outcome = too_slow;  // in its first launches
    record.seconds = seconds();
    if (!evaluated.stop_reason) {
      const bool early = record.outcome == to_string(RaceOutcome::screened) ||
                         record.outcome == to_string(RaceOutcome::dropped);
      context_.outcomes.end(evaluated, early ? record.outcome : "raced");
    }
    if (search_.phase != searching) enter_phase(searching);  // one that had come to its finals is given more
    log_.append(record);
    context_.progress.add_done(1);
  }

  void expect(const std::vector<PointNumber>& points) override {
    std::vector<PointRequest> requests;
    for (const PointNumber point : points) requests.push_back(searched_.request_of(point));
    builds_.expect(requests);
  }

  [[nodiscard]] double seconds() const override {
    return seconds_before_ + std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  // The finalists are prepared again. The numbers of pairs are those that finals take if eight points
  // hardly differ. The confirmation pairs them with the baseline, which may be slow.
  [[nodiscard]] double final_seconds(const Standings& standings) const override {
    constexpr double finalists = 8;
    constexpr double pairs = 300;
    constexpr double pairs_with_baseline = 40;
    const Standing* const best = standings.incumbent();
    const Standing* const baseline = standings.find(0);
    double estimate = finalists * prepare_seconds_;
    if (objective_ != Objective::time) {
      // Some finalists, the baseline and the front, three pairs each.
      constexpr double energy_pairs = 24;
      estimate += 2 * energy_pairs * energy_seconds(share_);
    }
    if (best) estimate += 2e-9 * pairs * std::exp(best->log_time);
    if (baseline) estimate += 1e-9 * pairs_with_baseline * std::exp(baseline->log_time);
    const double least = std::min(max_final_part * share_seconds(),
                                  std::max(min_final_part * share_seconds(), confirming_seconds(standings)));
    return std::clamp(estimate, least, max_final_part * share_seconds());
  }

  // The best point and the baseline are prepared again, and there is a block of pairs.
  [[nodiscard]] double confirming_seconds(const Standings& standings) const {
    double pair_ns = 0;
    for (const Standing* const each : {standings.incumbent(), standings.find(0)})
      pair_ns += each == nullptr ? 0 : std::exp(each->log_time);
    const double block_s = 1e-3 * static_cast<double>(max_block(share_).count());
    return 2 * prepare_seconds_ + std::max(block_s, 2e-9 * pair_ns);
  }

  void show(std::size_t evaluations, std::size_t planned, const Standings& standings) override {
    context_.progress.start(planned);
    context_.progress.add_done(evaluations);
    const Standing* const best = standings.incumbent();
    if (best == nullptr) return;
    std::string remark = fmt::format("best {:.4g} ms", std::exp(best->log_time) * 1e-6);
    if (best->log_joules) remark += fmt::format(", {:.4g} J", std::exp(*best->log_joules));
    if (const Standing* const baseline = standings.find(0))
      remark += fmt::format(" ({:.2f}x)", std::exp(baseline->log_cost - best->log_cost));
    context_.progress.set_remark(remark + " · ");
  }

  void restore(std::size_t point, const EvaluationRecord& record) override {
    candidates_.restore(point, record.blocks);
    searched_.group().points[point].stop_reason = record.outcome;
  }

  SweepContext& context_;
  BuildAhead& builds_;
  SweepLog& log_;
  SearchGroup& searched_;
  SearchShare share_;
  Objective objective_;
  DeviceCandidates candidates_;
  SearchRecord search_;  // as last logged
  Clock::time_point begin_ = Clock::now();
  double seconds_before_ = 0;   // in earlier sittings
  double prepare_seconds_ = 0;  // the longest that building and verifying a contender has taken
};

}  // namespace

void search_device(SweepContext& context, BuildAhead& builds, DeviceClient& client, SearchGroup& searched,
                   const SearchShare& share) {
  DeviceSearch(context, builds, client, searched, share).run();
}

}  // namespace dwarfsweep
