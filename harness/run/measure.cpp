#include "harness/run/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/device/cl_error.hpp"
#include "harness/device/clock.hpp"
#include "harness/program/paths.hpp"
#include "harness/run/host_subject.hpp"

namespace dwarfsweep {
namespace {

void require(const Check& check) {
  if (!check.ok) throw PointFailure(Status::wrong_result, check.message);
}

// Half of the target half-width: what the caches hold by chance must not decide whether an interval is as
// narrow as that.
CacheOptions cache_options(const MeasureOptions& options) {
  return {options.cache, options.caches, options.half_width / 2};
}

// An OpenCL error outside build, launch and transfer (a fill, a wait).
PointFailure failure(const Dwarf& dwarf, const Session& session, const cl::Error& error) {
  return {status_of(error), fmt::format("{}: {}; device {}, driver {}", dwarf.info().name, describe(error),
                                        session.device().name, session.device().driver)};
}

Check verify(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
             bool runs_twice) {
  Workspace workspace(session);
  try {
    const auto subject = dwarf.prepare(workspace, loaded, config);
    subject->upload();
    DeviceSubject on_device(session, workspace, *subject, config, CacheState::hot);
    Check check = on_device.verify();
    require(check);
    if (runs_twice) {
      on_device.sample(1);
      check = on_device.check_output();
      require(check);
    }
    return check;
  } catch (const cl::Error& error) {
    throw failure(dwarf, session, error);
  }
}

}  // namespace

Check verify_once(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  return verify(session, dwarf, loaded, config, false);
}

Check verify_twice(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  return verify(session, dwarf, loaded, config, true);
}

MeasuredPoint::MeasuredPoint(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                             const MeasureOptions& options)
    : options_(options), workspace_(std::make_unique<Workspace>(session)) {
  try {
    case_ = dwarf.prepare(*workspace_, loaded, config);
    case_->upload();
    subject_ = std::make_unique<DeviceSubject>(session, *workspace_, *case_, config, cache_options(options));
    preparation_.build_ns = workspace_->build_ns();
    preparation_.program_id = program_id(workspace_->programs());
    preparation_.paths = paths_taken(workspace_->programs());
    preparation_.upload_ns = workspace_->take_upload_ns();
    prepare();
    preparation_.download_ns = workspace_->take_download_ns();
    preparation_.facts = workspace_->kernel_facts();
    preparation_.work = case_->work();
  } catch (const cl::Error& error) {
    throw failure(dwarf, session, error);
  }
}

MeasuredPoint::MeasuredPoint(const Dwarf& dwarf, const Loaded& loaded, int threads,
                             const MeasureOptions& options)
    : options_(options), host_case_(dwarf.prepare_host(loaded, threads)) {
  if (!host_case_) {
    throw PointFailure(Status::unsupported,
                       fmt::format("{} has no version for the host's cores", dwarf.info().name));
  }
  subject_ = std::make_unique<HostSubject>(*host_case_, cache_options(options).max_effect);
  prepare();
}

MeasuredPoint::~MeasuredPoint() = default;

std::uint64_t MeasuredPoint::device_bytes() const {
  return subject_->device_bytes();
}

void MeasuredPoint::dump(DumpSink& sink) const {
  case_->dump(sink);
  std::size_t number = 0;
  for (const auto& program : workspace_->programs()) {
    const std::string name =
        fmt::format("program_{}_{}", ++number, program->text.file.substr(program->text.file.rfind('/') + 1));
    sink.text(name + ".cl", program->text.text);
    sink.text(name + ".options", program->text.options + "\n");
    for (const auto& binary : program->program.getInfo<CL_PROGRAM_BINARIES>()) {
      sink.text(name + ".binary", std::string(binary.begin(), binary.end()));
    }
  }
}

void MeasuredPoint::prepare() {
  const std::int64_t begin = now_ns();
  preparation_.check = subject_->verify();
  preparation_.verify_ns = static_cast<double>(now_ns() - begin);
  require(preparation_.check);
  warm_up();
}

// At least three launches, until 100 ms have passed or the last three agree within 10 %. A launch of more
// than a second is a warm-up by itself: after the verifying launch one more is enough.
void MeasuredPoint::warm_up() {
  const std::int64_t begin = now_ns();
  std::vector<double> times;
  double spent = 0;
  for (;;) {
    const Sample sample = subject_->sample(1);
    times.push_back(std::max(1.0, sample.fault.empty() ? run_ns(sample) : sample.wall_ns));
    spent += sample.wall_ns;
    if (sample.wall_ns > 1e9 || spent > options_.max_warm_up_ns) break;
    if (times.size() < 3) continue;
    const auto [fastest, slowest] = std::minmax_element(times.end() - 3, times.end());
    if (spent >= options_.warm_up_ns || *slowest <= 1.1 * *fastest) break;
  }
  std::vector<double> last(times.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, times.size())),
                           times.end());
  std::sort(last.begin(), last.end());
  const double typical = last[last.size() / 2];
  const double typical_wall = spent / static_cast<double>(times.size());
  const double min_ns = std::max(options_.min_sample_ns, 100.0 * static_cast<double>(options_.tick_ns));
  launches_per_sample_ =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(min_ns / typical)), 1, 1000);
  runs_before_samples_ = options_.cache == CacheState::hot && subject_->gains_from_caches(typical);
  run_seconds_ = typical_wall * 1e-9;
  preparation_.sample_ns =
      typical_wall * static_cast<double>(launches_per_sample_ + (runs_before_samples_ ? 1 : 0));
  preparation_.warm_up_ns = static_cast<double>(now_ns() - begin);
}

// A point and its baseline are sampled alternately, and each finds the other's data in the caches: a run that
// is not counted loads the point's own data again.
Sample MeasuredPoint::take_sample(bool ran_last) {
  if (runs_before_samples_ && !ran_last) subject_->sample(1);
  return subject_->sample(launches_per_sample_);
}

void MeasuredPoint::verify_again() {
  require(subject_->check_output());
}

}  // namespace dwarfsweep
