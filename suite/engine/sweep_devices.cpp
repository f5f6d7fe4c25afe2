#include "suite/engine/sweep_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/standard_error.hpp"

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;

// Opening a device loads its driver, compiles the self-test's kernels and runs them.
constexpr std::chrono::seconds min_open_limit{30};
constexpr std::chrono::seconds max_open_limit{60};

// A small share of the budget measures the device's limits, with which each point is compared.
milliseconds peaks_limit(milliseconds budget) {
  constexpr milliseconds max_limit{30'000};
  return budget.count() == 0 ? max_limit : std::min(max_limit, budget / 15);
}

// `limit`: for all peaks together; `reserve`: what building and the answer may take beyond it. A device that
// checks every access, for which this would cost minutes, and one on which it fails get a record without
// values.
PeaksRecord ask_peaks(DeviceClient& client, std::chrono::milliseconds limit,
                      std::chrono::milliseconds reserve) {
  PeaksRecord peaks{client.device().id, {}};
  if (client.device().checks_bounds) return peaks;
  try {
    peaks.values = client.ask(MeasurePeaks{limit.count()}, limit + reserve);
    client.set_peaks(peaks.values);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    print_stderr("dwarfsweep: the peaks of {} could not be measured: {}\n", client.device().name,
                 error.what());
  }
  return peaks;
}

// The record says why it has no values.
SelfTestRecord ask_self_test(DeviceClient& client, std::chrono::milliseconds limit) {
  SelfTestRecord test{client.device().id, {}, ""};
  if (client.device().checks_bounds) {
    test.failure = "an interpreter, where it would take minutes";
    return test;
  }
  try {
    const Json report = client.ask(TestHarness{}, limit);
    for (const auto& [name, value] : report.items()) {
      if (value.is_number()) test.values[name] = value.get<double>();
      if (value.is_boolean()) test.values[name] = value.get<bool>() ? 1 : 0;
    }
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    test.failure = error.what();
  }
  return test;
}

}  // namespace

std::string advice_if_changed(const RunLog& log) {
  const bool searches = !log.run.arguments.empty() && log.run.arguments.front() == "tune";
  return searches ? "begin a new search" : "--new-part measures what is left as a part of its own";
}

DeviceClient& SweepDevices::client_of(const DeviceInfo& device) {
  last_ = device.id;
  std::unique_ptr<DeviceClient>& client = clients_[device.id];
  if (client) return *client;
  DeviceClient::Settings settings{options_.kernels, options_.cache, workers_log_};
  settings.processes_before = log_.last_process(device.id);
  if (const auto timer = timers_.find(device.id); timer != timers_.end()) {
    settings.timer = timer->second;
  } else if (const auto known = log_.run().devices.find(device.id);
             known != log_.run().devices.end() && known->second.timer.timer == Timer::host) {
    settings.timer = known->second.timer;
  }
  settings.half_width = options_.quality.half_width;
  if (const auto peaks = log_.run().peaks.find(device.id); peaks != log_.run().peaks.end())
    settings.peaks = peaks->second.values;
  settings.open_limit = std::clamp<milliseconds>(options_.point_timeout, min_open_limit, max_open_limit);
  client = std::make_unique<DeviceClient>(device, settings);
  return *client;
}

DeviceClient* SweepDevices::find_open(const DeviceInfo& device) {
  const auto found = clients_.find(device.id);
  const bool is_open =
      found != clients_.end() && timers_.contains(device.id) && !unusable_.contains(device.id);
  return is_open ? found->second.get() : nullptr;
}

std::optional<SweepDevices::Problem> SweepDevices::test(DeviceClient& client) {
  return try_with(client, [&] {
    const DeviceInfo& device = client.device();
    const TimerReport timer = test_timer(client);
    timers_[device.id] = timer;
    if (device.type != "host") client.test_progress();  // its builders must know, too
    if (!log_.run().devices.contains(device.id)) log_.append(DeviceRecord{device, timer});
  });
}

std::optional<SweepDevices::Problem> SweepDevices::open(DeviceClient& client) {
  if (const auto problem = test(client)) return problem;
  return try_with(client, [&] {
    if (options_.device_characteristics && client.device().type != "host") measure_characteristics(client);
  });
}

// What goes wrong is remembered.
std::optional<SweepDevices::Problem> SweepDevices::try_with(DeviceClient& client,
                                                            const std::function<void()>& action) {
  const DeviceInfo& device = client.device();
  if (const auto known = unusable_.find(device.id); known != unusable_.end()) return known->second;
  Problem problem;
  try {
    action();
    return std::nullopt;
  } catch (const PointFailure& failure) {
    problem = {failure.status(), failure.what()};
  } catch (const WorkerCrash& crash) {
    problem = {crash.status(), crash.what()};
  } catch (const WorkerTimeout& timeout) {
    problem = {Status::timed_out, timeout.what()};
  } catch (const NoDeviceError& gone) {
    problem = {Status::launch_failed, gone.what()};
  }
  unusable_[device.id] = problem;
  if (!log_.run().devices.contains(device.id)) log_.append(DeviceRecord{device, {}});
  return problem;
}

TimerReport SweepDevices::test_timer(DeviceClient& client) {
  const DeviceInfo& device = client.device();
  if (timers_.contains(device.id)) return client.timer();
  const auto known = log_.run().devices.find(device.id);
  if (known == log_.run().devices.end()) return client.timer();
  const TimerReport& before = known->second.timer;
  if (before.timer == Timer::host) return before;
  // On a busy machine the test may fail by chance.
  constexpr int attempts = 3;
  for (int attempt = 1;; ++attempt) {
    const TimerReport& now = client.timer();
    if (now.timer == before.timer && (now.spans || !before.spans)) return before;
    if (attempt == attempts) {
      throw UsageError(fmt::format(
          "cannot resume the run unchanged: the timer of {} passed its test then, and fails it here ({}); {}",
          device.name, now.timer == Timer::host ? now.reason : now.span_reason,
          advice_if_changed(log_.run())));
    }
    client.test_timer_again();
  }
}

void SweepDevices::measure_characteristics(DeviceClient& client) {
  const DeviceInfo& device = client.device();
  if (!log_.run().peaks.contains(device.id)) {
    progress_.show(device.name + " · peaks");
    log_.append(ask_peaks(client, peaks_limit(options_.budget), options_.point_timeout));
  }
  // Without it nobody can judge later how far the run's times can be trusted.
  if (!log_.run().self_tests.contains(device.id)) {
    progress_.show(device.name + " · self-test");
    log_.append(ask_self_test(client, options_.point_timeout));
  }
}

}  // namespace dwarfsweep
