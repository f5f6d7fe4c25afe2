// `selftest`: whether timings on this machine can be trusted.
#include <fmt/format.h>

#include "harness/run/self_test.hpp"
#include "suite/commands/ask_each_device.hpp"
#include "suite/commands/commands.hpp"

namespace dwarfsweep {
namespace {

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
  const std::string reason = device.why_groups_must_not_wait();
  fmt::print("  groups that wait      {}\n",
             reason.empty() ? fmt::format("they may: {} of {} pairs met, and all went on running",
                                          device.progress.pairs_met, device.progress.groups / 2)
                            : "they must not: " + reason);
  fmt::print("  trusted to 1 %        {}\n", report.trusted_to_one_percent ? "yes" : "no");
}

}  // namespace

int command_selftest(const Options& options) {
  return ask_each_device(options, "selftest", print_self_test);
}

}  // namespace dwarfsweep
