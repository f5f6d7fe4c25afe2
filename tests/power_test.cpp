// Energy and clocks: by a fake NVML library and a fake folder of powercap, and the arithmetic of energy per
// run.
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "harness/energy/power_phase.hpp"
#include "harness/energy/power_sensors.hpp"
#include "tests/catch.hpp"
#include "tests/faults/fake_nvml.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
using std::chrono::milliseconds;

namespace {

// The fake library with two devices, loaded as long as this lives.
class FakeLibrary {
 public:
  FakeLibrary() : library_(::dlopen(FAKE_NVML, RTLD_NOW)) {
    REQUIRE(library_ != nullptr);
    state_ = reinterpret_cast<FakeNvml* (*)()>(::dlsym(library_, "fake_nvml"))();
    *state_ = FakeNvml();
    state_->devices = {{"GPU-00000000-0000-0000-0000-000000000001", 0x17, 0},
                       {"GPU-75cf1a59-a80c-d5e9-21de-f89fbeb93134", 0xe4, 1}};
    state_->mhz = 1980;
    state_->millijoules = 1'234'500;
  }
  ~FakeLibrary() { ::dlclose(library_); }
  FakeLibrary(const FakeLibrary&) = delete;
  FakeLibrary& operator=(const FakeLibrary&) = delete;

  FakeNvml* operator->() const { return state_; }

 private:
  void* library_;
  FakeNvml* state_;
};

DeviceInfo gpu(const std::string& id) {
  DeviceInfo device;
  device.type = "gpu";
  device.id = id;
  return device;
}

PowerSensors sensors_of(const DeviceInfo& device) {
  return find_power_sensors(device, {FAKE_NVML, "/nonexistent"});
}

const std::string uuid = "uuid-75cf1a59a80cd5e921def89fbeb93134";

class Zone {
 public:
  Zone(const std::filesystem::path& powercap, const std::string& zone, const std::string& name)
      : folder_(powercap / zone) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "name") << name << "\n";
  }
  void set(const std::string& file, long long value) const { std::ofstream(folder_ / file) << value << "\n"; }

 private:
  std::filesystem::path folder_;
};

DeviceInfo cpu() {
  DeviceInfo device;
  device.type = "cpu";
  device.id = "Portable Computing Language/pthread";
  return device;
}

// 20 W, reported every `step`.
class SteadyMeter final : public EnergyMeter {
 public:
  explicit SteadyMeter(milliseconds step) : step_(step) {}
  [[nodiscard]] std::string name() const override { return "steady"; }
  std::optional<double> joules() override {
    const auto steps = (std::chrono::steady_clock::now() - begin_) / step_;
    return 20e-3 * static_cast<double>(steps * step_.count());
  }

