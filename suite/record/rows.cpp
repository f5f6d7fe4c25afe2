#include "suite/record/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "harness/quantile.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

Number unless_zero(double value) {
  return value == 0 ? Number() : Number(value);
}

// "within noise" -> "within_noise": a word in the files.
std::string verdict_word(Verdict verdict) {
  std::string word(to_string(verdict));
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

RowIdentity identify(const std::string& run_id, const PointKey& key) {
  RowIdentity row;
  row.run_id = run_id;
  row.device_id = key.device_id;
  row.dwarf = key.dwarf;
  row.size = key.size;
  row.problem = key.problem;
  const std::map<std::string_view, std::string RowIdentity::*> shared = {
      {"variant", &RowIdentity::variant},         {"work_group", &RowIdentity::work_group},
      {"granularity", &RowIdentity::granularity}, {"vector_width", &RowIdentity::vector_width},
      {"unroll", &RowIdentity::unroll},           {"padding", &RowIdentity::padding}};
  const Config config = Config::parse(key.config);
  ValueMap own;
  for (const auto& [name, value] : config.entries()) {
    if (const auto axis = shared.find(name); axis != shared.end()) {
      row.*axis->second = value.to_string();
    } else {
      own = own.with(name, value);
    }
  }
  row.options = own.to_string();
  return row;
}

std::string baseline_group(const PointKey& key) {
  return key.device_id + "|" + key.dwarf + "|" + key.size + "|" + key.problem;
}

// The facts of one kernel; for "total" the most demanding of all.
void add_facts(MeasurementRow& row, const std::vector<KernelFacts>& facts) {
  const auto most = [](Number& number, std::uint64_t value) {
    number = std::max(number.value_or(0), static_cast<double>(value));
  };
  for (const KernelFacts& fact : facts) {
    if (row.kernel != "total" && row.kernel != fact.name) continue;
    most(row.local_bytes, fact.local_bytes);
    most(row.private_bytes, fact.private_bytes);
    if (fact.registers == 0) continue;  // not every driver tells
    most(row.registers, fact.registers);
    most(row.spill_bytes, fact.spill_bytes);
  }
}

void add_work(MeasurementRow& row, const std::vector<Work>& work) {
  const auto found =
      std::find_if(work.begin(), work.end(), [&](const Work& w) { return w.kernel == row.kernel; });
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

struct Peaks {
  Number gb_per_s;         ///< the better of reading and copying
  Number cached_gb_per_s;  ///< the same within the last-level cache
  double cache_bytes = 0;
  std::map<double, double> reading;  ///< so many bytes again and again: GB/s
  Number gop_per_s;  ///< the best of floating point, whole numbers and logic: what counts as operation is the
                     ///< dwarf's
  Number launch_ns;  ///< of one launch in a queue of many where that was measured
};

Peaks find_peaks(const RunLog& log, const std::string& device_id) {
  Peaks peaks;
  const auto record = log.peaks.find(device_id);
  if (record == log.peaks.end()) return peaks;
  const auto best = [&](std::initializer_list<const char*> names) {
    Number number;
    for (const char* const name : names) {
      const auto value = record->second.values.find(name);
      if (value != record->second.values.end() && value->second > 0) {
        number = std::max(number.value_or(0), value->second);
      }
    }
    return number;
  };
  peaks.gb_per_s = best({"read_gb_per_s", "copy_gb_per_s", "triad_gb_per_s"});
  peaks.cached_gb_per_s = best({"cached_read_gb_per_s", "cached_copy_gb_per_s", "cached_triad_gb_per_s"});
  peaks.gop_per_s = best({"gflop_per_s", "gop_per_s", "logic_gop_per_s"});
  peaks.launch_ns = best({"pipelined_launch_ns"});
  if (!peaks.launch_ns) peaks.launch_ns = best({"launch_ns"});
  peaks.cache_bytes = best({"cache_bytes"}).value_or(0);
  for (const auto& [name, value] : record->second.values) {
    unsigned kib = 0;
    if (std::sscanf(name.c_str(), "read_%u_kib", &kib) == 1) peaks.reading[kib * 1024.0] = value;
  }
  return peaks;
}

// The best that was seen with data of that size or more, which the caches serve when they are hot.
double bandwidth(const Peaks& peaks, double bytes, bool hot) {
  double gb_per_s = *peaks.gb_per_s;
  if (!hot) return gb_per_s;
  if (bytes <= peaks.cache_bytes) gb_per_s = std::max(gb_per_s, peaks.cached_gb_per_s.value_or(0));
  for (auto each = peaks.reading.lower_bound(bytes); each != peaks.reading.end(); ++each) {
    gb_per_s = std::max(gb_per_s, each->second);
  }
  return gb_per_s;
}

// The roofline: what the point would take if memory, arithmetic or launching alone were to be waited for.
void add_bound(MeasurementRow& row, const Peaks& peaks, double events_per_launch) {
  if (!peaks.gb_per_s || !row.median_ns) return;
  // Half a roofline would call everything bound by memory.
  if (!peaks.gop_per_s && row.operations.value_or(0) > 0) return;
  const double bytes = row.bytes.value_or(0);
  const double memory_ns = bytes / bandwidth(peaks, bytes, row.cache == "hot");
  const double compute_ns = peaks.gop_per_s ? row.operations.value_or(0) / *peaks.gop_per_s : 0;
  const double launch_ns = events_per_launch * peaks.launch_ns.value_or(0);
  const double work_ns = std::max(memory_ns, compute_ns);
  if (work_ns <= 0) return;
  row.peak_fraction = work_ns / *row.median_ns;
  row.bound = launch_ns > work_ns ? "launch" : memory_ns >= compute_ns ? "memory" : "compute";
}

void add_times(MeasurementRow& row, const KernelSamples& samples) {
  if (samples.dropped > 0) {
    row.reason += fmt::format("{}{} of {} samples dropped: {}", row.reason.empty() ? "" : "; ",
                              samples.dropped, samples.taken, samples.first_drop);
  }
  const auto summary = summarise(samples.blocks);
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

// What a point's samples have in common, whatever the kernel.
struct PointFacts {
  Number launches;  ///< runs of the case in a sample, of the last block
  Number wall_ns;
  std::map<std::string, double> events_per_launch;
};

PointFacts find_facts(const std::vector<BlockRecord>& blocks) {
  PointFacts facts;
  std::vector<double> walls;
  for (const BlockRecord& block : blocks) {
    for (const BlockSample& taken : block.samples) {
      if (taken.role != PairRole::variant || !taken.sample.fault.empty()) continue;
      const auto launches = static_cast<double>(taken.sample.launches);
      facts.launches = launches;
      walls.push_back(taken.sample.wall_ns);
      for (const KernelTime& time : taken.sample.kernels) {
        facts.events_per_launch[time.kernel] = static_cast<double>(time.events) / launches;
      }
    }
  }
  if (!walls.empty()) facts.wall_ns = median(walls);
  return facts;
}

std::vector<BlockRecord> confirmations(const std::vector<BlockRecord>& blocks) {
  std::vector<BlockRecord> again;
  std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(again),
               [](const BlockRecord& block) { return block.confirmation; });
  return again;
}

class RowMaker {
 public:
  explicit RowMaker(const RunLog& log) : log_(log) {
    for (const auto& [text, point] : log.points) {
      if (point.baseline) baselines_[baseline_group(point.key)] = &point;
    }
  }

  RunRows make() {
    for (const PointKey& key : log_.order) add_point(log_.points.at(key.text()));
    return std::move(rows_);
  }

 private:
  void add_point(const PointRecord& point) {
    static const std::vector<BlockRecord> none;
    const auto found = log_.blocks.find(point.key.text());
    const std::vector<BlockRecord>& blocks = found == log_.blocks.end() ? none : found->second;
    add_samples(point, blocks);

    MeasurementRow common = common_columns(point);
    common.reason = point.preparation.reason;
    if (point.preparation.status != Status::ok) {
      common.kernel = "total";
      rows_.measurements.push_back(common);
      return;
    }
    const std::vector<BlockRecord> again = confirmations(blocks);
    if (!again.empty()) common.stop_reason = confirmed;
    const std::vector<BlockRecord>& counted = again.empty() ? blocks : again;
    std::vector<KernelSamples> kernels = collect_samples(counted);
    if (kernels.empty()) {
      kernels.emplace_back().kernel = "total";
      common.reason = "no samples were taken";
    }
    const PointFacts facts = find_facts(counted);
    for (const KernelSamples& samples : kernels) add_kernel(common, point, facts, samples);
  }

  MeasurementRow common_columns(const PointRecord& point) const {
    MeasurementRow row;
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
    add_times(row, samples);
    add_work(row, point.preparation.work);
    add_facts(row, point.preparation.facts);
    const auto events = facts.events_per_launch.find(row.kernel);
    add_bound(row, find_peaks(log_, row.device_id),
              events == facts.events_per_launch.end() ? 0 : events->second);
    if (row.kernel == "total") add_whole_point(row, point, facts);
    add_speedup(row, point, samples);
    rows_.measurements.push_back(std::move(row));
  }

  static void add_whole_point(MeasurementRow& row, const PointRecord& point, const PointFacts& facts) {
    row.wall_ns = facts.wall_ns;
    row.upload_ns = unless_zero(static_cast<double>(point.preparation.upload_ns));
    row.download_ns = unless_zero(static_cast<double>(point.preparation.download_ns));
    row.build_ns = unless_zero(static_cast<double>(point.preparation.build_ns));
    row.max_error = point.preparation.check.max_error;
    row.tolerance = point.preparation.check.tolerance;
  }

  // The baseline that a point may be compared with: it is right, and timed by the same kind of clock.
  const PointRecord* comparable_baseline(const PointRecord& point) const {
    const auto found = baselines_.find(baseline_group(point.key));
    if (found == baselines_.end()) return nullptr;
    const PointRecord& baseline = *found->second;
    return baseline.preparation.status == Status::ok && baseline.timer == point.timer ? &baseline : nullptr;
  }

  void add_speedup(MeasurementRow& row, const PointRecord& point, const KernelSamples& samples) {
    const PointRecord* const baseline = comparable_baseline(point);
    if (baseline == nullptr) return;
    const auto speedup = paired_speedup(samples.pairs);
    if (!speedup) return;
    row.speedup = speedup->ratio;
    row.speedup_low = speedup->low;
    row.speedup_high = speedup->high;
    row.verdict = verdict_word(speedup->verdict);

    SpeedupRow paired;
    static_cast<RowIdentity&>(paired) = row;
    paired.speedup = row.speedup;
    paired.speedup_low = row.speedup_low;
    paired.speedup_high = row.speedup_high;
    paired.verdict = row.verdict;
    paired.pairs = static_cast<std::int64_t>(samples.pair_count());
    paired.baseline_config = baseline->key.config;
    std::vector<double> baseline_ns;
    std::vector<double> variant_ns;
    for (const auto& block : samples.pairs) {
      paired.blocks += block.empty() ? 0 : 1;
      for (const SamplePair& pair : block) {
        baseline_ns.push_back(pair.baseline_ns);
        variant_ns.push_back(pair.variant_ns);
      }
    }
    paired.baseline_median_ns = median(baseline_ns);
    paired.variant_median_ns = median(variant_ns);
    rows_.speedups.push_back(std::move(paired));
  }

  void add_samples(const PointRecord& point, const std::vector<BlockRecord>& blocks) {
    SampleRow row;
    static_cast<RowIdentity&>(row) = identify(log_.run.run_id, point.key);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      row.round = blocks[i].round;
      row.block = static_cast<std::int64_t>(i);
      row.confirmation = blocks[i].confirmation;
      row.process = blocks[i].process;
      for (const BlockSample& taken : blocks[i].samples) add_sample(row, taken);
    }
  }

  void add_sample(SampleRow& row, const BlockSample& taken) {
    row.pair = taken.pair;
    row.order = taken.order;
    row.role = taken.role == PairRole::baseline ? "baseline" : "variant";
    row.launches = taken.sample.launches;
    row.host_begin_ns = taken.sample.host_begin_ns;
    row.host_end_ns = taken.sample.host_end_ns;
    row.wall_ns = taken.sample.wall_ns;
    for (const KernelTime& time : taken.sample.kernels) {
      row.kernel = time.kernel;
      row.events = time.events;
      row.ns = time.ns;
      row.queued_ns = time.queued_ns;
      row.submit_ns = time.submit_ns;
      row.start_ns = time.start_ns;
      row.end_ns = time.end_ns;
      row.fault = why_dropped(taken.sample, time);
      rows_.samples.push_back(row);
    }
  }

  const RunLog& log_;
  std::map<std::string, const PointRecord*> baselines_;
  RunRows rows_;
};

}  // namespace

RunRows make_rows(const RunLog& log) {
  return RowMaker(log).make();
}

}  // namespace dwarfsweep
