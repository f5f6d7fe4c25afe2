#include "suite/record/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "harness/statistics/statistics.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

// Of each of `shared_axes`; the other axes are in `options`.
constexpr std::array<std::string RowIdentity::*, shared_axes.size()> cells = {
    &RowIdentity::variant,      &RowIdentity::work_group, &RowIdentity::granularity,
    &RowIdentity::vector_width, &RowIdentity::unroll,     &RowIdentity::padding};

// --- rows of samples.csv ---

void add_sample(const TakeSample& take_row, SampleRow& row, const BlockSample& taken, RunTime run_time) {
  row.pair = taken.pair;
  row.order = taken.order;
  row.role = to_string(taken.role);
  row.launches = taken.sample.launches;
  row.host_begin_ns = taken.sample.host_begin_ns;
  row.host_end_ns = taken.sample.host_end_ns;
  row.wall_ns = taken.sample.wall_ns;
  for (const KernelTime& time : taken.sample.kernels) {
    row.kernel = time.kernel;
    row.events = time.events;
    const double ns = time_in(taken.sample, time, run_time);
    row.ns = ns;
    row.queued_ns = time.queued_ns;
    row.submit_ns = time.submit_ns;
    row.start_ns = time.start_ns;
    row.end_ns = time.end_ns;
    row.fault = why_dropped(taken.sample, ns);
    if (time.kernel == "total" && run_time != RunTime::kernels) {
      row.kernels_ns = kernels_ns(taken.sample);
      row.span_ns = unless_zero(taken.sample.span_ns);
      row.host_ns = unless_zero(taken.sample.host_ns);
    }
    take_row(row);
    row.kernels_ns = row.span_ns = row.host_ns = std::nullopt;
  }
}

// A row for each kernel of each sample of the point: of the point itself and of the baseline paired with it.
void add_sample_rows(const TakeSample& take_row, const std::string& run_id, const PointRecord& point,
                     const std::vector<BlockRecord>& blocks, RunTime run_time) {
  SampleRow row;
  static_cast<RowIdentity&>(row) = identify(run_id, point.key);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    row.round = blocks[i].round;
    row.block = static_cast<std::int64_t>(i);
    row.confirmation = blocks[i].confirmation;
    row.process = blocks[i].process;
    for (const BlockSample& taken : blocks[i].samples) add_sample(take_row, row, taken, run_time);
  }
}

// --- columns of measurements.csv ---

// From `samples` to `ci_high_ns`; `reason` where samples were dropped.
void add_times(MeasurementRow& row, const KernelSamples& samples) {
  if (samples.dropped > 0) {
    row.reason += fmt::format("{}{} of {} samples dropped: {}", row.reason.empty() ? "" : "; ",
                              samples.dropped, samples.taken, samples.first_drop);
  }
  const auto summary = summary_of(samples);
  if (!summary) return;
  row.samples = static_cast<double>(summary->count);
  row.min_ns = summary->min;
  row.q1_ns = summary->q1;
  row.median_ns = summary->median;
  row.q3_ns = summary->q3;
  row.mean_ns = summary->mean;
  row.stddev_ns = summary->stddev;
  row.ci_low_ns = summary->ci_low;
  row.ci_high_ns = summary->ci_high;
}

// From `bytes` to `items_per_s`: the work of the row's kernel, after its times.
void add_work(MeasurementRow& row, const std::vector<Work>& work) {
  const auto found = std::ranges::find(work, row.kernel, &Work::kernel);
  if (found == work.end()) return;
  row.bytes = unless_zero(found->bytes);
  row.operations = unless_zero(found->operations);
  row.items = unless_zero(found->items);
  const auto rate = [&](const Number& amount, double scale) {
    return amount && row.median_ns ? Number(*amount / *row.median_ns * scale) : Number();
  };
  row.gb_per_s = rate(row.bytes, 1);
  row.gop_per_s = rate(row.operations, 1);
  row.items_per_s = rate(row.items, 1e9);
}

// What the compiler reports of the row's kernel; for "total" the maximum of all kernels.
void add_facts(MeasurementRow& row, const std::vector<KernelFacts>& facts) {
  const auto raise = [](Number& number, std::uint64_t value) {
    number = std::max(number.value_or(0), static_cast<double>(value));
  };
  for (const KernelFacts& fact : facts) {
    if (row.kernel != "total" && row.kernel != fact.name) continue;
    raise(row.local_bytes, fact.local_bytes);
    raise(row.private_bytes, fact.private_bytes);
    if (fact.registers == 0) continue;  // not every driver reports registers
    raise(row.registers, fact.registers);
    raise(row.spill_bytes, fact.spill_bytes);
  }
}

