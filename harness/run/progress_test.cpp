#include "harness/run/self_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/device/host.hpp"
#include "harness/device/opencl.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/workspace.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

constexpr cl_uint rounds = 16;
constexpr double patience_ns = 1e9;  // of one wait: far longer than a time slice of a busy machine

// More groups than run at a time. A group on a GPU has more than one work-item, as in most kernels.
struct Shape {
  explicit Shape(const Capabilities& device)
      : items(device.is_gpu ? std::min<std::size_t>(64, device.work_group_items) : 1),
        groups(std::max<std::size_t>(2, device.compute_units * (device.is_gpu ? 64 : 8))) {}
  std::size_t items, groups;
};

class ProgressTest {
 public:
  explicit ProgressTest(Session& session)
      : shape_(session.device().capabilities),
        workspace_(session),
        launcher_(session),
        macros_(
            Macros().define("WORK_GROUP", static_cast<std::int64_t>(shape_.items)).allow_inter_group_sync()),
        flags_(workspace_.allocate<cl_uint>("flags", progress_words::count(shape_.groups), Role::scratch)),
        chain_(workspace_.allocate<cl_float>("chain", shape_.groups, Role::scratch)),
        numbers_(workspace_.allocate<cl_float>("numbers", shape_.groups, Role::scratch)),
        progress_(workspace_.kernel("progress", macros_, "progress", "progress")),
        poll_(workspace_.kernel("progress", macros_, "poll", "poll")) {}

  ProgressReport run() {
    const cl_uint polls = patient_polls();
    workspace_.fill<cl_uint>(flags_, 0);
    workspace_.fill<cl_float>(numbers_, 0);
    launcher_.run(progress_, shape_.groups * shape_.items, shape_.items, flags_, chain_, numbers_, rounds,
                  polls);
    std::vector<cl_uint> found(progress_words::groups_begin);
    launcher_.read(flags_, found.data(), found.size());
    ProgressReport report;
    report.tested = true;
    report.groups = static_cast<std::uint32_t>(shape_.groups);
    report.pairs_met = found[progress_words::pairs_met];
    if (found[progress_words::gave_up] > 0) {
      report.fault = "a group that has started stops running while others wait for it";
    } else if (found[progress_words::wrong] > 0) {
      report.fault = "a group does not see what another one wrote before its flag";
    }
    return report;
  }

 private:
  cl_uint patient_polls() {
    for (cl_uint polls = 1000;; polls *= 4) {
      workspace_.fill<cl_uint>(flags_, 0);
      launcher_.finish();
      const std::int64_t begin = now_ns();
      launcher_.run(poll_, 1, 1, flags_, polls);
      launcher_.finish();
      const auto took_ns = static_cast<double>(std::max<std::int64_t>(1, now_ns() - begin));
      // Far longer than a launch.
      if (took_ns > 5e6 || polls > 100'000'000)
        return static_cast<cl_uint>(std::min(4e9, polls * std::max(1.0, patience_ns / took_ns)));
    }
  }

  Shape shape_;
  Workspace workspace_;
  Launcher launcher_;
  Macros macros_;
  Buffer<cl_uint> flags_;
  Buffer<cl_float> chain_, numbers_;
  Kernel progress_, poll_;
};

}  // namespace

ProgressReport test_progress(Session& session) {
  if (!session.device().capabilities.orders_groups()) return {true, "", 0, 0};
  try {
    return ProgressTest(session).run();
  } catch (const PointFailure& failure) {
    return {true, std::string("the test of that failed: ") + failure.what(), 0, 0};
  } catch (const cl::Error& error) {
    return {true, "the test of that failed: " + describe(error), 0, 0};
  }
}

}  // namespace dwarfsweep
