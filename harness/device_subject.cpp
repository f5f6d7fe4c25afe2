#include "harness/device_subject.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/clock.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep {
namespace {

Launcher::Submission submission_of(const Config& config) {
  const Value* submission = config.find(submission_axis().name);
  return submission && submission->string() == "command_buffer" ? Launcher::Submission::command_buffer
                                                                : Launcher::Submission::queue;
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
  if (check.ok) {
    if (const auto guard = workspace_.broken_guard()) {
      check.ok = false;
      check.message = *guard;
    }
  }
  return check;
}

Sample DeviceSubject::sample(std::int64_t launches) {
  Sample sample;
  sample.launches = launches;
  launcher_.begin();
  std::int64_t wall = 0;
  for (std::int64_t i = 0; i < launches; ++i) {
    case_.reset();
    if (flush_.count > 0) workspace_.fill<cl_uint>(flush_, static_cast<cl_uint>(i));
    launcher_.finish();
    const std::int64_t begin = now_ns();
    case_.launch(launcher_);
    launcher_.finish();
    const std::int64_t end = now_ns();
    if (i == 0) sample.host_begin_ns = begin;
    sample.host_end_ns = end;
    wall += end - begin;
  }
  sample.wall_ns = static_cast<double>(wall) / static_cast<double>(launches);
  launcher_.collect(sample);
  // In-order kernels cannot take longer than the host waited for them. 2 %: the two clocks drift apart
  // slightly.
  if (sample.fault.empty() && sample.kernels.back().ns > 1.02 * sample.wall_ns + 1000) {
    sample.fault = fmt::format("kernel times of {:.0f} ns within {:.0f} ns of wall time",
                               sample.kernels.back().ns, sample.wall_ns);
  }
  return sample;
}

bool DeviceSubject::gains_from_caches(double run_ns) const {
  return caches_matter(session_.device(), caches_, device_bytes(), run_ns);
}

}  // namespace dwarfsweep
