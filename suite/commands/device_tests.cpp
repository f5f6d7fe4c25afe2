// `peaks` and `selftest`: what the devices can do at most, and whether timings here can be trusted.
#include <fmt/format.h>

#include <functional>

#include "harness/status.hpp"
#include "suite/commands/commands.hpp"
#include "suite/sweep/device_client.hpp"
#include "suite/sweep/sweep_plan.hpp"

namespace dwarfsweep {
namespace {

constexpr std::chrono::minutes limit{5};  // some seconds on most devices; interpreters need minutes

// Asks every chosen device, prints each answer or all of them as JSON. A device that fails costs a line and
// exit 1.
int ask_each(const Options& options, const std::string& what,
             const std::function<void(const DeviceInfo&, const Json&)>& print) {
  catch_interrupts();
  Json all = Json::array();
  int status = 0;
  for (const DeviceInfo& device : chosen_devices(options, ask_inventory())) {
    DeviceClient client(device, {options.kernels, CacheState::hot, ""});
    try {
      const Json answer =
          client.ask({{"do", what}, {"limit_ms", std::chrono::milliseconds(limit / 2).count()}}, limit);
      if (options.json) {
        all.push_back({{"device", device.name}, {"device_id", device.id}, {what, answer}});
      } else {
        print(device, answer);
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "dwarfsweep: {} of {} failed: {}\n", what, device.name, error.what());
      status = 1;
    }
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
  return status;
}

void print_peaks(const DeviceInfo& device, const Json& peaks) {
  fmt::print("{}\n", describe(device));
  for (const auto& [name, value] : peaks.items())
    fmt::print("  {:<26} {:>12.2f}\n", name, value.get<double>());
}

void print_self_test(const DeviceInfo& device, const Json& answer) {
  const auto report = answer.get<SelfTestReport>();
  fmt::print("{}\n", describe(device));
  fmt::print("  timer                 {}\n",
             report.timer.timer == Timer::device
                 ? fmt::format("the device's, ticks of {} ns", report.timer.tick_ns)
                 : "the host's: " + report.timer.reason);
  fmt::print("  empty launch          {:.2f} us with a finish\n", report.launch_ns / 1e3);
  fmt::print("  ten times the work    takes {:.3f} times ten times the time\n", report.linearity);
  fmt::print("  kernel time           is {:.1f} % of the host's time around a spin of about 1 ms\n",
             100 * report.event_share);
  fmt::print("  the harness itself    {:.2f} us a sample\n", report.harness_ns / 1e3);
  fmt::print("  a kernel with itself  {:.4f}x, +- {:.2f} % from 20 measurement blocks of 5 pairs\n",
             report.self_comparison, 100 * report.half_width);
  fmt::print("  trusted to 1 %        {}\n", report.trusted_to_one_percent ? "yes" : "no");
}

}  // namespace

int command_peaks(const Options& options) {
  return ask_each(options, "peaks", print_peaks);
}

int command_selftest(const Options& options) {
  return ask_each(options, "selftest", print_self_test);
}

}  // namespace dwarfsweep
