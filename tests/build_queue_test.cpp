// Which program builders build next, and what is known of a point's programs.
#include "suite/engine/build_queue.hpp"

#include <algorithm>

#include "dwarfs/registry.hpp"
#include "suite/engine/build_ahead.hpp"
#include "tests/catch.hpp"

using namespace dwarfsweep;

namespace {

using State = BuildQueue::State;
constexpr std::size_t nothing = 1000;

PointRequest point(int number) {
  PointRequest request;
  request.dwarf = "dwarf";
  request.config = Config().with("granularity", Value(std::int64_t{number}));
  return request;
}

std::string key(int number) {
  return point(number).key();
}

ProgramText program(const std::string& name) {
  return {"dwarf/dwarf", "kernel void " + name + "() {}", ""};
}

// Lists the next group: each point has the programs of these names.
void list(BuildQueue& queue, const std::vector<std::string>& names_of_points) {
  const auto job = queue.next();
  REQUIRE(job);
  REQUIRE(job->to_list.size() == names_of_points.size());
  ProgramList all;
  for (const std::string& names : names_of_points) {
    all.points.emplace_back();
    if (names == "?") continue;
    all.points.back().emplace();
    for (const char name : names) {
      all.points.back()->push_back(all.programs.size());
      all.programs.push_back(program(std::string(1, name)));
    }
  }
  queue.listed(*job, all);
}

// The names of the programs that are begun one after the other.
std::string order_of(BuildQueue& queue) {
  std::string names;
  while (const auto job = queue.next()) names += job->to_build.text.substr(12, 1);
  return names;
}

}  // namespace

TEST_CASE("early points of all groups are built first, each program once") {
  BuildQueue queue(nothing);
  queue.add({point(1), point(2), point(3)}, 1);
  queue.add({point(4), point(5)}, 1);
  CHECK(queue.state_of(key(1)) == State::unlisted);
  list(queue, {"ab", "bc", "d"});
  list(queue, {"e", "af"});
  CHECK(queue.state_of(key(1)) == State::waiting);
  CHECK(queue.state_of(key(99)) == State::unknown);
  CHECK(order_of(queue) == "abecdf");
}

TEST_CASE("preferred points are built first") {
  BuildQueue queue(nothing);
  queue.add({point(1), point(2), point(3)}, 1);
  list(queue, {"a", "b", "c"});
  queue.prefer({key(3), key(99), key(2)});
  CHECK(order_of(queue) == "cba");
}

TEST_CASE("where nothing is to be listed ahead, the groups of preferred points are listed") {
  BuildQueue queue(0);
  queue.add({point(1)}, 1);
  queue.add({point(2), point(3)}, 1);
  CHECK_FALSE(queue.next());
  queue.prefer({key(3)});
  list(queue, {"a", "b"});
  CHECK(order_of(queue) == "ba");
  CHECK(queue.state_of(key(1)) == State::unlisted);
}

TEST_CASE("a point is ready when all its programs are, and failed when one is") {
  BuildQueue queue(nothing);
  queue.add({point(1), point(2), point(3)}, 3);
  list(queue, {"ab", "ac", "?"});
  CHECK(queue.state_of(key(3)) == State::unknown);
  const auto a = queue.next();
  const auto b = queue.next();
  const auto c = queue.next();
  REQUIRE((a && b && c && !queue.next()));
  queue.built(*a);
  CHECK(queue.state_of(key(1)) == State::under_way);
  queue.built(*b);
  CHECK(queue.state_of(key(1)) == State::ready);
  queue.failed(*c, {Status::build_failed, "no such word", ""});
  CHECK(queue.state_of(key(2)) == State::failed);
  CHECK(queue.outcome_of(key(2)).reason == "no such word");
  CHECK(queue.outcome_of(key(1)).status == Status::ok);
}

TEST_CASE("what no builder has begun can be left to the worker") {
  BuildQueue queue(nothing);
  queue.add({point(1), point(2)}, 2);
  list(queue, {"ab", "bc"});
  REQUIRE(queue.next()->to_build.text == program("a").text);
  queue.leave_to_worker(key(1));
  CHECK(queue.state_of(key(1)) == State::unknown);
  CHECK(queue.state_of(key(2)) == State::unknown);
  CHECK(order_of(queue) == "c");
}

TEST_CASE("a program that kills a builder is at fault if it also kills one that has done nothing else") {
  BuildQueue queue(nothing);
  queue.add({point(1), point(2)}, 2);
  list(queue, {"a", "b"});
  auto a = queue.next();
  REQUIRE_FALSE(a->in_new_process);
  queue.crashed(*a, {Status::crashed, "died", ""}, false);
  CHECK(queue.state_of(key(1)) == State::waiting);
  a = queue.next();
  CHECK(a->in_new_process);
  SECTION("it does") {
    queue.crashed(*a, {Status::crashed, "died again", ""}, true);
    CHECK(queue.state_of(key(1)) == State::failed);
    CHECK(queue.outcome_of(key(1)).status == Status::crashed);
    CHECK(queue.outcome_of(key(1)).reason == "died again");
  }
  SECTION("it does not, and the point's row says so") {
    queue.built(*a);
    CHECK(queue.state_of(key(1)) == State::ready);
    CHECK(queue.outcome_of(key(1)).note == "crashed one builder; a retry succeeded: died");
  }
  CHECK(queue.state_of(key(2)) == State::waiting);
}

