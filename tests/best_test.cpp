#include "suite/best.hpp"

#include "dwarfs/registry.hpp"
#include "harness/error.hpp"
#include "tests/catch.hpp"
#include "tests/synthetic_run.hpp"

using namespace dwarfsweep;

TEST_CASE("every point in best.csv is a legal one of its dwarf", "[unit]") {
  REQUIRE_FALSE(best_points().empty());
  for (const BestPoint& point : best_points()) {
    CAPTURE(point.device, point.dwarf, point.problem, point.config);
    const Space& space = find_dwarf(point.dwarf).space();
    const Config settings = Config::parse(point.config);
    const Config config = space.set(space.baseline(), settings);
    for (const auto& [axis, value] : settings.entries()) CHECK(config.at(axis) == value);
  }
}

TEST_CASE("the best point of the nearest device and problem is taken", "[unit]") {
  const std::vector<BestPoint> points =
      parse_best("B",
                 "device,device_type,platform,dwarf,size,problem,config,run_id,median_ns,speedup\n"
                 "A100,gpu,NVIDIA,lud,small,n=240,variant=a,r,1,2\n"
                 "A100,gpu,NVIDIA,lud,large,n=4096,variant=b,r,1,2\n"
                 "MI300,gpu,AMD,lud,small,n=240,variant=c,r,1,2\n"
                 "Xeon,cpu,PoCL,lud,small,n=240,variant=d,r,1,\n");
  const auto chosen = [&](const char* name, const char* type, const char* platform, const char* size, int n) {
    DeviceInfo device;
    device.name = name;
    device.type = type;
    device.platform = platform;
    const BestPoint* best = nearest_best(points, device, "lud", {size, {{"n", n}}});
    return best ? best->config : "none";
  };
  CHECK(chosen("A100", "gpu", "NVIDIA", "small", 240) == "variant=a");
  CHECK(chosen("A100", "gpu", "NVIDIA", "custom", 4096) == "variant=b");
  CHECK(chosen("A100", "gpu", "NVIDIA", "custom", 7000) == "variant=b");
  CHECK(chosen("H200", "gpu", "NVIDIA", "small", 240) == "variant=a");
  CHECK(chosen("Arc", "gpu", "Intel", "large", 4096) == "variant=b");
  CHECK(chosen("EPYC", "cpu", "Intel", "small", 240) == "variant=d");
  CHECK(nearest_best(points, DeviceInfo(), "srad", {"small", {}}) == nullptr);
}

TEST_CASE("the fastest verified point of a run is its best, and comes back from CSV", "[unit]") {
  const RunRows rows = make_rows(make_synthetic_run());
  const std::vector<BestPoint> best = find_best(rows.measurements);
  REQUIRE_FALSE(best.empty());
  for (const BestPoint& point : best) {
    for (const MeasurementRow& row : rows.measurements) {
      if (row.device == point.device && row.dwarf == point.dwarf && row.problem == point.problem &&
          row.kernel == "total" && row.status == "ok" && row.median_ns && row.device_type != "host") {
        CHECK(*point.median_ns <= *row.median_ns);
      }
    }
  }
  CHECK(to_csv(parse_best("again", to_csv(best))) == to_csv(best));
}
