#include "suite/record/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "harness/statistics/quantile.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/record/kernel_columns.hpp"
#include "suite/record/point_samples.hpp"
#include "suite/record/power_columns.hpp"
#include "suite/record/roofline.hpp"
#include "suite/record/sample_rows.hpp"
#include "suite/record/speedup_row.hpp"

namespace dwarfsweep {
namespace {

// What a point's samples say of all its kernels.
struct PointFacts {
  Number launches;  ///< runs of the case in a sample, of the last block
  Number kernels_ns, host_ns;
  KernelSamples wall;
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
  std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(again),
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
    const RunTime run_time = run_time_of(blocks, log_.run.schema);
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
    const PointFacts facts = find_facts(counted, run_time);
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
    add_speedup(row, point, samples);
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
    if (const auto wall = summarise(facts.wall.blocks)) {
      row.wall_ns = wall->median;
      if (log_.run.schema > 1) {
        row.wall_ci_low_ns = wall->ci_low;
        row.wall_ci_high_ns = wall->ci_high;
      }
    }
    if (log_.run.schema > 1) {
      row.kernels_ns = facts.kernels_ns;
      row.host_ns = facts.host_ns;
      if (const auto speedup = paired_speedup(facts.wall.pairs); speedup && row.speedup) {
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

  void add_speedup(MeasurementRow& row, const PointRecord& point, const KernelSamples& samples) {
    const PointRecord* const baseline = comparable_baseline(point);
    if (baseline == nullptr) return;
    const auto speedup = paired_speedup(samples.pairs);
    if (speedup) rows_.speedups.push_back(add_speedup_columns(row, *speedup, samples, baseline->key.config));
  }

  const RunLog& log_;
  const TakeSample& take_sample_;
  std::map<std::string, const PointRecord*> baselines_;
  RunRows rows_;
};

}  // namespace

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
