// Builders as processes: their programs are in the cache, they stop on request, and end with the pool.
// Launching ahead.
#include "suite/engine/build_ahead.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "dwarfs/registry.hpp"
#include "harness/program/program_cache.hpp"
#include "harness/space/text.hpp"
#include "suite/engine/sweep_group.hpp"
#include "suite/worker/serve.hpp"
#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

namespace fs = std::filesystem;

// A program cache of its own, for this process and the builders that it starts.
struct Cache {
  fs::path folder = fs::temp_directory_path() / ("build_pool_test_" + std::to_string(::getpid()));
  std::optional<std::string> before;
  Cache() {
    fs::remove_all(folder);
    if (const char* const set = std::getenv("DWARFSWEEP_CACHE")) before = set;
    ::setenv("DWARFSWEEP_CACHE", folder.c_str(), 1);
  }
  ~Cache() {
    before ? ::setenv("DWARFSWEEP_CACHE", before->c_str(), 1) : ::unsetenv("DWARFSWEEP_CACHE");
    fs::remove_all(folder);
  }
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
};

// Whether a program that one process launched comes from the cache in the next: rusticl keeps nothing for
// other processes, and Oclgrind compiles nothing.
bool can_share_programs(const DeviceInfo& device) {
  return device.type == "cpu" && !device.checks_bounds && lower(device.platform) != "rusticl";
}

std::vector<PointRequest> some_points() {
  const Dwarf& dwarf = find_dwarf("saxpy");
  std::vector<PointRequest> points;
  for (const std::int64_t group : {16, 32, 64}) {
    PointRequest point;
    point.dwarf = "saxpy";
    point.problem = test::generated(dwarf, dwarf.info().checks.odd_problems.front()).problem;
    point.config = dwarf.space().baseline().with("work_group", group);
    points.push_back(point);
  }
  return points;
}

BuildPool::Settings settings(bool beside_timing) {
  return {test::test_session().device(), "", 2, beside_timing, std::chrono::minutes(5), ""};
}

std::size_t entries(const fs::path& folder) {
  return fs::exists(folder) ? static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {})) : 0;
}

bool has_children() {
  return ::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

}  // namespace

TEST_CASE("what builders have built lies in the program cache", "[device]") {
  const Cache cache;
  const std::vector<PointRequest> points = some_points();
  const ProgramList list = list_programs(test::test_session().device(), "", points);
  REQUIRE(list.programs.size() == 3);
  {
    BuildPool pool(settings(false));
    pool.add(points, 1);
    std::vector<std::string> keys;
    for (const PointRequest& point : points) keys.push_back(point.key());
    pool.prefer(keys);
    for (const std::string& key : keys) {
      const auto outcome = pool.wait_for(key);
      REQUIRE(outcome);
      CHECK(outcome->status == Status::ok);
      CHECK(has_children());
    }
    CHECK_FALSE(pool.wait_for("no such point"));
  }
  CHECK_FALSE(has_children());
  for (const ProgramText& text : list.programs)
    CHECK(ProgramCache(cache.folder).find(ProgramKey(text, test::test_session().device())));
}

TEST_CASE("builders that do not run during timing work only while somebody waits for them", "[device]") {
  const Cache cache;
  const std::vector<PointRequest> points = some_points();
  BuildPool pool(settings(false));
  pool.add(points, 1);
  pool.prefer({points[0].key(), points[1].key(), points[2].key()});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(entries(cache.folder) == 0);
  CHECK_FALSE(has_children());
  CHECK(pool.wait_for(points[0].key()));
  const std::size_t built = entries(cache.folder);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(entries(cache.folder) == built);
  CHECK(pool.wait_for(points[2].key()));
}

