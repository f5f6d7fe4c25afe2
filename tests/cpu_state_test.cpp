// What the run records of the host's CPUs, and the lists by which it is bound to some of them.
#include "suite/record/host_info.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/worker/host_limits.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

}  // namespace

TEST_CASE("the state of the CPUs is read if the system reports it", "[host]") {
  const test::ScratchDirectory scratch;
  const auto cpus = scratch.path() / "sys/devices/system/cpu";
  const auto nodes = scratch.path() / "sys/devices/system/node";
  for (const int cpu : allowed_cpus())
    write(cpus / fmt::format("cpu{}/cpufreq/scaling_governor", cpu), "powersave\n");
  write(cpus / "cpu100000/cpufreq/scaling_governor", "performance\n");  // not a CPU of this process
  write(nodes / "node0/cpulist", "0-7,16\n");
  write(nodes / "node1/cpulist", "8-15\n");
  write(nodes / "node2/cpulist", "\n");  // memory without CPUs
  write(nodes / "online", "0-2\n");
  write(scratch.path() / "proc/loadavg", "3.25 1.00 0.50 2/300 4711\n");
  CpuState state = read_cpu_state(scratch.path());
  CHECK(state.allowed == cpu_list_text(allowed_cpus()));
  CHECK(state.governors == std::vector<std::string>{"powersave"});
  CHECK(state.numa_nodes == std::map<std::string, std::string>{{"0", "0-7,16"}, {"1", "8-15"}});
  CHECK(state.load_average == 3.25);
  CHECK(state.turbo.empty());
  write(cpus / "cpufreq/boost", "1\n");
  CHECK(read_cpu_state(scratch.path()).turbo == "on");
  write(cpus / "intel_pstate/no_turbo", "1\n");
  CHECK(read_cpu_state(scratch.path()).turbo == "off");
  state.turbo = "on";
  state.busy_cpus = 0;
  CHECK(Json(Json(state).get<CpuState>()) == Json(state));
  CHECK(Json(state).at("busy_cpus") == 0);
}

TEST_CASE("values that the system does not report about its CPUs are left out", "[host]") {
  const test::ScratchDirectory scratch;
  const CpuState state = read_cpu_state(scratch.path());
  CHECK(Json(state) == Json({{"allowed", cpu_list_text(allowed_cpus())}}));
  CHECK(Json(CpuState()) == Json::object());
  CHECK_FALSE(Json::object().get<CpuState>().load_average);
}

TEST_CASE("busy CPUs are counted by their lines of /proc/stat", "[host]") {
  const std::string before =
      "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 100 0 0 1000 50 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0 0 0\n"
      "cpu10 7 0 0 9 0 0 0 0 0 0\n";
  const std::string after =
      "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 110 2 3 1070 60 1 2 2 90 0\ncpu1 0 0 0 100 0 0 0 0 0 0\n"
      "cpu10 99 0 0 9 0 0 0 0 0 0\n";
  // Of 100 ticks 20 busy: 10 + 2 + 3 + 1 + 2 + 2, without idle, iowait and guest.
  CHECK(*busy_cpus_between(before, after, {0}) == Approx(0.2));
  CHECK(*busy_cpus_between(before, after, {0, 1}) == Approx(0.2));
  CHECK_FALSE(busy_cpus_between(before, before, {0}));
  CHECK_FALSE(busy_cpus_between(before, after, {3}));
  CHECK_FALSE(busy_cpus_between("", "", {0}));
}

TEST_CASE("others that keep more than a quarter of the CPUs busy give a warning", "[host]") {
  CpuState state;
  state.allowed = "0-2,8";
  CHECK(load_warning(state).empty());
  state.busy_cpus = 1.0;
  CHECK(load_warning(state).empty());
  state.busy_cpus = 1.1;
  CHECK(load_warning(state).find("1.1 of the 4 CPUs") != std::string::npos);
}

TEST_CASE("lists of CPUs", "[host]") {
  CHECK(parse_cpu_list("0-3,16") == std::vector<int>{0, 1, 2, 3, 16});
  CHECK(parse_cpu_list("5,2,2-3") == std::vector<int>{2, 3, 5});
  CHECK(cpu_list_text({2, 3, 5, 7, 8, 9}) == "2-3,5,7-9");
  CHECK(cpu_list_text({}).empty());
  for (const char* list : {"", ",", "0,", "x", "3-1", "-1", "1-", "0 1", "1.5", "0-9999", "99999999999"})
    CHECK_THROWS_AS(parse_cpu_list(list), UsageError);
}

TEST_CASE("processors have names on every architecture", "[host]") {
  const test::ScratchDirectory scratch;
  const auto name_of = [&](const std::string& cpuinfo) {
    write(scratch.path() / "proc/cpuinfo", cpuinfo);
    return processor_name(scratch.path());
  };
  CHECK(name_of("processor\t: 0\ncpu family\t: 6\nmodel name\t: Intel(R) Xeon(R) CPU\n") ==
        "Intel(R) Xeon(R) CPU");
  CHECK(name_of("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n") == "POWER9, altivec supported");
  const std::string n1 = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n";
  CHECK(name_of(n1) == "ARM implementer 0x41 part 0xd0c");
  CHECK(name_of("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n") != name_of(n1));
  CHECK(name_of(n1 + "processor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd05\n") ==
        "ARM implementer 0x41 part 0xd0c, 0xd05");
  CHECK(name_of("processor\t: 0\n") == "unknown");
  write(scratch.path() / "sys/class/dmi/id/product_name", "Altra Server\n");
  CHECK(name_of(n1) == "ARM implementer 0x41 part 0xd0c (Altra Server)");
  write(scratch.path() / "sys/firmware/devicetree/base/model", std::string("Pi 4 Model B\0", 13));
  CHECK(name_of(n1) == "ARM implementer 0x41 part 0xd0c (Pi 4 Model B)");
}
