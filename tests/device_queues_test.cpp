// Which devices are measured at the same time, and the threads of the parent that do it.
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

#include "harness/space/error.hpp"
#include "suite/worker/client.hpp"
#include "suite/worker/device_queues.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

TEST_CASE("Devices that share nothing are measured at the same time", "[unit][queues]") {
  const auto device = [](const char* type, const char* id, const char* platform) {
    DeviceInfo info;
    info.type = type;
    info.id = id;
    info.platform = platform;
    info.name = id;
    return info;
  };
  const DeviceInfo first = device("gpu", "uuid-01", "one");
  const DeviceInfo second = device("gpu", "uuid-02", "one");
  const DeviceInfo again = device("gpu", "uuid-01", "other");  // the first one, by another platform
  const DeviceInfo by_bus = device("gpu", "pci-01:00", "other");
  const DeviceInfo nameless = device("gpu", "one/card", "one");
  const DeviceInfo cpu = device("cpu", "uuid-03", "one");
  DeviceInfo integrated = device("gpu", "uuid-04", "one");
  integrated.capabilities.unified_memory = true;
  CHECK(share_nothing(first, second));
  for (const DeviceInfo& other : {first, again, by_bus, nameless, cpu, integrated}) {
    INFO(other.id);
    CHECK_FALSE(share_nothing(first, other));
    CHECK_FALSE(share_nothing(other, first));
  }
  // Two dwarfs on each, and the CPU last.
  const std::vector<Stage> waves = plan_stages({&first, &second, &cpu, &first, &second}, 4);
  REQUIRE(waves.size() == 2);
  CHECK(waves[0] == Stage{{0, 3}, {1, 4}});
  CHECK(waves[1] == Stage{{2}});
  CHECK(most_queues(waves) == 2);
  CHECK(length_of(waves) == 3);
  CHECK(describe_stages(waves, {&first, &second, &cpu, &first, &second}) ==
        "at the same time, as they share nothing: uuid-01 (uuid-01), uuid-02 (uuid-02); then, one after the "
        "other: uuid-03");
  for (const auto& devices : {std::vector{&first, &cpu},
                              {&first, &again},
                              {&first, &second, &by_bus},
                              {&first, &second, &nameless},
                              {&first, &integrated}}) {
    const std::vector<Stage> alone = plan_stages(devices, 4);
    CHECK(most_queues(alone) == 1);
    CHECK(length_of(alone) == devices.size());
    CHECK(describe_stages(alone, devices).empty());
  }
  CHECK(most_queues(plan_stages({&first, &second}, 1)) == 1);
}

TEST_CASE("One device queue works at a time, and a failing one ends the others", "[unit][queues]") {
  int at_work = 0;
  int most = 0;
  std::vector<int> order;
  const auto queue = [&](int number) {
    for (int i = 0; i < 50; ++i) {
      most = std::max(most, ++at_work);
      order.push_back(number);
      --at_work;
      const TurnRelease others_work;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  run_queues({[&] { queue(0); }, [&] { queue(1); }, [&] { queue(2); }});
  CHECK(most == 1);
  CHECK(order.size() == 150);
  CHECK_FALSE(std::is_sorted(order.begin(), order.end()));

  bool abandoned = false;
  CHECK_THROWS_AS(run_queues({[] { throw UsageError("wrong"); },
                              [&] {
                                for (int i = 0; i < 1000 && !abandoned; ++i) {
                                  const TurnRelease others_work;
                                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                  abandoned = is_abandoned();
                                }
                              }}),
                  UsageError);
  CHECK(abandoned);
}

namespace {

pid_t newest_child() {
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  pid_t child = 0;
  for (pid_t each = 0; children >> each;) child = each;
  return child;
}

// For so long the process cannot be waited for by its parent, whatever happens to it: as one that a driver
// holds within the kernel. Nothing if the system does not allow it.
std::optional<pid_t> hold(pid_t process, std::chrono::milliseconds time) {
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t tracer = ::fork();
  if (tracer == 0) {
    const char seized = ::ptrace(PTRACE_SEIZE, process, nullptr, nullptr) == 0 ? 'y' : 'n';
    (void)!::write(ready[1], &seized, 1);
    ::usleep(static_cast<useconds_t>(time.count() * 1000));
    ::_exit(0);
  }
  char seized = 'n';
  (void)!::read(ready[0], &seized, 1);
  ::close(ready[0]);
  ::close(ready[1]);
  if (seized == 'y') return tracer;
  ::waitpid(tracer, nullptr, 0);
  return std::nullopt;
}

}  // namespace

TEST_CASE("A process that does not die keeps no other device waiting", "[unit][queues]") {
  auto process = std::make_unique<WorkerProcess>("builder", "/dev/null", WorkerProcess::Control{});
  const pid_t number = newest_child();
  REQUIRE(number > 0);
  const auto tracer = hold(number, std::chrono::seconds(2));
  if (!tracer) {
    WARN("this system lets no process be traced");
    return;
  }
  bool is_ended = false;
  int turns_meanwhile = 0;
  run_queues({[&] {
                process.reset();
                is_ended = true;
              },
              [&] {
                for (int i = 0; i < 100; ++i) {
                  if (!is_ended) ++turns_meanwhile;
                  const TurnRelease others_work;
                  std::this_thread::sleep_for(std::chrono::milliseconds(5));
                }
              }});
  CHECK(is_ended);
  CHECK(turns_meanwhile > 50);
  ::waitpid(*tracer, nullptr, 0);
}
