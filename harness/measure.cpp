#include "harness/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/cl_error.hpp"
#include "harness/clock.hpp"

namespace dwarfsweep {
namespace {

void require(const Check& check) {
  if (!check.ok) throw PointFailure(Status::wrong_result, check.message);
}

// An OpenCL error outside build, launch and transfer (a fill, a wait).
PointFailure failure(const Dwarf& dwarf, const Session& session, const cl::Error& error) {
  return {status_of(error), fmt::format("{}: {}; device {}, driver {}", dwarf.info().name, describe(error),
                                        session.device().name, session.device().driver)};
}

Launcher::Submission submission_of(const Config& config) {
  const Value* submission = config.find(submission_axis().name);
  return submission && submission->string() == "command_buffer" ? Launcher::Submission::command_buffer
                                                                : Launcher::Submission::queue;
}

// What fills the caches of a device, and leaves nothing else in them.
std::uint64_t displacing_bytes(const DeviceInfo& device) {
  return 2 * std::max<std::uint64_t>(device.global_cache_bytes, 32U << 20U);
}

// A case on an OpenCL device.
class DeviceSubject final : public Subject {
 public:
  DeviceSubject(Session& session, Workspace& workspace, Case& subject, const Config& config, CacheState cache)
      : session_(session), workspace_(workspace), case_(subject), launcher_(session, submission_of(config)) {
    if (cache == CacheState::cold) allocate_sweep();
  }

  Check verify() override {
    workspace_.poison();
    case_.reset();
    launcher_.begin();
    case_.launch(launcher_);
    launcher_.finish();
    return check_output();
  }

