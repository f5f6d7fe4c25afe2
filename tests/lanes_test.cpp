// Lanes: what a device lets shuffle, and that it does.
#include "harness/program/macros.hpp"

#include <optional>

#include "harness/run/session.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/error.hpp"
#include "tests/catch.hpp"
#include "tests/made_up_devices.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;

namespace {

using Counts = std::vector<std::int64_t>;

constexpr std::size_t group_items = 64;
constexpr std::size_t groups = 3;

// For each lane: SUB_GROUP, the value of the lane before it, modulo the sub-group, and those of its
// neighbours.
constexpr const char* passing = R"(
#include "lanes.cl"
kernel GROUP_OF(64, 1) LANES_OF_SUB_GROUP void pass(global int* passed) {
  const int place = (int)get_group_id(0) * 64 + lanes_number() * SUB_GROUP + lane_number();
  passed[4 * place] = SUB_GROUP;
  passed[4 * place + 1] = lane_value(place, lane_number() - 1);
  passed[4 * place + 2] = (int)lane_before((float)place);
  passed[4 * place + 3] = (int)lane_behind((float)place);
}
)";

SessionOptions passing_options() {
  SessionOptions options;
  options.own_kernels = {{"passing", passing}};
  return options;
}

Kernel passing_kernel(Workspace& workspace, const Lanes& lanes) {
  return workspace.kernel("passing", Macros().let_lanes_shuffle(lanes), "pass", "pass");
}

}  // namespace

TEST_CASE("how many lanes shuffle follows from what a device reports", "[unit]") {
  const auto counts = [](const std::string& name) {
    return lane_counts(test::made_up_gpu(name).capabilities);
  };
  const auto certain = [](const std::string& name) {
    return certain_lane_counts(test::made_up_gpu(name).capabilities);
  };
  CHECK(counts("waves of 64").empty());  // sub-groups, but no shuffles
  CHECK(counts("sub-groups of 8 to 32") == Counts{8, 16, 32});
  CHECK(certain("sub-groups of 8 to 32") == Counts{8, 16, 32});
  CHECK(counts("mobile") == Counts{8, 16, 32, 64});  // it does not report which
  CHECK(certain("mobile").empty());
  CHECK(counts("integrated").empty());

  Capabilities device;
  device.inline_ptx = true;
  CHECK(certain_lane_counts(device) == Counts{32});
  CHECK(shuffling_lanes(device, 32).method == Shuffle::ptx);
  CHECK_FALSE(shuffling_lanes(device, 64).shuffle());

  device = test::made_up_gpu("waves of 64").capabilities;
  device.sub_group_shuffles = true;
  CHECK(certain_lane_counts(device) == Counts{64});
  CHECK(shuffling_lanes(device, 64).method == Shuffle::sub_groups);
  device.sub_group_sizes = {128};
  CHECK(lane_counts(device).empty());
}

TEST_CASE("lanes get their neighbours' values, in sub-groups of each size that the device has", "[device]") {
  const DeviceInfo& device = test::test_session().device();
  const Counts counts = certain_lane_counts(device.capabilities);
  if (counts.empty()) {
    SUCCEED("the device has no shuffles");
    return;
  }
  Session session(device, passing_options());
  for (const std::int64_t count : counts) {
    Workspace workspace(session);
    // PoCL 5.0 accepts the attribute for a sub-group's size, and then reports the group's.
    std::optional<Kernel> built;
    try {
      built = passing_kernel(workspace, shuffling_lanes(device.capabilities, count));
    } catch (const PointFailure& failure) {
      INFO(failure.what());
      CHECK(failure.status() == Status::unsupported);
      CHECK(device.platform == "Portable Computing Language");
      continue;
    }
    Kernel& kernel = *built;
    std::vector<cl_int> passed(4 * groups * group_items, -1);
    const cl::Buffer buffer(session.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            passed.size() * sizeof(cl_int), passed.data());
    kernel.kernel.setArg(0, buffer);
    session.queue().enqueueNDRangeKernel(kernel.kernel, cl::NullRange, cl::NDRange(groups * group_items),
                                         cl::NDRange(group_items));
    session.queue().enqueueReadBuffer(buffer, CL_TRUE, 0, passed.size() * sizeof(cl_int), passed.data());
    for (std::size_t i = 0; i < groups * group_items; ++i) {
      const auto place = static_cast<cl_int>(i);
      const auto lanes = static_cast<cl_int>(count);
      const cl_int lane = place % lanes;
      INFO("lane " << lane << " of " << lanes);
      REQUIRE(passed[4 * i] == lanes);
      REQUIRE(passed[4 * i + 1] == place - lane + (lane + lanes - 1) % lanes);
      if (lane > 0) REQUIRE(passed[4 * i + 2] == place - 1);
      if (lane + 1 < lanes) REQUIRE(passed[4 * i + 3] == place + 1);
    }
  }
}

TEST_CASE("a kernel whose sub-groups have another size than its lanes is refused", "[device]") {
  const DeviceInfo& device = test::test_session().device();
  if (!device.capabilities.sub_group_shuffles) {
    SUCCEED("the device has no shuffles in sub-groups");
    return;
  }
  Session session(device, passing_options());
  Workspace workspace(session);
  // The kernel requires no size, so the compiler chooses one: all others are refused.
  std::size_t refused = 0;
  for (const std::int64_t count : lane_counts(device.capabilities)) {
    try {
      passing_kernel(workspace, {Shuffle::sub_groups, count, false});
    } catch (const PointFailure& failure) {
      CHECK(failure.status() == Status::unsupported);
      CHECK(std::string(failure.what()).find("lanes shuffle in sub-groups of") == 0);
      ++refused;
    }
  }
  CHECK(refused + 1 >= lane_counts(device.capabilities).size());
}
