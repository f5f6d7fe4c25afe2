#include "tests/property/trial_runner.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <utility>

#include "harness/run/self_test.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep::property {
namespace {

// Drivers keep what they compile: a worker that compiled thousands of kernels takes gigabytes.
constexpr int trials_per_worker = 200;
constexpr std::chrono::seconds open_limit{120};

}  // namespace

TrialRunner::TrialRunner(DeviceInfo device, RunnerSettings settings, const std::filesystem::path& output)
    : device_(std::move(device)), settings_(std::move(settings)), output_(output) {
  std::ofstream(output_, std::ios::trunc);
}

void TrialRunner::start() {
  worker_ = std::make_unique<WorkerProcess>(output_.string());
  trials_of_worker_ = 0;
  // Nothing is timed, so the timer needs no test.
  const TimerReport untested;
  try {
    (void)worker_->ask(OpenDevice{device_, settings_.kernels, CacheState::hot, untested}, open_limit);
  } catch (const WorkerCrash& crash) {
    throw NoDeviceError("opening " + describe(device_) + " failed: " + crash.what());
  } catch (const WorkerTimeout& timeout) {
    throw NoDeviceError("opening " + describe(device_) + " failed: " + timeout.what());
  }
}

// Oclgrind reports what a kernel does wrong and continues.
std::string TrialRunner::complaint_since(std::uintmax_t size) const {
  static const std::regex complaint(R"((Invalid (read|write|memory)|[dD]ata race at|divergence detected).*)");
  if (!device_.checks_bounds) return "";
  std::ifstream file(output_);
  file.seekg(static_cast<std::streamoff>(size));
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    if (std::regex_search(line, match, complaint)) return match.str();
  }
  return "";
}

Outcome TrialRunner::run(const Trial& trial, std::chrono::milliseconds time) {
  if (worker_ && ++trials_of_worker_ > trials_per_worker) worker_.reset();
  if (!worker_) start();
  const std::uintmax_t printed = std::filesystem::file_size(output_);
  try {
    (void)worker_->ask(VerifyPoint{request_of(trial)}, std::min(time, settings_.limit));
    const std::string complaint = complaint_since(printed);
    return complaint.empty() ? Outcome{} : Outcome{Status::wrong_result, complaint};
  } catch (const PointFailure& failure) {
    return {failure.status(), failure.what()};
  } catch (const UsageError& refusal) {
    return {Status::rejected, refusal.what()};
  } catch (const WorkerCrash& crash) {
    worker_.reset();
    return {crash.status(), crash.what()};
  } catch (const WorkerTimeout& timeout) {
    worker_.reset();
    return {Status::timed_out, timeout.what()};
  }
}

}  // namespace dwarfsweep::property