TEST_CASE("programs that a builder cannot judge are left to the worker") {
  BuildQueue queue(nothing);
  queue.add({point(1)}, 1);
  queue.add({point(2)}, 1);
  const auto job = queue.next();
  queue.cannot_list(*job);
  CHECK(queue.state_of(key(1)) == State::unknown);
  list(queue, {"a"});
  queue.cannot_build(*queue.next());
  CHECK(queue.state_of(key(2)) == State::unknown);
}

TEST_CASE("a job that a builder gives back is begun again") {
  BuildQueue queue(nothing);
  queue.add({point(1)}, 1);
  queue.give_back(*queue.next());
  CHECK(queue.state_of(key(1)) == State::unlisted);
  list(queue, {"a"});
  queue.give_back(*queue.next());
  CHECK(queue.state_of(key(1)) == State::waiting);
  CHECK(order_of(queue) == "a");
}

TEST_CASE("how many builders a device gets") {
  DeviceInfo gpu;
  gpu.type = "gpu";
  gpu.capabilities.global_bytes = std::uint64_t{140} << 30U;
  DeviceInfo small_gpu = gpu;
  small_gpu.capabilities.global_bytes = std::uint64_t{8} << 30U;
  DeviceInfo cpu = gpu;
  cpu.type = "cpu";
  DeviceInfo host = gpu;
  host.type = "host";
  const auto counted = [](const DeviceInfo& device, int asked, int cores) {
    const BuilderCount count = count_builders(device, asked, cores);
    return std::pair(count.processes, count.beside_timing);
  };
  CHECK(counted(gpu, -1, 16) == std::pair(14, true));
  CHECK(counted(gpu, -1, 64) == std::pair(14, true));
  CHECK(counted(gpu, -1, 4) == std::pair(2, true));
  CHECK(counted(gpu, -1, 3) == std::pair(0, false));
  CHECK(counted(gpu, 2, 3) == std::pair(2, false));
  CHECK(counted(gpu, 20, 16) == std::pair(14, true));
  CHECK(counted(gpu, 0, 16) == std::pair(0, false));
  CHECK(counted(small_gpu, -1, 16) == std::pair(2, true));
  CHECK(counted(cpu, -1, 16) == std::pair(0, false));
  CHECK(counted(cpu, 3, 16) == std::pair(3, false));
  CHECK(counted(host, 3, 16) == std::pair(0, false));
}

TEST_CASE("a large problem does not keep the points of others from being launched ahead") {
  DeviceInfo cpu;
  cpu.capabilities.global_bytes = std::uint64_t{4} << 30U;
  const auto points = [](const char* size, int count) {
    PointRequest request;
    request.dwarf = "sgemv";
    const DwarfInfo& info = find_dwarf("sgemv").info();
    const auto found = std::ranges::find(info.sizes, std::string(size), &Size::name);
    request.problem = make_problem("sgemv", info.keys, *found);
    return std::vector<PointRequest>(count, request);
  };
  std::vector<PointRequest> both = points("medium", 20);
  const std::vector<PointRequest> large = points("large", 10);  // 256 MiB
  both.insert(both.end(), large.begin(), large.end());
  CHECK(launching_processes(cpu, both, 16) == 16);
  CHECK(both.size() == 20);
  std::vector<PointRequest> alone = large;
  CHECK(launching_processes(cpu, alone, 16) == 2);  // a quarter of 4 GiB, two copies of 256 MiB each
  CHECK(alone.size() == 10);
}

TEST_CASE("a paused clock stands still, and reports for how long") {
  using std::chrono::milliseconds;
  const auto steady = [] { return std::chrono::steady_clock::now().time_since_epoch(); };
  PausableClock clock;
  const auto begin = steady();
  clock.pause();
  const auto stopped_at = clock.now();
  std::this_thread::sleep_for(milliseconds(30));
  CHECK(clock.now() == stopped_at);
  CHECK(clock.time_paused(begin, steady()) >= milliseconds(30));
  clock.resume();
  const auto end = steady();
  std::this_thread::sleep_for(milliseconds(2));
  CHECK(clock.now() > stopped_at);
  CHECK(clock.time_paused(begin, end) >= milliseconds(30));
  CHECK(clock.time_paused(begin, end) <= end - begin);
  CHECK(clock.time_paused(begin, begin + milliseconds(10)) <= milliseconds(10));
  CHECK(clock.time_paused(end, end + milliseconds(10)).count() == 0);
}
