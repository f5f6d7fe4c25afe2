// `devices`, `peaks` and `selftest`: every OpenCL device, how fast it is, and whether timings on it can be
// trusted.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/run/sample.hpp"
#include "suite/commands/commands.hpp"
#include "suite/record/json.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/sweep/sweep_plan.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {
namespace {

std::string human_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", value, value < 10 && unit > 0 ? 1 : 0, units[unit]);
}

constexpr std::chrono::minutes answer_limit{5};  // some seconds on most devices; interpreters need minutes

// Asks every chosen device. Prints each answer, or all of them as JSON with --json. A device that fails costs
// a line and exit status 1.
template <typename Request>
int ask_each_device(const CommandLine& line, const Request& request,
                    void (*print)(const DeviceInfo&, const typename Request::Answer&)) {
  const Options options = measuring_options(line);
  catch_interrupts();
  Json all = Json::array();
  int status = 0;
  for (const DeviceInfo& device : chosen_devices(options, ask_inventory())) {
    DeviceClient client(device, {options.kernels, CacheState::hot, ""});
    try {
      const auto answer = client.ask(request, answer_limit);
      if (line.has("json")) {
        all.push_back({{"device", device.name}, {"device_id", device.id}, {Request::name, answer}});
      } else {
        print(client.device(), answer);
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {
      print_stderr("dwarfsweep: {} of {} failed: {}\n", Request::name, device.name, error.what());
      status = 1;
    }
  }
  if (line.has("json")) fmt::print("{}\n", json_text(all, 2));
  return status;
}

void print_peaks(const DeviceInfo& device, const std::map<std::string, double>& peaks) {
  fmt::print("{}\n", describe(device));
  for (const auto& [name, value] : peaks) fmt::print("  {:<26} {:>12.2f}\n", name, value);
}

void print_self_test(const DeviceInfo& device, const SelfTestReport& report) {
  fmt::print("{}\n", describe(device));
  fmt::print("  timer                 {}\n", report.timer.timer == Timer::device
                                                 ? fmt::format("device, ticks of {} ns", report.timer.tick_ns)
                                                 : "host: " + report.timer.reason);
  fmt::print("  empty launch          {:.2f} us with a finish\n", report.launch_ns / 1e3);
  fmt::print("  linearity (10x work)  {:.3f}\n", report.linearity);
  fmt::print("  kernel time           is {:.1f} % of the host's time around a spin of about 1 ms\n",
             100 * report.event_share);
  fmt::print("  the harness itself    {:.2f} us a sample\n", report.harness_ns / 1e3);
  fmt::print("  a kernel with itself  {:.4f}x, +- {:.2f} % from 20 measurement blocks of 5 pairs\n",
             report.self_comparison, 100 * report.half_width);
  const std::string reason = device.why_groups_must_not_wait();
  fmt::print("  groups that wait      {}\n",
             reason.empty() ? fmt::format("allowed: {} of {} pairs met, and all continued",
                                          device.progress.pairs_met, device.progress.groups / 2)
                            : "not allowed: " + reason);
  fmt::print("  trusted to 1 %        {}\n", report.trusted_to_one_percent ? "yes" : "no");
}

}  // namespace

int command_devices(const CommandLine& line) {
  const Inventory inventory = ask_inventory();
  if (line.has("json")) {
    fmt::print("{}\n", json_text(inventory, 2));
  } else {
    std::size_t width = 4;
    for (const DeviceInfo& device : inventory.devices) width = std::max(width, device.name.size());
    fmt::print("{:<6} {:<12} {:<{}}  {:>5}  {:>9}  {:>9}  {:>7}  {}\n", "index", "type", "name", width,
               "units", "memory", "local", "group", "platform");
    for (const DeviceInfo& device : inventory.devices) {
      fmt::print("{:<6} {:<12} {:<{}}  {:>5}  {:>9}  {:>9}  {:>7}  {}\n", device.index, device.type,
                 device.name, width, device.capabilities.compute_units,
                 human_bytes(device.capabilities.global_bytes), human_bytes(device.capabilities.local_bytes),
                 device.capabilities.work_group_items, device.platform + ", " + device.platform_version);
    }
    for (const PlatformNote& note : inventory.notes) fmt::print("skipped: {} {}\n", note.platform, note.note);
  }
  (void)select_devices(inventory, "all");  // throws if there is none
  return 0;
}

int command_peaks(const CommandLine& line) {
  return ask_each_device(line, MeasurePeaks{std::chrono::milliseconds(answer_limit).count() / 2},
                         print_peaks);
}

int command_selftest(const CommandLine& line) {
  return ask_each_device(line, TestHarness{}, print_self_test);
}

}  // namespace dwarfsweep
