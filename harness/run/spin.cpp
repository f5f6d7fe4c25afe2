#include "harness/run/spin.hpp"

#include <algorithm>
#include <vector>

#include "harness/device/clock.hpp"
#include "harness/statistics/quantile.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_items = std::size_t{1} << 20U;
constexpr cl_uint max_loops = 6000;

}  // namespace

Spinner::Spinner(Session& session)
    : workspace_(session),
      out_(workspace_.allocate<cl_uint>("spin", max_items, Role::scratch)),
      spin_(workspace_.kernel("selftest", Macros(), "spin", "spin")) {}

void Spinner::launch(Launcher& launcher, const SpinWork& work) {
  launcher.run(spin_, work.items, 1, out_, work.loops);
}

double Spinner::host_ns(Launcher& launcher, const SpinWork& work) {
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    launcher.finish();
    const std::int64_t begin = now_ns();
    launch(launcher, work);
    launcher.finish();
    times.push_back(static_cast<double>(now_ns() - begin));
  }
  return median(times);
}

SpinWork Spinner::calibrated(Launcher& launcher, double target_ns) {
  SpinWork work;
  while (host_ns(launcher, work) < target_ns) {
    if (work.loops < max_loops) {
      work.loops = std::min(2 * work.loops, max_loops);
    } else if (work.items < max_items) {
      work.items *= 2;
    } else {
      break;
    }
  }
  return work;
}

}  // namespace dwarfsweep
