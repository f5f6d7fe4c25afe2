// Known faults of drivers are named in rows, and only for the devices that have them.
#include "suite/record/reason.hpp"

#include "tests/catch.hpp"
#include "tests/input_files.hpp"

using namespace dwarfsweep;
using test::contains;

TEST_CASE("a known fault of a driver is named where it may be the cause", "[unit]") {
  DeviceInfo device;
  device.platform = "rusticl";
  device.name = "llvmpipe (LLVM 15.0.6, 256 bits)";
  const PointKey point{"id", "sgemv", "tiny", "m=1;n=1", "variant=vec_double;loader=async"};
  CHECK_THAT(known_exception(device, point, Status::wrong_result), contains("65,535"));
  CHECK(known_exception(device, point, Status::crashed).empty());

  device.platform = "Portable Computing Language";
  device.name = "cpu";
  device.driver = "5.0+debian";
  CHECK_THAT(known_exception(device, point, Status::crashed), contains("wait_group_events"));
  CHECK(known_exception(device, point, Status::wrong_result).empty());
  const PointKey stencil{"id", "stencil_3d", "tiny", "nx=16;ny=16;nz=16", "variant=reference;work_group=16"};
  CHECK_THAT(known_exception(device, stencil, Status::crashed), contains("assertion"));
  device.driver = "3.1+debian";
  CHECK(known_exception(device, stencil, Status::crashed).empty());
  CHECK(known_exception(device, point, Status::crashed).empty());

  const PointKey scan{"id", "needle", "tiny", "m=5;n=769",
                      "variant=scan;work_group=16;vector_width=4;unroll=8"};
  CHECK_THAT(known_exception(device, scan, Status::crashed), contains("LLVM 15"));
  CHECK(known_exception(device, scan, Status::wrong_result).empty());
  device.driver = "5.0+debian";
  CHECK(known_exception(device, scan, Status::crashed).empty());
}