TEST_CASE("builders that run during timing are ahead of the worker, and can be stopped and ended at any time",
          "[device]") {
  const Cache cache;
  const std::vector<PointRequest> points = some_points();
  const std::vector<std::string> keys{points[0].key(), points[1].key(), points[2].key()};
  {
    BuildPool pool(settings(true));
    pool.add(points, 1);
    pool.stop();
    pool.go_on();
    // Without anybody waiting for them.
    while (entries(cache.folder) < 3) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::vector<std::string> last{"no such point", keys[2]};
    while (pool.choose(last) != 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (const std::string& key : keys) CHECK(pool.wait_for(key)->status == Status::ok);
    pool.stop();
  }
  CHECK_FALSE(has_children());
  {
    BuildPool pool(settings(true));
    pool.add(points, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK_FALSE(has_children());
}

TEST_CASE("a program that does not compile costs its point, with what the compiler says", "[device]") {
  const Cache cache;
  const fs::path kernels = cache.folder / "kernels";
  fs::create_directories(kernels / "saxpy");
  std::ofstream(kernels / "prelude.cl") << "#if WORK_GROUP == 32\n#error not this one\n#endif\n";
  std::ofstream(kernels / "saxpy" / "saxpy.cl") << "kernel void saxpy(global float* y) { y[0] = 0; }\n";
  BuildPool::Settings with_kernels = settings(false);
  with_kernels.kernels = kernels.string();
  const std::vector<PointRequest> points = some_points();
  BuildPool pool(with_kernels);
  pool.add(points, 1);
  pool.prefer({points[0].key(), points[1].key(), points[2].key()});
  CHECK(pool.wait_for(points[0].key())->status == Status::ok);
  const auto failed = pool.wait_for(points[1].key());
  REQUIRE(failed);
  CHECK(failed->status == Status::build_failed);
  CHECK_THAT(failed->reason, test::contains("building saxpy/saxpy.cl failed"));
  CHECK_THAT(failed->reason, test::contains("not this one"));
  CHECK(pool.wait_for(points[2].key())->status == Status::ok);
}

TEST_CASE("what a builder that cannot start has taken is done by the others, or left to the worker",
          "[device]") {
  const Cache cache;
  const std::vector<PointRequest> points = some_points();
  BuildPool::Settings of_pool = settings(false);
  of_pool.limit = std::chrono::seconds(20);
  BuildPool pool(of_pool);
  pool.add(points, 1);
  pool.prefer({points[0].key(), points[1].key(), points[2].key()});
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  const int next_file = ::dup(0);
  ::close(next_file);
  // None, then one of the two has the files that it needs.
  const int allowed = GENERATE(0, 5);
  rlimit few = files;
  few.rlim_cur = static_cast<rlim_t>(next_file + allowed);
  ::setrlimit(RLIMIT_NOFILE, &few);
  const auto begin = std::chrono::steady_clock::now();
  const auto outcome = pool.wait_for(points[0].key());
  const auto took = std::chrono::steady_clock::now() - begin;
  ::setrlimit(RLIMIT_NOFILE, &files);
  CHECK(took < std::chrono::seconds(20));
  CHECK((!outcome || outcome->status == Status::ok));
}

TEST_CASE("no builder is started while the pool is paused", "[device]") {
  const Cache cache;
  BuildQueue queue(1);
  queue.add(some_points(), 1);
  const auto job = queue.next();
  REQUIRE(job);
  std::mutex mutex;
  std::unique_lock<std::mutex> lock(mutex);
  const BuildPool::Settings of_pool = settings(true);
  PausableClock clock;
  std::atomic<bool> cancelled{false};
  BuildProcess process({of_pool.device, "", of_pool.limit, "", {&clock, &cancelled}});
  CHECK(process.do_job(*job, queue, lock, true));
  CHECK_FALSE(has_children());
  CHECK(queue.state_of(some_points().front().key()) == BuildQueue::State::unlisted);
  REQUIRE(queue.next());
  CHECK(process.do_job(*job, queue, lock, false));
  CHECK(has_children());
  CHECK(queue.state_of(some_points().front().key()) == BuildQueue::State::waiting);
}

TEST_CASE("builders build for the device as its worker has tested it", "[device]") {
  const Cache cache;
  PointRequest point;
  point.dwarf = "srad";
  const Dwarf& dwarf = find_dwarf("srad");
  point.problem = test::generated(dwarf, dwarf.info().checks.odd_problems.front()).problem;
  point.config = dwarf.space().default_config("fused_rows", test::test_session().device().capabilities);
  DeviceInfo tested = test::test_session().device();
  tested.progress = {true, "groups that wait stop the others", 0, 0};
  const ProgramList list = list_programs(tested, "", {point});
  REQUIRE_FALSE(list.programs.empty());
  BuildPool pool(settings(false));
  pool.add({point}, 1);
  pool.set_device(tested);
  pool.prefer({point.key()});
  REQUIRE(pool.wait_for(point.key()));
  for (const ProgramText& text : list.programs)
    CHECK(ProgramCache(cache.folder).find(ProgramKey(text, tested)));
  CHECK(entries(cache.folder) == list.programs.size());
}

TEST_CASE("a CPU's points are launched ahead, whatever becomes of some of them", "[device]") {
  const Cache cache;
  const DeviceInfo& device = test::test_session().device();
  std::vector<PointRequest> points = some_points();
  const ProgramList list = list_programs(device, "", points);
  // No device has work-groups of this size.
  points.insert(points.begin(), points.front());
  points.front().config = points.front().config.with("work_group", std::int64_t{1} << 30);
  const Options options;
  BuildAhead builds(options, fs::path(), 2);
  DeviceClient client(device, {.kernels = "", .output = "/dev/null"});
  CHECK_FALSE(builds.should_launch(device));  // nothing was compiled
  builds.prepared(std::chrono::seconds(1), 1e6);
  REQUIRE(builds.should_launch(device) == can_share_programs(device));
  if (!can_share_programs(device)) return;
  builds.launch(client, points, std::chrono::steady_clock::now() + std::chrono::minutes(5));
  for (const ProgramText& text : list.programs)
    CHECK(ProgramCache(cache.folder).find(ProgramKey(text, device)).has_value());
  client.stop();
  CHECK_FALSE(has_children());

  // What failed may fail again, and takes time from the others.
  std::vector<SweepPoint> planned;
  for (const PointRequest& point : points) planned.push_back({.request = point, .key = {}});
  std::vector<SweepPoint*> left;
  for (SweepPoint& point : planned) left.push_back(&point);
  std::vector<const SweepPoint*> order;
  while (!left.empty()) order.push_back(builds.take_next(left));
  CHECK(order.front() == &planned[1]);
  CHECK(order.back() == &planned[0]);
}

TEST_CASE("a CPU's points are launched while a GPU is timed, until another device is entered", "[device]") {
  const Cache cache;
  const DeviceInfo& device = test::test_session().device();
  DeviceInfo gpu = device;
  gpu.id = "a GPU";
  gpu.type = "gpu";
  gpu.capabilities.global_bytes = std::uint64_t{16} << 30U;
  std::vector<PointRequest> points = some_points();
  const ProgramList list = list_programs(device, "", points);
  // No device has work-groups of this size.
  points.insert(points.begin(), points.front());
  points.front().config = points.front().config.with("work_group", std::int64_t{1} << 30);
  const Options options;
  constexpr int cores = 4;  // two more than timing needs
  const auto is_built = [&](const ProgramText& text) {
    return ProgramCache(cache.folder).find(ProgramKey(text, device)).has_value();
  };
  DeviceClient client(device, {.kernels = "", .output = "/dev/null"});
  {
    BuildAhead builds(options, fs::path(), cores);
    builds.enter_unplanned(gpu);
    CHECK_FALSE(builds.should_launch_meanwhile(device));  // nothing was compiled
    builds.prepared(std::chrono::seconds(1), 1e6);
    REQUIRE(builds.should_launch_meanwhile(device) == can_share_programs(device));
    if (!can_share_programs(device)) return;
    builds.launch_meanwhile(client, points);
    CHECK_FALSE(builds.can_launch_meanwhile(device));  // it has begun
    builds.enter(device);
    client.stop();
    CHECK_FALSE(has_children());
    CHECK_FALSE(std::ranges::all_of(list.programs, is_built));
  }
  BuildAhead builds(options, fs::path(), cores);
  builds.enter_unplanned(gpu);
  builds.prepared(std::chrono::seconds(1), 1e6);
  builds.launch_meanwhile(client, points);
  const auto given_up = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!std::ranges::all_of(list.programs, is_built) && std::chrono::steady_clock::now() < given_up)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(std::ranges::all_of(list.programs, is_built));
  builds.end();
  client.stop();
  CHECK_FALSE(has_children());
}
