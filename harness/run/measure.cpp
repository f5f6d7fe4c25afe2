#include "harness/run/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/device/host.hpp"
#include "harness/run/launch_log.hpp"
#include "harness/run/launcher.hpp"

namespace dwarfsweep {

class Subject {
 public:
  virtual ~Subject() = default;
  /// One launch and a check of its output.
  virtual Check verify() = 0;
  /// Checks the output of the last launch.
  virtual Check check_output() = 0;
  /// Resets, launches `launches` times, waits; reads the clocks.
  virtual Sample sample(std::int64_t launches) = 0;
  /// Resets and launches `launches` times in succession, then waits; reads no clock and sweeps no caches.
  virtual void run_back_to_back(std::int64_t launches) = 0;
  /// Whether a run that takes `run_ns` could be noticeably faster if an earlier run has filled the caches.
  [[nodiscard]] virtual bool gains_from_caches(double run_ns) const = 0;
  [[nodiscard]] virtual std::uint64_t device_bytes() const = 0;
};

namespace {

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

// A case on an OpenCL device.
class DeviceSubject final : public Subject {
 public:
  /// All references except `config` must outlive the subject.
  DeviceSubject(Session& session, Workspace& workspace, Case& subject, const Config& config,
                const CacheOptions& caches)
      : session_(session),
        workspace_(workspace),
        case_(subject),
        launcher_(session, Launcher::submission_of(config)),
        caches_(caches) {
    if (caches.state == CacheState::hot) return;
    const std::uint64_t bytes = std::min(displacing_bytes(session.device(), caches.measured),
                                         session.device().capabilities.allocation_bytes / 2);
    flush_ = workspace_.allocate<cl_uint>("cache sweep", bytes / sizeof(cl_uint), Role::scratch);
  }

  /// Poisons the outputs first; the check includes the guard bands.
  Check verify() override {
    workspace_.poison();
    case_.reset();
    launcher_.begin();
    case_.launch(launcher_);
    launcher_.finish();
    return check_output();
  }

  Check check_output() override {
    case_.download();
    Check check = case_.check();
    // A write beyond a buffer may be why a result is wrong, and is reported first.
    if (const auto guard = workspace_.broken_guard()) {
      check.message = check.ok ? *guard : fmt::format("{}; {}", *guard, check.message);
      check.ok = false;
    }
    return check;
  }

  // With a host timer the host waits for each kernel, but not within a whole execution, so both kinds of runs
  // alternate.
  Sample sample(std::int64_t launches) override {
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
    if (!host_timed && sample.fault.empty())
      sample.fault = impossible_times(sample, session_.timing().tick_ns);
    return sample;
  }

  void run_back_to_back(std::int64_t launches) override {
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

  [[nodiscard]] bool gains_from_caches(double run_ns) const override {
    return caches_matter(session_.device(), caches_, device_bytes(), run_ns);
  }
  [[nodiscard]] std::uint64_t device_bytes() const override { return workspace_.device_bytes(); }

 private:
  /// Begin and end by the host's clock; the launcher keeps the times.
  std::pair<std::int64_t, std::int64_t> run_once() {
    case_.reset();
    if (flush_.count > 0) workspace_.fill<cl_uint>(flush_, ++flushes_);
    launcher_.finish();
    launcher_.begin_run();
    const std::int64_t begin = now_ns();
    case_.launch(launcher_);
    launcher_.finish();
    return {begin, now_ns()};
  }

  Session& session_;
  Workspace& workspace_;
  Case& case_;
  Launcher launcher_;
  CacheOptions caches_;
  Buffer<cl_uint> flush_;  // empty unless caches are to be cold
  cl_uint flushes_ = 0;
};

// A dwarf as plain C++ on the host's cores. There is one kernel, "total".
class HostSubject final : public Subject {
 public:
  /// `host_case` must outlive the subject. `max_effect`: CacheOptions::max_effect.
  HostSubject(HostCase& host_case, double max_effect) : case_(host_case), max_effect_(max_effect) {}

  Check verify() override {
    run_back_to_back(1);
    return case_.check();
  }
  Check check_output() override { return case_.check(); }

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

  void run_back_to_back(std::int64_t launches) override {
    for (std::int64_t i = 0; i < launches; ++i) {
      case_.reset();
      case_.run();
    }
  }

  /// No cache is so large that memory would need more than 2 ms to fill it.
  [[nodiscard]] bool gains_from_caches(double run_ns) const override { return 2e6 > max_effect_ * run_ns; }
  [[nodiscard]] std::uint64_t device_bytes() const override { return 0; }