  Check check_output() {
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

  Sample sample(std::int64_t launches) override {
    Sample sample;
    sample.launches = launches;
    launcher_.begin();
    std::int64_t wall = 0;
    for (std::int64_t i = 0; i < launches; ++i) {
      case_.reset();
      if (sweep_.count > 0) workspace_.fill<cl_uint>(sweep_, static_cast<cl_uint>(i));
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
    // In-order kernels cannot take longer than the host waited for them. 2 %: the two clocks run apart a
    // little.
    if (sample.fault.empty() && sample.kernels.back().ns > 1.02 * sample.wall_ns + 1000) {
      sample.fault = fmt::format("kernel times of {:.0f} ns within {:.0f} ns of wall time",
                                 sample.kernels.back().ns, sample.wall_ns);
    }
    return sample;
  }

  // More than 2 %, as memory brings 10 bytes in a nanosecond or more.
  [[nodiscard]] bool gains_from_caches(double run_ns) const override {
    return device_bytes() <= displacing_bytes(session_.device()) &&
           static_cast<double>(device_bytes()) / 10 > 0.02 * run_ns;
  }

  [[nodiscard]] std::uint64_t device_bytes() const override { return workspace_.device_bytes(); }

 private:
  void allocate_sweep() {
    const std::uint64_t bytes =
        std::min(displacing_bytes(session_.device()), session_.device().capabilities.allocation_bytes / 2);
    sweep_ = workspace_.allocate<cl_uint>("cache sweep", bytes / sizeof(cl_uint), Role::scratch);
  }

  Session& session_;
  Workspace& workspace_;
  Case& case_;
  Launcher launcher_;
  Buffer<cl_uint> sweep_;
};

// The dwarf as plain C++ on the host's cores. There is one kernel, "total".
class HostSubject final : public Subject {
 public:
  explicit HostSubject(HostCase& host_case) : case_(host_case) {}

  Check verify() override {
    case_.reset();
    case_.run();
    return case_.check();
  }

  Sample sample(std::int64_t launches) override {
    Sample sample;
    sample.launches = launches;
    std::int64_t wall = 0;
    for (std::int64_t i = 0; i < launches; ++i) {
      case_.reset();
      const std::int64_t begin = now_ns();
      case_.run();
      const std::int64_t end = now_ns();
      if (i == 0) sample.host_begin_ns = begin;
      sample.host_end_ns = end;
      wall += end - begin;
    }
    KernelTime total;
    total.kernel = "total";
    total.events = launches;
    total.ns = static_cast<double>(wall) / static_cast<double>(launches);
    sample.wall_ns = total.ns;
    sample.kernels.push_back(total);
    return sample;
  }

  // No cache is so large that memory would need more than 2 ms to fill it.
  [[nodiscard]] bool gains_from_caches(double run_ns) const override { return run_ns < 100e6; }

  [[nodiscard]] std::uint64_t device_bytes() const override { return 0; }

 private:
  HostCase& case_;
};

}  // namespace

Check verify_once(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  Workspace workspace(session);
  try {
    const auto subject = dwarf.prepare(workspace, loaded, config);
    subject->upload();
    const Check check = DeviceSubject(session, workspace, *subject, config, CacheState::hot).verify();
    require(check);
    return check;
  } catch (const cl::Error& error) {
    throw failure(dwarf, session, error);
  }
}

MeasuredPoint::MeasuredPoint(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                             const MeasureOptions& options)
    : options_(options), workspace_(std::make_unique<Workspace>(session)) {
  try {
    case_ = dwarf.prepare(*workspace_, loaded, config);
    case_->upload();
    subject_ = std::make_unique<DeviceSubject>(session, *workspace_, *case_, config, options.cache);
    preparation_.build_ns = workspace_->build_ns();
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
  subject_ = std::make_unique<HostSubject>(*host_case_);
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
        fmt::format("program_{}_{}", ++number, program->file.substr(program->file.rfind('/') + 1));
    sink.text(name + ".cl", program->program.getInfo<CL_PROGRAM_SOURCE>());
    sink.text(name + ".options", program->options + "\n");
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

// At least three launches, until 100 ms or until the last three agree within 10 %. A launch of more than a
// second has warmed everything by itself: after the verifying launch one more is enough.
void MeasuredPoint::warm_up() {
  const std::int64_t begin = now_ns();
  std::vector<double> times;
  double spent = 0;
  for (;;) {
    const Sample sample = subject_->sample(1);
    times.push_back(std::max(1.0, sample.fault.empty() ? sample.kernels.back().ns : sample.wall_ns));
    spent += sample.wall_ns;
    if (sample.wall_ns > 1e9 || spent > options_.warm_up_most_ns) break;
    if (times.size() < 3) continue;
    const auto [least, most] = std::minmax_element(times.end() - 3, times.end());
    if (spent >= options_.warm_up_ns || *most <= 1.1 * *least) break;
  }
  std::vector<double> last(times.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, times.size())),
                           times.end());
  std::sort(last.begin(), last.end());
  const double typical = last[last.size() / 2];
  const double typical_wall = spent / static_cast<double>(times.size());
  const double least = std::max(options_.min_sample_ns, 100.0 * static_cast<double>(options_.tick_ns));
  launches_per_sample_ =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(least / typical)), 1, 1000);
  runs_before_samples_ = options_.cache == CacheState::hot && subject_->gains_from_caches(typical);
  preparation_.sample_ns =
      typical_wall * static_cast<double>(launches_per_sample_ + (runs_before_samples_ ? 1 : 0));
  preparation_.warm_up_ns = static_cast<double>(now_ns() - begin);
}

// A point and its baseline take turns, and each finds the caches full of what the other used: a run that does
// not count brings its own data back.
Sample MeasuredPoint::take_sample(bool ran_last) {
  if (runs_before_samples_ && !ran_last) subject_->sample(1);
  return subject_->sample(launches_per_sample_);
}

void MeasuredPoint::verify_again() {
  if (case_) {
    require(static_cast<DeviceSubject&>(*subject_).check_output());
  } else {
    require(host_case_->check());
  }
}

}  // namespace dwarfsweep
