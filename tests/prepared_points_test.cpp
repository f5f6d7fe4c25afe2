// Which prepared points stay on the device, and whose data the caches hold.
#include "suite/worker/server.hpp"

#include "tests/catch.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

PointRequest request_of(int granularity) {
  const Dwarf& dwarf = find_dwarf("saxpy");
  PointRequest request;
  request.dwarf = "saxpy";
  request.problem = make_problem("saxpy", dwarf.info().keys, {"custom", {{"n", 4096}}});
  request.config = dwarf.space().baseline().with("granularity", granularity);
  return request;
}

// On a device whose memory is so large that of points of 3 * 16 KiB two, but not three, may stay.
PreparedPoints points_on_small_device() {
  DeviceInfo device = test::test_session().device();
  device.capabilities.global_bytes =
      130 * 1024 * (device.capabilities.unified_memory || device.type == "cpu" ? 8 : 2);
  PreparedPoints points;
  points.use(std::make_unique<Session>(device, SessionOptions{}), {});
  return points;
}

}  // namespace

TEST_CASE("a point's data are in the caches only if nothing ran since its sample", "[device][prepared]") {
  PreparedPoints points = points_on_small_device();
  MeasuredPoint& first = points.get(request_of(1));
  CHECK_FALSE(points.ran_last(first));
  points.sample(first);
  CHECK(points.ran_last(first));
  MeasuredPoint& second = points.get(request_of(2), &first);
  CHECK_FALSE(points.ran_last(first));  // preparing the second has run kernels
  CHECK_FALSE(points.ran_last(second));
  points.sample(first);
  points.sample(second);
  CHECK_FALSE(points.ran_last(first));
  CHECK(points.ran_last(second));
  points.get(request_of(1));  // it is ready: nothing runs
  CHECK(points.ran_last(second));
  points.get(request_of(4));  // takes the place of the second or of the first
  CHECK(points.count() == 2);
  for (const int granularity : {1, 2}) {
    if (const MeasuredPoint* left = points.find(request_of(granularity))) CHECK_FALSE(points.ran_last(*left));
  }
  // Prepared again, perhaps at the address where it was.
  CHECK_FALSE(points.ran_last(points.get(request_of(2))));
  points.sample(points.get(request_of(2)));
  points.forget_last_run();
  CHECK_FALSE(points.ran_last(points.get(request_of(2))));
}

TEST_CASE("a point that is only built has not run, and is not ready", "[device][prepared]") {
  PreparedPoints points = points_on_small_device();
  points.build(request_of(1));
  CHECK(points.find(request_of(1)) == nullptr);
  MeasuredPoint& point = points.get(request_of(1));
  CHECK(point.preparation().check.ok);
  CHECK(point.preparation().verify_ns > 0);
  points.build(request_of(1));  // ready: nothing is done
  CHECK(points.find(request_of(1)) == &point);
  points.build(request_of(2));
  CHECK(points.get(request_of(4)).preparation().check.ok);  // another one than what was built
}

TEST_CASE("the baseline stays while its pair is prepared", "[device][prepared]") {
  PreparedPoints points = points_on_small_device();
  MeasuredPoint& baseline = points.get(request_of(1));
  for (const int granularity : {2, 4, 8, 16}) {
    points.get(request_of(granularity), &baseline);
    CHECK(points.find(request_of(1)) == &baseline);
    CHECK(points.count() == 2);
  }
}

TEST_CASE("the output of a point is verified while it is ready, or when it makes room",
          "[device][prepared]") {
  PreparedPoints points = points_on_small_device();
  CHECK(points.verify_last_output(request_of(1)) == LastOutput::not_ready);  // never prepared here
  points.sample(points.get(request_of(1)));
  CHECK(points.verify_last_output(request_of(1)) == LastOutput::verified);
  for (const int granularity : {2, 4, 8}) points.get(request_of(granularity));
  REQUIRE_FALSE(points.find(request_of(1)));
  CHECK(points.verify_last_output(request_of(1)) == LastOutput::verified);  // when it made room
  CHECK(points.take_deferred_failures().empty());
  points.release(request_of(1));
  CHECK(points.verify_last_output(request_of(1)) == LastOutput::not_ready);
  points.drop();
  CHECK(points.verify_last_output(request_of(8)) == LastOutput::not_ready);
}
