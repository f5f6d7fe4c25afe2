#include "suite/worker/serve.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "harness/device/inventory.hpp"
#include "harness/device/opencl.hpp"
#include "harness/energy/power_phase.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/formats/npy.hpp"
#include "harness/peaks/peaks.hpp"
#include "harness/program/program_cache.hpp"
#include "harness/run/self_test.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"
#include "suite/record/json.hpp"
#include "suite/worker/digest_sink.hpp"
#include "suite/worker/host_limits.hpp"
#include "suite/worker/server.hpp"

namespace dwarfsweep {
namespace {

// To be called before the driver is loaded. NVIDIA's driver keeps its cache in the folder of the program
// cache, if there is one and the user has not chosen another: so the worker finds there what builders
// compiled, and a user who removes the one removes the other, too. PoCL's lies where POCL_CACHE_DIR says, and
// is shared as it is.
void share_driver_caches() {
  const auto folder = program_cache_folder();
  if (folder.empty()) return;
  constexpr int keep_what_is_set = 0;
  ::setenv("CUDA_CACHE_PATH", std::filesystem::absolute(folder / "nvidia").c_str(), keep_what_is_set);
  ::setenv("CUDA_CACHE_MAXSIZE", "1073741824", keep_what_is_set);
}

std::variant<JsonAnswer, ReportedError> answer_or_error(
    const std::function<JsonAnswer(const std::string&)>& result, const std::string& line) {
  std::variant<JsonAnswer, ReportedError> answer;
  const auto error = [&](const std::string& status, const std::string& sentence) {
    answer = ReportedError{status, sentence};
  };
  try {
    answer = result(line);
  } catch (const PointFailure& failure) {
    error(std::string(to_string(failure.status())), failure.what());
  } catch (const cl::Error& failure) {
    error(std::string(to_string(status_of(failure))), describe(failure));
  } catch (const NoDeviceError& failure) {
    error("no_device", failure.what());
  } catch (const UsageError& failure) {
    error("usage", failure.what());
  } catch (const std::length_error&) {
    error("out_of_memory", "this point needs arrays longer than any host can hold");
  } catch (const std::bad_alloc&) {
    error("out_of_memory", "the host has not enough memory for this point: " + describe_own_memory());
  } catch (const std::exception& failure) {
    error("launch_failed", failure.what());
  }
  return answer;
}

bool write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

// `--dump DIR`: inputs and result of a point as NumPy files, for checks with other tools.
class FolderSink final : public DumpSink {
 public:
  /// The folder must exist.
  explicit FolderSink(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void array(const std::string& name, std::span<const std::uint8_t> data, const Shape& shape) override {
    write_array(name, data, shape);
  }
  void array(const std::string& name, std::span<const std::int32_t> data, const Shape& shape) override {
    write_array(name, data, shape);
  }
  void array(const std::string& name, std::span<const std::uint32_t> data, const Shape& shape) override {
    write_array(name, data, shape);
  }
  void array(const std::string& name, std::span<const std::int64_t> data, const Shape& shape) override {
    write_array(name, data, shape);
  }
  void array(const std::string& name, std::span<const float> data, const Shape& shape) override {
    write_array(name, data, shape);
  }
  void text(const std::string& file_name, const std::string& content) override {
    write_bytes(folder_ / file_name, content, {});
  }
  void note(const std::string& key, const Value& value) override { notes_ = notes_.with(key, value); }

  /// Writes problem.json: the dwarf, the keys of its problem, the notes, and the configuration.
  void finish(const std::string& dwarf, const Problem& problem, const Config& config) {
    Json content = object_of(problem.values);
    content.update(object_of(notes_));
    content["dwarf"] = dwarf;
    content["size"] = problem.size;
    content["config"] = object_of(config);
    text("problem.json", json_text(content, 2) + "\n");
  }

 private:
  void write_array(const std::string& name, NpyValues values, const Shape& shape) {
    write_npy(folder_ / (name + ".npy"), values, std::vector<std::int64_t>(shape.begin(), shape.end()));
  }

  static Json object_of(const ValueMap& map) {
    Json object = Json::object();
    for (const auto& [name, value] : map.entries()) object[name] = value;
    return object;
  }

  std::filesystem::path folder_;
  ValueMap notes_;
};

}  // namespace

int serve_lines(const std::function<JsonAnswer(const std::string& line)>& result,
                const std::function<std::vector<DeferredFailure>()>& deferred) {
  // A child must not outlive its parent: it may be in a kernel that never ends.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit_own_memory();
  share_driver_caches();
  std::FILE* requests = ::fdopen(worker_request_fd, "r");
  if (!requests) return 1;
  char* line = nullptr;
  std::size_t capacity = 0;
  while (::getline(&line, &capacity, requests) > 0) {
    Envelope answer;
    answer.content = answer_or_error(result, line);
    answer.deferred = deferred();
    if (!write_all(worker_answer_fd, write_envelope(answer) + "\n")) break;
  }
  std::free(line);
  std::fflush(nullptr);
  // Drivers are known to crash in their own destructors at exit; all answers have been given.
  std::_Exit(0);
}

OpenedDevice Worker::answer(const OpenDevice& request) {
  MeasureOptions options;
  options.cache = request.cache;
  options.half_width = request.half_width;
  options.caches = caches_of(request.peaks);
  sensors_ = find_power_sensors(request.device);
  points_.forget_last_run();
  if (request.device.type == "host") {
    points_.use(nullptr, options);
    TimerReport report;
    report.timer = Timer::host;
    report.reason = "plain C++ is timed by the host's clock";
    return {report, request.device.progress};
  }
  staged_.drop();
  const auto cache = program_cache_folder();
  ProgramCache(cache).trim(max_program_cache_bytes);
  auto session = std::make_unique<Session>(request.device, SessionOptions{request.kernels, {}, cache});
  // A worker that replaces another continues with the timer that was chosen first.
  timer_ = request.timer ? *request.timer : test_timer(*session);
  session->set_timing(timer_.timing());
  options.tick_ns = timer_.tick_ns;
  if (!request.device.progress.tested) session->set_progress(test_progress(*session));
  const ProgressReport progress = session->device().progress;
  points_.use(std::move(session), options);
  return {timer_, progress};
}

std::string Worker::answer(const FindMeter& request) {
  const PowerSensors sensors = find_power_sensors(request.device);
  return sensors.energy && sensors.energy->joules() ? sensors.energy->name() : "";
}

SelfTestReport Worker::answer(const TestHarness&) {
  points_.forget_last_run();
  return test_harness(*points_.session(), timer_);
}

std::map<std::string, double> Worker::answer(const MeasurePeaks& request) {
  points_.forget_last_run();
  auto peaks = measure_peaks(*points_.session(), std::chrono::milliseconds(request.limit_ms));
  points_.set_caches(caches_of(peaks));
  return peaks;
}

Problem Worker::answer(const LoadProblem& request) {
  points_.forget_last_run();
  return points_.data(request.point).problem;
}

Done Worker::answer(const BuildPoint& request) {
  points_.build(request.point);
  return {};
}

Preparation Worker::answer(const PreparePoint& request) {
  points_.forget_last_run();
  return points_.get(request.point).preparation();
}

Check Worker::answer(const VerifyPoint& request) {
  points_.forget_last_run();
  return points_.verify(request.point);
}

Sample Worker::sample_of_baseline(MeasuredPoint& baseline) {
  try {
    return points_.sample(baseline);
  } catch (const PointFailure& failure) {
    throw PointFailure(failure.status(), std::string("the baseline paired with it: ") + failure.what());
  }
}

MeasuredBlock Worker::answer(const MeasureBlock& request) {
  Random random(request.seed);
  MeasuredPoint* baseline = request.baseline ? &points_.get(*request.baseline) : nullptr;
  MeasuredPoint& variant = points_.get(request.point, baseline);
  const ClockReading begin = read_clock();
  MeasuredBlock block;
  for (int pair = 0; pair < request.pairs; ++pair) {
    const bool baseline_first = random.below(2) == 0;
    for (int order = 0; order < 2; ++order) {
      const bool is_baseline = (order == 0) == baseline_first;
      if (is_baseline && !baseline) continue;
      block.samples.push_back({pair, order, is_baseline ? PairRole::baseline : PairRole::variant,
                               is_baseline ? sample_of_baseline(*baseline) : points_.sample(variant)});
    }
  }
  block.clock = average(begin, read_clock());
  return block;
}

ClockReading Worker::read_clock() {
  return sensors_.clock ? sensors_.clock->read() : ClockReading();
}

std::optional<MeteredEnergy> Worker::answer(const MeasureEnergy& request) {
  if (!sensors_.energy) return std::nullopt;
  points_.forget_last_run();
  MeasuredPoint& point = points_.get(request.point);
  const auto run = [&](std::int64_t count) { point.run_back_to_back(count); };
  EnergyLimits limits;
  limits.max_seconds = request.seconds;
  const auto use = measure_energy(*sensors_.energy, run, point.run_seconds(), limits);
  if (!use) return std::nullopt;
  return MeteredEnergy{sensors_.energy->name(), *use};
}

LastOutput Worker::answer(const FinishPoint& request) {
  points_.forget_last_run();
  const LastOutput output = points_.verify_last_output(request.point);
  if (request.forget) points_.release(request.point);
  return output;
}

PointDigests Worker::answer(const DigestPoint& request) {
  points_.forget_last_run();
  const MeasuredPoint* const point = points_.find(request.point);
  if (point == nullptr || request.point.host_threads > 0) return {};
  const auto& results = find_dwarf(request.point.dwarf).info().checks.results;
  DigestSink sink({results.begin(), results.end()}, request.point.seed);
  point->dump_arrays(sink);
  return sink.digests();
}

Done Worker::answer(const DumpPoint& request) {
  points_.forget_last_run();
  FolderSink sink(request.folder);
  try {
    MeasuredPoint& measured = points_.get(request.point);
    measured.verify_again();
    measured.dump(sink);
    sink.finish(request.point.dwarf, points_.data(request.point).problem, request.point.config);
  } catch (const PointFailure& failure) {
    // Who reports a wrong result needs what the compiler made of the kernel.
    if (failure.status() == Status::wrong_result) points_.dump_programs_of(request.point, sink);
    throw;
  }
  return {};
}

Done Worker::answer(const DropAll&) {
  points_.drop();
  staged_.drop();
  return {};
}

int run_confined_worker() {
  confine_process();
  return run_worker();
}

int run_worker() {
  Worker worker;
  return serve_requests<WorkerRequest>(worker, [&] { return worker.take_deferred_failures(); });
}

}  // namespace dwarfsweep
