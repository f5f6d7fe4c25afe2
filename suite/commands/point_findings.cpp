#include "suite/commands/point_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/statistics/random.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/engine/block_loop.hpp"
#include "suite/engine/measurer.hpp"
#include "suite/record/json.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

std::string human_ns(double ns) {
  if (ns < 1e3) return fmt::format("{:.1f} ns", ns);
  if (ns < 1e6) return fmt::format("{:.2f} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.3f} ms", ns / 1e6);
  return fmt::format("{:.3f} s", ns / 1e9);
}

const Work* work_of(const Preparation& preparation, const std::string& kernel) {
  for (const Work& work : preparation.work) {
    if (work.kernel == kernel) return &work;
  }
  return nullptr;
}

void print_kernel(const PointFindings& findings, const KernelSamples& kernel, bool is_baseline) {
  const auto summary = summary_of(kernel);
  if (!summary) return;
  const bool has_interval = std::isfinite(summary->ci_high);
  std::string line = fmt::format("  {:<12} {:>12}", kernel.kernel, human_ns(summary->median));
  line += has_interval ? fmt::format("  [{}, {}]", human_ns(summary->ci_low), human_ns(summary->ci_high))
                       : "  [no interval]";
  if (const Work* work = work_of(findings.preparation, kernel.kernel)) {
    line += fmt::format("  {:.2f} GB/s  {:.2f} Gop/s", work->bytes / summary->median,
                        work->operations / summary->median);
  }
  if (const auto speedup = speedup_of(kernel); speedup && !is_baseline) {
    line += fmt::format("  {:.3f}x", speedup->ratio);
    if (has_interval)
      line += fmt::format(" [{:.3f}, {:.3f}] {}", speedup->low, speedup->high, to_string(speedup->verdict));
  }
  fmt::print("{}\n", line);
}

std::string reference_of(const PointFindings& findings) {
  return findings.reference.empty() ? "the baseline" : findings.reference;
}

// Until the interval is narrow enough or the budget is spent: of the ratio of a pair of kernel folders, else
// of the point's time.
void measure_until_known(SweepContext& context, Measurer& measurer, SweepPoint& point,
                         SweepPoint* reference) {
  const Options& options = context.options;
  const auto deadline =
      options.budget.count() == 0 ? Clock::time_point::max() : Clock::now() + options.budget;
  const IntervalOf interval = options.against.empty() ? IntervalOf::time : IntervalOf::speedup;
  const auto enough =
      first_of({after_rounds(options.quality.rounds), at_deadline(deadline),
                when_converged([&] { return context.log.blocks(point); }, options.quality, interval)});
  measure_blocks_of_one(enough, [&](int round) {
    point.spent = std::chrono::milliseconds(0);  // the limit of a point is here that of each request
    return measurer.measure_block(point,
                                  {.round = round,
                                   .pairs = options.quality.pairs,
                                   .seed = seed_of_part(options.seed, static_cast<std::uint64_t>(round)),
                                   .reference = reference});
  });
  measurer.verify_last_outputs();
}

void take_from(const SweepLog& log, const SweepPoint& point, PointFindings& findings) {
  findings.preparation = log.find(point)->preparation;
  findings.blocks = log.blocks(point);
  findings.paired = !findings.blocks.empty() && findings.blocks.back().paired;
}

}  // namespace

PointFindings measure_point(const Options& options, DeviceClient& client, SweepGroup& group,
                            SweepPoint& point) {
  SweepContext context(options);
  Measurer measurer(context, client, group);
  SweepPoint* reference = group.reference();
  point.note.clear();
  PointFindings findings;
  measurer.prepare(point);
  if (point.works()) {
    // The baseline may fail where the point does not: then the point stands alone.
    if (reference != nullptr && reference->rejected) reference = nullptr;
    if (reference != nullptr && reference != &point) measurer.prepare(*reference);
    measure_until_known(context, measurer, point, reference);
  }
  take_from(context.log, point, findings);
  findings.note = point.note;
  return findings;
}