// `blocks`: those that the row is made from. One throttled block is enough for `throttled`.
void add_power_columns(MeasurementRow& row, const RunLog& log, const PointKey& key,
                       const std::vector<BlockRecord>& blocks) {
  if (const auto energy = log.energies.find(key.text()); energy != log.energies.end())
    row.energy_j = energy->second.joules / energy->second.runs;
  double sum_mhz = 0;
  int clocks = 0;
  for (const BlockRecord& block : blocks) {
    if (block.clock.mhz) {
      sum_mhz += *block.clock.mhz;
      ++clocks;
    }
    if (!block.clock.throttle_reasons) continue;
    const bool throttled = !block.clock.throttle_reasons->empty();
    if (throttled || row.throttled.empty()) row.throttled = throttled ? "true" : "false";
  }
  if (clocks > 0) row.clock_mhz = sum_mhz / clocks;
}

// "within noise" -> "within_noise", as in the files.
std::string verdict_text(Verdict verdict) {
  std::string text(to_string(verdict));
  std::ranges::replace(text, ' ', '_');
  return text;
}

// What a point was paired with in place of the baseline, and that one's samples with the baseline.
struct AnchorLink {
  std::string config;
  std::vector<KernelSamples> kernels;
  KernelSamples wall;

  [[nodiscard]] const KernelSamples* find(const std::string& kernel) const {
    const auto found = std::ranges::find(kernels, kernel, &KernelSamples::kernel);
    return found == kernels.end() ? nullptr : &*found;
  }
};

std::vector<double> times_of(const std::vector<std::vector<SamplePair>>& blocks, double SamplePair::*side) {
  std::vector<double> times;
  for (const auto& block : blocks) {
    for (const SamplePair& pair : block) times.push_back(pair.*side);
  }
  return times;
}

// Sets `speedup` to `verdict` of the row. Returns the row of speedups.csv, with the medians of the pairs. The
// anchor's samples are those from which `speedup` was computed; none if the point is paired with the
// baseline.
SpeedupRow add_speedup_columns(MeasurementRow& row, const Speedup& speedup, const KernelSamples& samples,
                               const std::string& anchor_config, const KernelSamples* anchor,
                               const std::string& baseline_config) {
  const bool joined = is_paired_with_other(samples);
  const auto& pairs = joined ? samples.other_pairs : samples.pairs;
  row.speedup = speedup.ratio;
  row.speedup_low = speedup.low;
  row.speedup_high = speedup.high;
  row.verdict = verdict_text(speedup.verdict);
  row.reference = joined ? anchor_config : by_baseline;

  SpeedupRow paired;
  static_cast<RowIdentity&>(paired) = row;
  paired.speedup = row.speedup;
  paired.speedup_low = row.speedup_low;
  paired.speedup_high = row.speedup_high;
  paired.verdict = row.verdict;
  paired.reference = row.reference;
  paired.baseline_config = baseline_config;
  for (const auto& block : pairs) {
    paired.blocks += block.empty() ? 0 : 1;
    paired.pairs += static_cast<std::int64_t>(block.size());
  }
  paired.baseline_median_ns = median(times_of(joined ? anchor->pairs : pairs, &SamplePair::baseline_ns));
  paired.variant_median_ns = median(times_of(pairs, &SamplePair::variant_ns));
  return paired;
}

// --- points ---

// What a point's samples say of all its kernels.
struct PointFacts {
  Number launches;  ///< runs of the case in a sample, of the last block
  Number kernels_ns, host_ns;
  KernelSamples wall;
  AnchorLink link;
  RunTime run_time = RunTime::span;
  std::map<std::string, double> events_per_launch;
};

PointFacts find_facts(const std::vector<BlockRecord>& blocks, RunTime run_time) {
  PointFacts facts;
  facts.run_time = run_time;
  facts.wall = collect_wall_times(blocks);
  std::vector<double> kernels;
  std::vector<double> host;
  for (const BlockRecord& block : blocks) {
    for (const BlockSample& taken : block.samples) {
      if (taken.role != PairRole::variant || !taken.sample.fault.empty()) continue;
      const auto launches = static_cast<double>(taken.sample.launches);
      facts.launches = launches;
      if (const auto ns = kernels_ns(taken.sample)) kernels.push_back(*ns);
      host.push_back(taken.sample.host_ns);
      for (const KernelTime& time : taken.sample.kernels) {
        facts.events_per_launch[time.kernel] = static_cast<double>(time.events) / launches;
      }
    }
  }
  if (!kernels.empty()) facts.kernels_ns = median(kernels);
  if (!host.empty()) facts.host_ns = unless_zero(median(host));
  return facts;
}

std::vector<BlockRecord> remeasurements(const std::vector<BlockRecord>& blocks) {
  std::vector<BlockRecord> again;
  std::ranges::copy_if(blocks, std::back_inserter(again),
                       [](const BlockRecord& block) { return block.confirmation && block.opponent.empty(); });
  return again;
}

