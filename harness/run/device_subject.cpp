#include "harness/run/device_subject.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/device/clock.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

Launcher::Submission submission_of(const Config& config) {
  const Value* submission = config.find(submission_axis().name);
  return submission && submission->string() == "command_buffer" ? Launcher::Submission::command_buffer
                                                                : Launcher::Submission::queue;
}

// In-order kernels cannot take longer than the run that they are in, nor that longer than the host waited for
// it.
std::string impossible_times(const Sample& sample, std::int64_t tick_ns) {
  const double kernels_ns = sample.kernels.back().ns;
  const std::int64_t ticks_ns = tick_ns * sample.kernels.back().events;
  if (kernels_ns > max_device_ns(sample.wall_ns, ticks_ns)) {
    return fmt::format("kernel times of {:.0f} ns within {:.0f} ns of wall time", kernels_ns, sample.wall_ns);
  }
  if (sample.span_ns > max_device_ns(sample.wall_ns, tick_ns)) {
    return fmt::format("a span of {:.0f} ns within {:.0f} ns of wall time", sample.span_ns, sample.wall_ns);
  }
  if (sample.span_ns > 0 && kernels_ns > max_device_ns(sample.span_ns, ticks_ns)) {
    return fmt::format("kernel times of {:.0f} ns within a span of {:.0f} ns", kernels_ns, sample.span_ns);
  }
  return {};
}

}  // namespace

DeviceSubject::DeviceSubject(Session& session, Workspace& workspace, Case& subject, const Config& config,
                             const CacheOptions& caches)
    : session_(session),
      workspace_(workspace),
      case_(subject),
      launcher_(session, submission_of(config)),
      caches_(caches) {
  if (caches.state == CacheState::cold) allocate_flush();
}

void DeviceSubject::allocate_flush() {
  const std::uint64_t bytes = std::min(displacing_bytes(session_.device(), caches_.measured),
                                       session_.device().capabilities.allocation_bytes / 2);
  flush_ = workspace_.allocate<cl_uint>("cache sweep", bytes / sizeof(cl_uint), Role::scratch);
}

Check DeviceSubject::verify() {
  workspace_.poison();
  case_.reset();
  launcher_.begin();
  case_.launch(launcher_);
  launcher_.finish();
  return check_output();
}

Check DeviceSubject::check_output() {
  case_.download();
  Check check = case_.check();
  // A write beyond a buffer may be why a result is wrong, and is told first.
  if (const auto guard = workspace_.broken_guard()) {
    check.message = check.ok ? *guard : fmt::format("{}; {}", *guard, check.message);
    check.ok = false;
  }
  return check;
}

std::pair<std::int64_t, std::int64_t> DeviceSubject::run_once() {
  case_.reset();
  if (flush_.count > 0) workspace_.fill<cl_uint>(flush_, ++flushes_);
  launcher_.finish();
  launcher_.begin_run();
  const std::int64_t begin = now_ns();
  case_.launch(launcher_);
  launcher_.finish();
  return {begin, now_ns()};
}

// With a host timer each kernel is waited for, which a whole run need not: runs of both kinds take turns.
Sample DeviceSubject::sample(std::int64_t launches) {
  Sample sample;
  sample.launches = launches;
  const bool host_timed = session_.timing().timer == Timer::host;
  launcher_.begin();
  std::int64_t wall = 0;
  for (std::int64_t i = 0; i < launches; ++i) {
    launcher_.keep_times(!host_timed);
    const auto [begin, end] = run_once();
    if (i == 0) sample.host_begin_ns = begin;
    sample.host_end_ns = end;
    wall += end - begin;
    if (!host_timed) continue;
    launcher_.keep_times(true);
    run_once();
  }
  sample.wall_ns = static_cast<double>(wall) / static_cast<double>(launches);
  launcher_.collect(sample);
  if (!host_timed && sample.fault.empty()) sample.fault = impossible_times(sample, session_.timing().tick_ns);
  return sample;
}

void DeviceSubject::run_back_to_back(std::int64_t launches) {
  launcher_.begin();
  launcher_.keep_times(false);
  for (std::int64_t i = 0; i < launches; ++i) {
    case_.reset();
    case_.launch(launcher_);
    // A command buffer is not submitted again before it has ended.
    if (launcher_.uses_command_buffers()) launcher_.finish();
  }
  launcher_.finish();
}

bool DeviceSubject::gains_from_caches(double run_ns) const {
  return caches_matter(session_.device(), caches_, device_bytes(), run_ns);
}

}  // namespace dwarfsweep