PointFindings measure_against(const Options& options, DeviceClient& client, const SweepGroup& group,
                              const SweepPoint& point) {
  const auto kernels_of = [](const std::string& folder) {
    return folder.empty() ? "the kernels of the program" : fmt::format("the kernels of '{}'", folder);
  };
  PointRequest edited = point.request;
  edited.kernels = options.against;
  PointKey own_key = point.key;
  own_key.device_id += "@own";
  SweepGroup pair{group.device, group.dwarf, {}};
  pair.points.push_back({.request = point.request, .key = own_key, .baseline = true});
  pair.points.push_back({.request = edited, .key = point.key});
  SweepContext context(options);
  Measurer measurer(context, client, pair);
  PointFindings findings;
  findings.reference = kernels_of(options.kernels);
  const auto has_failed = [&](const SweepPoint& each) {
    if (each.works()) return false;
    take_from(context.log, each, findings);
    findings.at_fault = (each.baseline ? findings.reference : kernels_of(options.against)) + ": ";
    return true;
  };
  for (SweepPoint& each : pair.points) {
    measurer.prepare(each);
    if (has_failed(each)) return findings;
  }
  measure_until_known(context, measurer, pair.points[1], &pair.points[0]);
  measurer.release(pair.points[0]);
  for (const SweepPoint& each : pair.points) {
    if (has_failed(each)) return findings;
  }
  take_from(context.log, pair.points[1], findings);
  if (findings.preparation.program_id == context.log.find(pair.points[0])->preparation.program_id)
    findings.note = fmt::format("{} and {} are one program here: what differs is noise",
                                kernels_of(options.against), findings.reference);
  return findings;
}

void print_findings(const SweepGroup& group, const SweepPoint& point, const PointFindings& findings,
                    const TimerReport& timer) {
  const Preparation& preparation = findings.preparation;
  fmt::print("device   {} ({}, driver {})\n", group.device.name, group.device.platform, group.device.driver);
  fmt::print("timer    {}\n", timer.timer == Timer::host ? "host: " + timer.reason
                              : timer.spans
                                  ? "device (profiling events)"
                                  : "device for kernels, host for whole runs: " + timer.span_reason);
  fmt::print("problem  {} {} ({})\n", point.key.dwarf, point.key.problem, point.key.size);
  fmt::print("point    {}\n", point.key.config);
  if (group.known) fmt::print("known    {}\n", group.known->origin);
  if (!preparation.paths.empty()) fmt::print("paths    {}\n", fmt::join(preparation.paths, "; "));
  fmt::print("result   correct: error {:.3g}, tolerance {:.3g}\n", preparation.check.max_error,
             preparation.check.tolerance);
  fmt::print("build    {}, upload {}, download {}\n", human_ns(static_cast<double>(preparation.build_ns)),
             human_ns(static_cast<double>(preparation.upload_ns)),
             human_ns(static_cast<double>(preparation.download_ns)));
  const auto kernels = collect_samples(findings.blocks);
  const bool alone = point.baseline && findings.reference.empty();
  if (!findings.note.empty()) fmt::print("note     {}\n", findings.note);
  fmt::print("times    median and 95 % interval of {} samples in {} measurement block{}{}\n",
             kernels.empty() ? 0 : kernels.back().taken, findings.blocks.size(),
             findings.blocks.size() == 1 ? "" : "s",
             alone             ? ""
             : findings.paired ? "; speedup over " + reference_of(findings)
                               : "; the baseline does not run here");
  for (const KernelSamples& kernel : kernels) print_kernel(findings, kernel, alone);
  print_kernel(findings, collect_wall_times(findings.blocks), alone);
}

void print_findings_as_json(const SweepGroup& group, const SweepPoint& point, const PointFindings& findings) {
  Json json = {{"key", point.key}, {"preparation", findings.preparation}, {"visits", findings.blocks}};
  if (findings.paired) {
    json["reference"] = reference_of(findings);
    for (const KernelSamples& kernel : collect_samples(findings.blocks)) {
      if (const auto speedup = speedup_of(kernel))
        json["speedups"].push_back({{"kernel", kernel.kernel},
                                    {"speedup", speedup->ratio},
                                    {"speedup_low", speedup->low},
                                    {"speedup_high", speedup->high},
                                    {"verdict", to_string(speedup->verdict)}});
    }
  }
  if (!findings.note.empty()) json["note"] = findings.note;
  if (group.known) json["known_point"] = *group.known;
  fmt::print("{}\n", json_text(json, 2));
}

}  // namespace dwarfsweep