class RowMaker {
 public:
  RowMaker(const RunLog& log, const TakeSample& take_sample) : log_(log), take_sample_(take_sample) {
    for (const auto& [text, point] : log.points) {
      if (point.baseline) baselines_[point.key.group()] = &point;
    }
  }

  RunRows make() {
    for (const PointKey& key : points_by_group(log_)) add_point(log_.points.at(key.text()));
    return std::move(rows_);
  }

 private:
  void add_point(const PointRecord& point) {
    static const std::vector<BlockRecord> none;
    const auto found = log_.blocks.find(point.key.text());
    const std::vector<BlockRecord>& blocks = found == log_.blocks.end() ? none : found->second;
    const std::vector<BlockRecord> anchor_blocks = blocks_of_anchor(point, blocks);
    const RunTime run_time =
        common_run_time(run_time_of(blocks, log_.run.schema), run_time_of(anchor_blocks, log_.run.schema));
    add_sample_rows(take_sample_, log_.run.run_id, point, blocks, run_time);

    MeasurementRow common = common_columns(point);
    common.reason = point.preparation.reason;
    if (point.preparation.status != Status::ok) {
      common.kernel = "total";
      rows_.measurements.push_back(common);
      return;
    }
    const std::vector<BlockRecord> again = remeasurements(blocks);
    if (!again.empty()) common.stop_reason = confirmed;
    const std::vector<BlockRecord>& counted = again.empty() ? blocks : again;
    std::vector<KernelSamples> kernels = collect_samples(counted, run_time);
    if (kernels.empty()) {
      kernels.emplace_back().kernel = "total";
      common.reason = "no samples were taken";
    }
    PointFacts facts = find_facts(counted, run_time);
    if (!anchor_blocks.empty())
      facts.link = {anchor_blocks.front().key.config, collect_samples(anchor_blocks, run_time),
                    collect_wall_times(anchor_blocks)};
    for (const KernelSamples& samples : kernels) add_kernel(common, point, facts, samples);
    add_power_columns(rows_.measurements.back(), log_, point.key, counted);  // "total" is the last
  }

  MeasurementRow common_columns(const PointRecord& point) const {
    MeasurementRow row;
    row.schema_version = log_.run.schema;
    static_cast<RowIdentity&>(row) = identify(log_.run.run_id, point.key);
    row.timestamp = point.timestamp;
    row.host = log_.run.host.name;
    if (const auto device = log_.devices.find(point.key.device_id); device != log_.devices.end()) {
      row.platform = device->second.info.platform;
      row.device = device->second.info.name;
      row.device_type = device->second.info.type;
      row.driver = device->second.info.driver;
    }
    if (!point.driver.empty()) row.driver = point.driver;
    row.baseline = point.baseline;
    row.status = to_string(point.preparation.status);
    if (const auto end = log_.ends.find(point.key.text()); end != log_.ends.end()) {
      row.stop_reason = end->second.stop_reason;
    } else if (point.preparation.status == Status::ok) {
      row.stop_reason = "interrupted";
    }
    row.timer = point.timer;
    row.cache = point.cache;
    return row;
  }

  void add_kernel(const MeasurementRow& common, const PointRecord& point, const PointFacts& facts,
                  const KernelSamples& samples) {
    MeasurementRow row = common;
    row.kernel = samples.kernel;
    row.launches = facts.launches;
    if (row.kernel == "total") say_clock(row, point, facts);
    add_times(row, samples);
    add_work(row, point.preparation.work);
    add_facts(row, point.preparation.facts);
    const auto events = facts.events_per_launch.find(row.kernel);
    add_bound(row, log_, events == facts.events_per_launch.end() ? 0 : events->second);
    add_speedup(row, point, facts.link, samples);
    if (row.kernel == "total") add_whole_point(row, point, facts);
    rows_.measurements.push_back(std::move(row));
  }

  // Where the kernels' times are the device's, but those of whole runs are not.
  void say_clock(MeasurementRow& row, const PointRecord& point, const PointFacts& facts) const {
    if (facts.run_time != RunTime::wall || point.timer != "device") return;
    row.timer = "host";
    std::string why = "it or its baseline has no time from its first command to its last";
    if (const auto device = log_.devices.find(point.key.device_id);
        device != log_.devices.end() && !device->second.timer.span_reason.empty()) {
      why = device->second.timer.span_reason;
    }
    row.reason +=
        fmt::format("{}whole runs timed by the host's clock: {}", row.reason.empty() ? "" : "; ", why);
  }

