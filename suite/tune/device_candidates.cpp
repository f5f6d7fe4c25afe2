#include "suite/tune/device_candidates.hpp"

#include <algorithm>
#include <utility>

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool is_valid(const Sample& sample) {
  return sample.fault.empty() && sample.wall_ns > 0;
}

// Pairs with two valid samples; for an unpaired block, the valid samples of the point.
PairBlock pairs_of(const BlockRecord& block) {
  std::map<int, PairTimes> halves;
  for (const BlockSample& taken : block.samples) {
    if (!is_valid(taken.sample)) continue;
    RunTimes times{taken.sample.span_ns, taken.sample.wall_ns};
    if (times.span_ns > 0)
      times.tick =
          static_cast<double>(block.tick_ns) / (times.span_ns * static_cast<double>(taken.sample.launches));
    PairTimes& pair = halves[taken.pair];
    (taken.role == PairRole::variant ? pair.own : pair.reference) = times;
  }
  PairBlock pairs;
  for (const auto& [number, pair] : halves) {
    if (pair.own.wall_ns > 0 && (pair.reference.wall_ns > 0 || !block.paired)) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

std::optional<RunTimes> DeviceCandidates::enter(std::size_t point) {
  const auto begin = Clock::now();
  SweepPoint& entered = group_.points[point];
  if (entered.rejected) {  // a baseline that is not legal here
    context_.outcomes.reject(entered);
    return std::nullopt;
  }
  const bool is_new = context_.log.find(entered) == nullptr;
  measurer_.prepare(entered);
  const double took = seconds_since(begin);
  prepare_seconds_ = took;
  if (const PointRecord* known = context_.log.find(entered); is_new && known != nullptr) {
    const double build_s = std::min(took, 1e-9 * static_cast<double>(known->preparation.build_ns));
    const double verify_s = std::min(took - build_s, 1e-9 * known->preparation.verify_ns);
    cost_.build_s += build_s;
    cost_.verify_s += verify_s;
    cost_.measure_s += took - build_s - verify_s;
  }
  if (!entered.works()) return std::nullopt;
  const BlockRecord* const block = next_block(point, {.pairs = 1});
  if (block == nullptr) return std::nullopt;
  const PairBlock sample = pairs_of(*block);
  if (!sample.empty()) return sample.front().own;
  context_.outcomes.fail(group_.points[point], Status::launch_failed,
                         "its first sample has no valid time: " + block->samples.front().sample.fault);
  return std::nullopt;
}

// The energy of a run is that of many, back to back; its time is the median of some pairs.
PairBlock DeviceCandidates::measure(const Block& block) {
  if (!limits_.with_energy) return measure_times(block);
  constexpr int samples = 5;
  PairBlock pairs;
  for (int i = 0; i < block.pairs; ++i) {
    Block times = block;
    times.pairs = samples;
    const PairBlock taken = measure_times(times);
    const std::optional<PairTimes> energies =
        taken.empty() ? std::nullopt : measure_energies(block, energy_pairs_++ % 2 == 1);
    if (!energies) break;
    PairTimes pair{median_times(taken, &PairTimes::reference), median_times(taken, &PairTimes::own)};
    pair.reference.joules = energies->reference.joules;
    pair.own.joules = energies->own.joules;
    pairs.push_back(pair);
  }
  return pairs;
}

std::optional<double> DeviceCandidates::joules(std::size_t point) {
  const auto begin = Clock::now();
  const std::optional<double> joules = measurer_.measure_energy(group_.points[point], limits_.energy_seconds);
  cost_.measure_s += seconds_since(begin);
  return joules;
}

std::optional<PairTimes> DeviceCandidates::measure_energies(const Block& block, bool own_first) {
  PairTimes pair;
  for (const bool own : {own_first, !own_first}) {
    const std::optional<double> taken = joules(own ? block.point : block.reference);
    if (!taken) return std::nullopt;
    (own ? pair.own : pair.reference).joules = *taken;
  }
  return pair;
}

PairBlock DeviceCandidates::measure_times(const Block& block) {
  const BlockRecord* const taken = next_block(block.point, {.pairs = pairs_that_fit(block),
                                                            .reference = &group_.points[block.reference],
                                                            .remeasured = block.remeasured});
  return taken == nullptr ? PairBlock() : pairs_of(*taken);
}

int DeviceCandidates::pairs_that_fit(const Block& block) const {
  const double pair_ns = group_.points[block.point].sample_ns + group_.points[block.reference].sample_ns;
  const double fit = 1e6 * static_cast<double>(limits_.block.count()) / std::max(1.0, pair_ns);
  return static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(block.pairs)));
}

bool DeviceCandidates::leave(std::size_t point) {
  const auto begin = Clock::now();
  SweepPoint& left = group_.points[point];
  measurer_.release(left, point == 0);  // the baseline confirms the answer, and may be slow to prepare
  // The limit is for a race; what comes in the finals is another.
  left.spent = std::chrono::milliseconds(0);
  cost_.verify_s += seconds_since(begin);
  return left.works();
}

void DeviceCandidates::restore(std::size_t point, std::int64_t blocks) {
  (void)context_.outcomes.restore(group_.points[point]);
  used_[point] = static_cast<std::size_t>(blocks);
}

std::int64_t DeviceCandidates::blocks_of(std::size_t point) const {
  const auto found = used_.find(point);
  return found == used_.end() ? 0 : static_cast<std::int64_t>(found->second);
}

void DeviceCandidates::measure_energy(std::size_t point, double seconds) {
  SweepPoint& measured = group_.points[point];
  if (!measured.works() || context_.log.run().energies.contains(measured.key.text())) return;
  (void)measurer_.measure_energy(measured, seconds);
}

EvaluationCost DeviceCandidates::take_cost() {
  return std::exchange(cost_, {});
}

const BlockRecord* DeviceCandidates::known_block(std::size_t point, const BlockPlan& plan) {
  const std::vector<BlockRecord>& blocks = context_.log.blocks(group_.points[point]);
  std::size_t& used = used_[point];
  if (used >= blocks.size()) return nullptr;
  const BlockRecord& block = blocks[used];
  const SweepPoint* const reference = plan.reference;
  const bool is_incumbent = reference != nullptr && !reference->baseline;
  const bool paired = is_incumbent || (reference != nullptr && reference->works());
  if (block.opponent != (is_incumbent ? reference->key.config : "") || block.paired != paired ||
      block.confirmation != plan.remeasured) {
    used = blocks.size();  // the search takes another course than before: its old samples stay in the log
    return nullptr;
  }
  ++used;
  return &block;
}

const BlockRecord* DeviceCandidates::next_block(std::size_t point, const BlockPlan& plan) {
  if (const BlockRecord* known = known_block(point, plan)) return known;
  SweepPoint& measured = group_.points[point];
  const std::size_t before = context_.log.blocks(measured).size();
  if (before > 0 && !measurer_.has_time_for_block(measured)) return nullptr;
  const auto begin = Clock::now();
  BlockPlan numbered = plan;
  numbered.round = static_cast<int>(before);
  numbered.seed = measurer_.order_seed(numbered.round, measured);
  const bool taken = measurer_.measure_block(measured, numbered);
  cost_.measure_s += seconds_since(begin);
  const std::vector<BlockRecord>& after = context_.log.blocks(measured);
  used_[point] = after.size();
  return taken ? &after.back() : nullptr;
}

}  // namespace dwarfsweep