 private:
  HostCase& case_;
  double max_effect_;
};

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

void write_programs(const Workspace& workspace, DumpSink& sink) {
  std::size_t number = 0;
  for (const auto& program : workspace.programs()) {
    const std::string name =
        fmt::format("program_{}_{}", ++number, program->text.file.substr(program->text.file.rfind('/') + 1));
    sink.text(name + ".cl", [&] { return program->text.text; });
    sink.text(name + ".options", [&] { return program->text.options + "\n"; });
    for (const auto& [device, log] : program->program.getBuildInfo<CL_PROGRAM_BUILD_LOG>())
      sink.text(name + ".log", [&text = log] { return text; });
    for (const auto& binary : program->program.getInfo<CL_PROGRAM_BINARIES>()) {
      sink.text(name + ".binary", [&] { return std::string(binary.begin(), binary.end()); });
    }
  }
}

}  // namespace

void dump_programs(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                   DumpSink& sink) {
  Workspace workspace(session);
  const auto subject = dwarf.prepare(workspace, loaded, config);
  write_programs(workspace, sink);
}

Check verify_once(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  return verify(session, dwarf, loaded, config, false);
}

Check verify_twice(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config) {
  return verify(session, dwarf, loaded, config, true);
}

MeasuredPoint::MeasuredPoint(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                             const MeasureOptions& options)
    : options_(options),
      failure_([&session, &dwarf](const cl::Error& error) { return failure(dwarf, session, error); }),
      workspace_(std::make_unique<Workspace>(session)) {
  try {
    case_ = dwarf.prepare(*workspace_, loaded, config);
    case_->upload();
    subject_ = std::make_unique<DeviceSubject>(session, *workspace_, *case_, config, cache_options(options));
    preparation_.build_ns = workspace_->build_ns();
    preparation_.program_id = program_id(workspace_->programs());
    preparation_.paths = device_features_used(workspace_->programs());
    preparation_.upload_ns = workspace_->take_upload_ns();
  } catch (const cl::Error& error) {
    throw failure_(error);
  }
}

void MeasuredPoint::make_ready() {
  if (!workspace_) return prepare();
  try {
    prepare();
    preparation_.download_ns = workspace_->take_download_ns();
    preparation_.facts = workspace_->kernel_facts();
    preparation_.work = case_->work();
  } catch (const cl::Error& error) {
    throw failure_(error);
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
}

MeasuredPoint::~MeasuredPoint() = default;

std::uint64_t MeasuredPoint::device_bytes() const {
  return subject_->device_bytes();
}

void MeasuredPoint::dump_arrays(DumpSink& sink) const {
  case_->dump(sink);
}

void MeasuredPoint::dump(DumpSink& sink) {
  dump_arrays(sink);
  write_programs(*workspace_, sink);
  dump_launches(*workspace_, *case_, sink);
}

void MeasuredPoint::prepare() {
  const std::int64_t begin = now_ns();
  preparation_.check = subject_->verify();
  preparation_.verify_ns = static_cast<double>(now_ns() - begin);
  require(preparation_.check);
  warm_up();
}

// At least three launches, until 100 ms have passed or the last three agree within 10 %. A launch that takes
// as long is a warm-up by itself: after the verifying launch one more is enough.
void MeasuredPoint::warm_up() {
  const std::int64_t begin = now_ns();
  std::vector<double> times;
  double spent = 0;
  for (;;) {
    const Sample sample = subject_->sample(1);
    times.push_back(std::max(1.0, sample.fault.empty() ? run_ns(sample) : sample.wall_ns));
    spent += sample.wall_ns;
    if (sample.wall_ns > options_.warm_up_ns || spent > options_.max_warm_up_ns) break;
    if (times.size() < 3) continue;
    const auto [fastest, slowest] = std::minmax_element(times.end() - 3, times.end());
    if (spent >= options_.warm_up_ns || *slowest <= 1.1 * *fastest) break;
  }
  std::vector<double> last(times.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, times.size())),
                           times.end());
  std::sort(last.begin(), last.end());
  const double typical = last[last.size() / 2];
  const double typical_wall = spent / static_cast<double>(times.size());
  // A tick of both sides of a pair is part of the interval of their ratio: two thirds of the target at most.
  const double ticks = std::max(100.0, 3 / options_.half_width);
  const double min_ns = std::max(options_.min_sample_ns, ticks * static_cast<double>(options_.tick_ns));
  launches_per_sample_ =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(min_ns / typical)), 1, 1000);
  runs_before_samples_ = options_.cache == CacheState::hot && subject_->gains_from_caches(typical);
  run_seconds_ = typical_wall * 1e-9;
  preparation_.run_ns = typical;
  preparation_.sample_ns =
      typical_wall * static_cast<double>(launches_per_sample_ + (runs_before_samples_ ? 1 : 0));
  preparation_.warm_up_ns = static_cast<double>(now_ns() - begin);
}

void MeasuredPoint::run_back_to_back(std::int64_t runs) {
  subject_->run_back_to_back(runs);
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