 private:
  milliseconds step_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

TEST_CASE("a device is found in NVML by its UUID and by its PCI bus", "[power]") {
  const FakeLibrary nvml;
  for (const std::string& id : {uuid, uuid + "#1:0", std::string("pci-e4:08")}) {
    const PowerSensors sensors = sensors_of(gpu(id));
    REQUIRE(sensors.energy);
    REQUIRE(sensors.clock);
    CHECK(sensors.energy->name() == "nvml");
    CHECK(*sensors.energy->joules() == Approx(1234.5));
    CHECK(nvml->asked_device == 1);
    CHECK(*sensors.clock->read().mhz == 1980);
    CHECK(nvml->initialised == 1);
  }
  CHECK(nvml->initialised == 0);
}

TEST_CASE("another device, an ambiguous one and a broken library have no sensors", "[power]") {
  const FakeLibrary nvml;
  const auto has_none = [](const PowerSensors& sensors) { return !sensors.energy && !sensors.clock; };
  CHECK(has_none(sensors_of(gpu("uuid-00000000000000000000000000000002"))));
  CHECK(has_none(sensors_of(gpu("pci-e4:00"))));
  CHECK(has_none(sensors_of(gpu("NVIDIA CUDA/NVIDIA H200"))));
  CHECK(has_none(sensors_of(gpu(""))));
  CHECK(has_none(find_power_sensors(gpu(uuid), {"libnothing-of-that-name.so", "/nonexistent"})));
  CHECK(has_none(find_power_sensors(gpu(uuid), {"libm.so.6", "/nonexistent"})));  // lacks the functions
  nvml->initialises = false;
  CHECK(has_none(sensors_of(gpu(uuid))));
  nvml->initialises = true;
  nvml->devices[0] = nvml->devices[1];
  CHECK(has_none(sensors_of(gpu("pci-e4:08"))));
  CHECK(nvml->initialised == 0);
}

TEST_CASE("what NVML does not support is absent, never zero", "[power]") {
  const FakeLibrary nvml;
  nvml->tells_energy = false;
  nvml->tells_clock = false;
  PowerSensors sensors = sensors_of(gpu(uuid));
  CHECK_FALSE(sensors.energy);
  REQUIRE(sensors.clock);
  CHECK_FALSE(sensors.clock->read().mhz);
  REQUIRE(sensors.clock->read().throttle_reasons);
  CHECK(sensors.clock->read().throttle_reasons->empty());
  nvml->tells_clock = true;
  nvml->tells_reasons = false;
  sensors = sensors_of(gpu(uuid));
  REQUIRE(sensors.clock);
  CHECK(sensors.clock->read().mhz);
  CHECK_FALSE(sensors.clock->read().throttle_reasons);
  nvml->tells_clock = false;
  CHECK_FALSE(sensors_of(gpu(uuid)).clock);
}

TEST_CASE("idling and a clock that the user has set are no throttling", "[power]") {
  const FakeLibrary nvml;
  using Reasons = std::vector<std::string>;
  const auto reasons_of = [&](unsigned long long bits) {
    nvml->reasons = bits;
    return *sensors_of(gpu(uuid)).clock->read().throttle_reasons;
  };
  CHECK(reasons_of(0x103) == Reasons{});
  CHECK(reasons_of(0x04) == Reasons{"power_cap"});
  CHECK(reasons_of(0x48) == Reasons{"hardware_slowdown", "hardware_thermal"});
  CHECK(reasons_of(0x1FF) == Reasons{"power_cap", "hardware_slowdown", "sync_boost", "thermal",
                                     "hardware_thermal", "power_brake"});
}

TEST_CASE("a slow clock is not read for every measurement block", "[power]") {
  const FakeLibrary nvml;
  const PowerSensors sensors = sensors_of(gpu(uuid));
  nvml->clock_takes_ms = 20;
  nvml->clock_calls = 0;
  for (int i = 0; i < 10; ++i) sensors.clock->read();
  CHECK(nvml->clock_calls == 1);
}

TEST_CASE("a measurement block has the mean clock and all reasons of its begin and end", "[power]") {
  using Reasons = std::vector<std::string>;
  const ClockReading fast{2000, Reasons{"power_cap"}};
  const ClockReading slow{1000, Reasons{"thermal", "power_cap"}};
  CHECK(average(fast, slow) == ClockReading{1500, Reasons{"power_cap", "thermal"}});
  CHECK(average(fast, {}) == ClockReading());
  CHECK(average({}, {}) == ClockReading());
}

TEST_CASE("RAPL counts all packages, once, over their wrap-around", "[power]") {
  const test::ScratchDirectory scratch;
  const auto sensors = [&] { return find_power_sensors(cpu(), {FAKE_NVML, scratch.path()}); };
  CHECK_FALSE(sensors().energy);
  const Zone first(scratch.path(), "intel-rapl:0", "package-0");
  CHECK_FALSE(sensors().energy);  // the counter cannot be read
  const Zone second(scratch.path(), "intel-rapl:1", "package-1");
  const Zone part(scratch.path(), "intel-rapl:0:0", "core");
  const Zone platform(scratch.path(), "intel-rapl:2", "psys");
  const Zone mapped(scratch.path(), "intel-rapl-mmio:0", "package-0");
  for (const Zone& each : {first, second, part, platform, mapped}) {
    each.set("energy_uj", 1'000'000);
    each.set("max_energy_range_uj", 262'143'000'000);
  }
  const PowerSensors found = sensors();
  REQUIRE(found.energy);
  CHECK_FALSE(found.clock);
  CHECK(found.energy->name() == "rapl");
  const double begin = *found.energy->joules();
  first.set("energy_uj", 3'500'000);
  for (const Zone& each : {part, platform, mapped}) each.set("energy_uj", 900'000'000);
  CHECK(*found.energy->joules() - begin == Approx(2.5));
  second.set("energy_uj", 500'000);  // below what it was: it has wrapped around
  CHECK(*found.energy->joules() - begin == Approx(2.5 + 262'143 - 0.5));
  DeviceInfo host = cpu();
  host.type = "host";
  CHECK(find_power_sensors(host, {FAKE_NVML, scratch.path()}).energy);
  CHECK_FALSE(find_power_sensors(gpu("AMD/gfx"), {FAKE_NVML, scratch.path()}).energy);
}

TEST_CASE("a counter that decreases and states no range is ignored from then on", "[power]") {
  const test::ScratchDirectory scratch;
  const Zone zone(scratch.path(), "intel-rapl:0", "package-0");
  zone.set("energy_uj", 1'000'000);
  const PowerSensors found = find_power_sensors(cpu(), {FAKE_NVML, scratch.path()});
  REQUIRE(found.energy);
  zone.set("energy_uj", 10);
  CHECK_FALSE(found.energy->joules());
}

TEST_CASE("energy per run is from step to step of the counter", "[power]") {
  // A run each 10 ns from 1000 on, 7 J each: a step at 1005 + 100 i comes half a run late.
  std::vector<RunCount> counts;
  for (int i = 0; i <= 50; ++i) counts.push_back({1000 + 20 * i, 2 * i});
  std::vector<EnergyStep> steps = {{900, -70}};
  for (int i = 0; i <= 9; ++i) steps.push_back({1005 + 100 * i, 3.5 + 70.0 * i});
  steps.push_back({2300, 1e6});  // long after the last run
  const auto use = energy_use(steps, counts, 5);
  REQUIRE(use);
  CHECK(use->steps == 9);
  CHECK(use->joules == Approx(630));
  CHECK(use->runs == Approx(90));
  CHECK(use->seconds == Approx(900e-9));
  CHECK_FALSE(energy_use(steps, counts, 10));
  CHECK_FALSE(energy_use({}, counts, 1));
  CHECK_FALSE(energy_use(steps, {}, 1));
  CHECK_FALSE(energy_use({{1005, 3}, {1105, 3}}, counts, 1));  // no energy is no answer
}

TEST_CASE("back-to-back runs under a counter of 20 W", "[power]") {
  SteadyMeter meter(milliseconds(20));
  std::int64_t runs = 0;
  const auto begin = std::chrono::steady_clock::now();
  const auto use =
      measure_energy(meter,
                     [&](std::int64_t count) {
                       runs += count;
                       std::this_thread::sleep_for(milliseconds(2 * count));
                     },
                     2e-3, {.min_seconds = 0.1, .max_seconds = 60, .min_steps = 5, .enough_steps = 20});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  REQUIRE(use);
  CHECK(use->steps >= 5);
  CHECK(use->runs <= static_cast<double>(runs));
  CHECK(use->seconds <= seconds);
  // The steps are seen late by what the machine does else: by up to a few of the twenty.
  CHECK(use->joules / use->seconds == Approx(20).epsilon(0.3));
  // Evenly spread, the runs between the steps are as many as their share of the time.
  CHECK(use->runs / use->seconds == Approx(static_cast<double>(runs) / seconds).epsilon(0.3));
}

TEST_CASE("a counter that stands still ends the phase without an answer, and a failing run ends it at once",
          "[power]") {
  SteadyMeter still(milliseconds(1'000'000));
  int batches = 0;
  const auto run = [&](std::int64_t) {
    ++batches;
    std::this_thread::sleep_for(milliseconds(1));
  };
  CHECK_FALSE(measure_energy(still, run, 1, {.min_seconds = 0.01, .max_seconds = 0.05}));
  CHECK(batches >= 1);
  CHECK_THROWS_AS(
      measure_energy(still, [](std::int64_t) { throw std::runtime_error("a wrong result"); }, 1, {}),
      std::runtime_error);
}
