#include "suite/plan/best.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
using dwarfsweep::test::ScratchDirectory;

namespace {

BestPoint point_of(const std::string& problem, double median_ns, const std::string& config = "variant=a") {
  DeviceInfo device;
  device.name = "CPU, fast";
  device.type = "cpu";
  device.id = "id";
  device.driver = "1.0";
  device.capabilities.compute_units = 2;
  device.capabilities.float_lanes = 8;
  BestPoint point =
      make_best_point(device, "lud", {"custom", ValueMap::parse(problem)}, Config::parse(config));
  point.median_ns = median_ns;
  point.timer = "device";
  return point;
}

}  // namespace

TEST_CASE("of one device, driver, dwarf and problem the fastest is kept", "[unit]") {
  const ScratchDirectory folder;
  const auto path = folder.path() / "results" / "best" / "points.csv";
  CHECK(read_own_best(path).empty());
  keep_best_points({point_of("n=10", 100)}, path);
  keep_best_points({point_of("n=10", 120, "variant=b"), point_of("n=20", 500)}, path);
  std::vector<BestPoint> all = read_own_best(path);
  REQUIRE(all.size() == 2);
  CHECK(all.front().config == "variant=a");
  CHECK(all.front().device == "CPU, fast");
  CHECK(all.front().compute_units == 2);
  CHECK(all.front().float_lanes == 8);
  keep_best_points({point_of("n=10", 90, "variant=b")}, path);
  CHECK(read_own_best(path).front().config == "variant=b");
  keep_best_points({point_of("n=10", 95, "variant=b")}, path);  // the same again
  CHECK(read_own_best(path).front().median_ns == 95);
  BestPoint other = point_of("n=10", 300, "variant=c");
  other.timer = "host";
  keep_best_points({other}, path);
  CHECK(read_own_best(path).front().config == "variant=c");
  other.driver = "2.0";
  keep_best_points({other}, path);
  CHECK(read_own_best(path).size() == 3);
}

TEST_CASE("points of a run get the figures of their devices", "[unit]") {
  DeviceInfo device;
  device.id = "id";
  device.capabilities.compute_units = 132;
  device.capabilities.float_lanes = 16;
  std::vector<BestPoint> points(2);
  points[0].device_id = "id";
  points[1].device_id = "another";
  set_figures(points, {device});
  CHECK(points[0].compute_units == 132);
  CHECK(points[0].float_lanes == 16);
  CHECK_FALSE(points[1].compute_units);
}

TEST_CASE("a file of best points that cannot be read is left as it is", "[unit]") {
  const ScratchDirectory folder;
  for (const char* text : {"what,is,this\n1,2,3\n", "\n\n", "device,device_type\n\"open,quote\n",
                           "device,device_type,platform,dwarf,size,problem,config,run_id,median_ns,speedup\n"
                           "a,b,c,d,e,f,g,h,not a number,1\n"}) {
    const auto path = folder.file("points.csv", text);
    CHECK(read_own_best(path).empty());
    keep_best_points({point_of("n=10", 100)}, path);
    CHECK(test::content(path) == text);
  }
  // An empty one has nothing to lose.
  const auto empty = folder.file("empty.csv", "");
  keep_best_points({point_of("n=10", 100)}, empty);
  CHECK(read_own_best(empty).size() == 1);
}

TEST_CASE("writers at the same time lose nothing, nor do killed ones", "[unit]") {
  const ScratchDirectory folder;
  const auto path = folder.path() / "points.csv";
  constexpr int writers = 6;
  constexpr int points_each = 8;
  std::vector<pid_t> children;
  for (int writer = 0; writer <= writers; ++writer) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      // The last one writes until it is killed.
      for (int i = 0; writer == writers || i < points_each; ++i)
        keep_best_points(
            {point_of(writer == writers ? "n=1" : "n=" + std::to_string(100 * writer + i + 100), 1)}, path);
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (int writer = 0; writer < writers; ++writer)
    ::waitpid(children[static_cast<std::size_t>(writer)], nullptr, 0);
  ::kill(children.back(), SIGKILL);
  ::waitpid(children.back(), nullptr, 0);
  keep_best_points({point_of("n=2", 1)}, path);
  CHECK(read_own_best(path).size() >= writers * points_each + 1);
  CHECK(read_own_best(path).size() <= writers * points_each + 2);
}
