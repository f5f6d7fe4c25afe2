// Which devices are measured at the same time, and the threads of the parent that do it.
#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/space/error.hpp"
#include "suite/worker/strands.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

TEST_CASE("Devices that share nothing are measured at the same time", "[unit][strands]") {
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
  const std::vector<Wave> waves = plan_waves({&first, &second, &cpu, &first, &second}, 4);
  REQUIRE(waves.size() == 2);
  CHECK(waves[0] == Wave{{0, 3}, {1, 4}});
  CHECK(waves[1] == Wave{{2}});
  CHECK(most_strands(waves) == 2);
  CHECK(length_of(waves) == 3);
  CHECK(describe_waves(waves, {&first, &second, &cpu, &first, &second}) ==
        "at the same time, as they share nothing: uuid-01 (uuid-01), uuid-02 (uuid-02); then, one after the "
        "other: uuid-03");
  for (const auto& devices : {std::vector{&first, &cpu},
                              {&first, &again},
                              {&first, &second, &by_bus},
                              {&first, &second, &nameless},
                              {&first, &integrated}}) {
    const std::vector<Wave> alone = plan_waves(devices, 4);
    CHECK(most_strands(alone) == 1);
    CHECK(length_of(alone) == devices.size());
    CHECK(describe_waves(alone, devices).empty());
  }
  CHECK(most_strands(plan_waves({&first, &second}, 1)) == 1);
}

TEST_CASE("One strand works at a time, and a failing one ends the others", "[unit][strands]") {
  int at_work = 0;
  int most = 0;
  std::vector<int> order;
  const auto strand = [&](int number) {
    for (int i = 0; i < 50; ++i) {
      most = std::max(most, ++at_work);
      order.push_back(number);
      --at_work;
      const WhileWaiting others_work;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  run_strands({[&] { strand(0); }, [&] { strand(1); }, [&] { strand(2); }});
  CHECK(most == 1);
  CHECK(order.size() == 150);
  CHECK_FALSE(std::is_sorted(order.begin(), order.end()));

  bool abandoned = false;
  CHECK_THROWS_AS(run_strands({[] { throw UsageError("wrong"); },
                               [&] {
                                 for (int i = 0; i < 1000 && !abandoned; ++i) {
                                   const WhileWaiting others_work;
                                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                   abandoned = is_abandoned();
                                 }
                               }}),
                  UsageError);
  CHECK(abandoned);
}
