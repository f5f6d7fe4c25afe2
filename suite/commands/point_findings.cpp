#include "suite/commands/point_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "harness/statistics/random.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/engine/convergence.hpp"
#include "suite/record/point_samples.hpp"

namespace dwarfsweep {
namespace {

using Clock = std::chrono::steady_clock;

// The baseline may fail where the point does not: then the point stands alone.
bool baseline_works(DeviceClient& client, const SweepPoint& baseline, std::chrono::milliseconds limit) {
  if (!baseline.rejected.empty()) return false;
  try {
    (void)client.ask(PreparePoint{baseline.request}, limit);
    return true;
  } catch (const PointFailure&) {
  } catch (const WorkerCrash&) {
  } catch (const WorkerTimeout&) {
  }
  return false;
}

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
  const auto summary = summarise(kernel.blocks);
  if (!summary) return;
  std::string line = fmt::format("  {:<12} {:>12}  [{}, {}]", kernel.kernel, human_ns(summary->median),
                                 human_ns(summary->ci_low), human_ns(summary->ci_high));
  if (const Work* work = work_of(findings.preparation, kernel.kernel)) {
    line += fmt::format("  {:.2f} GB/s  {:.2f} Gop/s", work->bytes / summary->median,
                        work->operations / summary->median);
  }
  if (const auto speedup = paired_speedup(kernel.pairs); speedup && !is_baseline) {
    line += fmt::format("  {:.3f}x [{:.3f}, {:.3f}] {}", speedup->ratio, speedup->low, speedup->high,
                        to_string(speedup->verdict));
  }
  fmt::print("{}\n", line);
}

std::string reference_of(const PointFindings& findings) {
  return findings.reference.empty() ? "the baseline" : findings.reference;
}

Preparation prepare(DeviceClient& client, const Options& options, const SweepPoint& point) {
  return client.ask(PreparePoint{point.request}, options.point_timeout);
}

// Verifies the output of the point's last sample.
void finish(DeviceClient& client, const Options& options, const SweepPoint& point) {
  (void)client.ask(FinishPoint{point.request}, options.point_timeout);
}

// A pair of kernel folders is asked about for its ratio, a point for its time.
bool is_known(const PointFindings& findings, const Options& options) {
  return options.against.empty() ? time_converged(findings.blocks, options.quality)
                                 : converged(findings.blocks, options.quality);
}

void measure_rounds(DeviceClient& client, const Options& options, const SweepPoint& baseline,
                    const SweepPoint& point, PointFindings& findings) {
  const auto deadline =
      options.budget.count() == 0 ? Clock::time_point::max() : Clock::now() + options.budget;
  for (int round = 0; round < options.quality.rounds && (round == 0 || Clock::now() < deadline); ++round) {
    const MeasureBlock request{
        point.request, findings.paired ? std::optional(baseline.request) : std::nullopt,
        options.quality.pairs, seed_of_part(options.seed, static_cast<std::uint64_t>(round))};
    const MeasuredBlock measured = client.ask(request, options.point_timeout);
    findings.blocks.push_back({point.key, round, client.process(), findings.paired, false, measured.samples});
    if (is_known(findings, options)) break;
  }
  finish(client, options, point);
}

}  // namespace

PointFindings measure_point(DeviceClient& client, const Options& options, const SweepPoint& baseline,
                            const SweepPoint& point) {
  PointFindings findings;
  findings.preparation = prepare(client, options, point);
  findings.paired = baseline.key == point.key || baseline_works(client, baseline, options.point_timeout);
  measure_rounds(client, options, baseline, point, findings);
  return findings;
}

PointFindings measure_against(DeviceClient& client, const Options& options, const SweepPoint& point,
                              std::string& doing) {
  const std::string own = options.kernels.empty() ? "the kernels of the program"
                                                  : fmt::format("the kernels of '{}'", options.kernels);
  const std::string other = fmt::format("the kernels of '{}'", options.against);
  SweepPoint edited = point;
  edited.request.kernels = options.against;
  PointFindings findings;
  findings.paired = true;
  findings.reference = own;
  doing = own + ": ";
  const Preparation preparation = prepare(client, options, point);
  doing = other + ": ";
  findings.preparation = prepare(client, options, edited);
  doing.clear();
  if (findings.preparation.program_id == preparation.program_id)
    findings.note = fmt::format("{} and {} are one program here: what differs is noise", other, own);
  measure_rounds(client, options, point, edited, findings);
  doing = own + ": ";
  finish(client, options, point);
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
  if (!preparation.paths.empty())
    fmt::print("paths    {}\n", fmt::join(preparation.paths, "; "));
  fmt::print("result   right: error {:.3g}, tolerance {:.3g}\n", preparation.check.max_error,
             preparation.check.tolerance);
  fmt::print("build    {}, upload {}, download {}\n", human_ns(static_cast<double>(preparation.build_ns)),
             human_ns(static_cast<double>(preparation.upload_ns)),
             human_ns(static_cast<double>(preparation.download_ns)));
  const auto kernels = collect_samples(findings.blocks);
  const bool alone = point.baseline && findings.reference.empty();
  if (!findings.note.empty()) fmt::print("note     {}\n", findings.note);
  fmt::print("times    median and 95 % interval of {} samples in {} measurement blocks{}\n",
             kernels.empty() ? 0 : kernels.back().taken, findings.blocks.size(),
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
      if (const auto speedup = paired_speedup(kernel.pairs))
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