  void add_whole_point(MeasurementRow& row, const PointRecord& point, const PointFacts& facts) const {
    if (const auto wall = summary_of(facts.wall)) {
      row.wall_ns = wall->median;
      if (log_.run.schema > 1) {
        row.wall_ci_low_ns = wall->ci_low;
        row.wall_ci_high_ns = wall->ci_high;
      }
    }
    if (log_.run.schema > 1) {
      row.kernels_ns = facts.kernels_ns;
      row.host_ns = facts.host_ns;
      if (const auto speedup = speedup_over_baseline(facts.wall, &facts.link.wall); speedup && row.speedup) {
        row.wall_speedup = speedup->ratio;
        row.wall_speedup_low = speedup->low;
        row.wall_speedup_high = speedup->high;
      }
    }
    row.upload_ns = unless_zero(static_cast<double>(point.preparation.upload_ns));
    row.download_ns = unless_zero(static_cast<double>(point.preparation.download_ns));
    row.build_ns = unless_zero(static_cast<double>(point.preparation.build_ns));
    row.program_id = point.preparation.program_id;
    row.max_error = point.preparation.check.max_error;
    row.tolerance = point.preparation.check.tolerance;
  }

  // The baseline that a point may be compared with: its result is correct, and both are timed by the same
  // clock.
  const PointRecord* comparable_baseline(const PointRecord& point) const {
    const auto found = baselines_.find(point.key.group());
    if (found == baselines_.end()) return nullptr;
    const PointRecord& baseline = *found->second;
    return baseline.preparation.status == Status::ok && baseline.timer == point.timer ? &baseline : nullptr;
  }

  // The blocks of the anchor that the point was paired with, as far as they are with the baseline; none if it
  // had no anchor, or that one is not comparable.
  std::vector<BlockRecord> blocks_of_anchor(const PointRecord& point,
                                            const std::vector<BlockRecord>& blocks) const {
    const auto paired =
        std::ranges::find_if(blocks, [](const BlockRecord& block) { return !block.opponent.empty(); });
    std::vector<BlockRecord> of_anchor;
    if (paired == blocks.end()) return of_anchor;
    PointKey key = point.key;
    key.config = paired->opponent;
    const auto anchor = log_.points.find(key.text());
    // An incumbent of a search is no anchor: it was selected by its samples.
    if (!log_.anchors.contains(key.text()) || anchor == log_.points.end() ||
        anchor->second.preparation.status != Status::ok || anchor->second.timer != point.timer)
      return of_anchor;
    if (const auto found = log_.blocks.find(key.text()); found != log_.blocks.end())
      std::ranges::copy_if(found->second, std::back_inserter(of_anchor),
                           [](const BlockRecord& block) { return block.opponent.empty() && block.paired; });
    return of_anchor;
  }

  void add_speedup(MeasurementRow& row, const PointRecord& point, const AnchorLink& link,
                   const KernelSamples& samples) {
    const PointRecord* const baseline = comparable_baseline(point);
    if (baseline == nullptr) return;
    const KernelSamples* const anchor = link.find(row.kernel);
    if (const auto speedup = speedup_over_baseline(samples, anchor))
      rows_.speedups.push_back(
          add_speedup_columns(row, *speedup, samples, link.config, anchor, baseline->key.config));
  }

  const RunLog& log_;
  const TakeSample& take_sample_;
  std::map<std::string, const PointRecord*> baselines_;
  RunRows rows_;
};

}  // namespace

RowIdentity identify(const std::string& run_id, const PointKey& key) {
  RowIdentity row;
  row.run_id = run_id;
  row.device_id = key.device_id;
  row.dwarf = key.dwarf;
  row.size = key.size;
  row.problem = key.problem;
  const Config config = Config::parse(key.config);
  ValueMap own;
  for (const auto& [name, value] : config.entries()) {
    const auto axis = std::ranges::find(shared_axes, name);
    if (axis != shared_axes.end()) {
      row.*cells[static_cast<std::size_t>(axis - shared_axes.begin())] = value.to_string();
    } else {
      own = own.with(name, value);
    }
  }
  row.options = own.to_string();
  return row;
}

std::string config_text(const RowIdentity& row) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string& value = row.*cells[i];
    if (!value.empty()) text += fmt::format("{}{}={}", text.empty() ? "" : ";", shared_axes[i], value);
  }
  if (!row.options.empty()) text += (text.empty() ? "" : ";") + row.options;
  return text;
}

Number unless_zero(double value) {
  return value == 0 ? Number() : Number(value);
}

RunRows make_rows(const RunLog& log, const TakeSample& take_sample) {
  RunRows rows;
  const auto append = [](auto& all, auto&& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  for (const RunLog* part : parts_of(log)) {
    RunRows more = RowMaker(*part, take_sample).make();
    append(rows.measurements, more.measurements);
    append(rows.speedups, more.speedups);
  }
  return rows;
}

RunRows make_rows(const RunLog& log) {
  std::vector<SampleRow> samples;
  RunRows rows = make_rows(log, [&](const SampleRow& row) { samples.push_back(row); });
  rows.samples = std::move(samples);
  return rows;
}

}  // namespace dwarfsweep
