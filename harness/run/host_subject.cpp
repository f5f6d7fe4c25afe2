#include "harness/run/host_subject.hpp"

#include "harness/device/clock.hpp"

namespace dwarfsweep {

Check HostSubject::verify() {
  case_.reset();
  case_.run();
  return case_.check();
}

void HostSubject::run_back_to_back(std::int64_t launches) {
  for (std::int64_t i = 0; i < launches; ++i) {
    case_.reset();
    case_.run();
  }
}

Sample HostSubject::sample(std::int64_t launches) {
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

}  // namespace dwarfsweep
