#include "suite/engine/point_questions.hpp"

#include <fmt/format.h>

#include "harness/space/error.hpp"
#include "suite/record/duration.hpp"

namespace dwarfsweep {

bool PointQuestions::attempt(SweepPoint& point, const std::string& doing, const std::function<void()>& ask) {
  std::string first_crash;
  for (;;) {
    try {
      ask();
      fail_late_points();
      if (!first_crash.empty())
        outcomes_.note(point, "a worker died of this once, a new one did not: " + first_crash);
      return true;
    } catch (const PointFailure& failure) {
      fail_late_points();
      if (failure.status() == Status::launch_failed) {
        outcomes_.lose(point, failure.status(), failure.what());
      } else {
        outcomes_.fail(point, failure.status(), failure.what(),
                       is_failure(failure.status()) ? "failed" : "rejected");
      }
    } catch (const WorkerCrash& crash) {
      // A wild store may take its time to kill the process. This point is at fault only if it also kills a
      // worker that has done nothing else.
      if (client_.questions() > 1 && first_crash.empty()) {
        first_crash = crash.what();
        continue;
      }
      outcomes_.fail(point, crash.status(), crash.what());
    } catch (const WorkerTimeout&) {
      fail_by_timeout(point, doing);
    } catch (const UsageError& error) {
      outcomes_.fail(point, Status::launch_failed, error.what());
    } catch (const NoDeviceError& gone) {
      outcomes_.lose(point, Status::launch_failed, gone.what());
    }
    return false;
  }
}

void PointQuestions::fail_late_points() {
  for (const DeferredFailure& late : client_.take_deferred_failures()) {
    for (SweepPoint& point : group_.points) {
      if (point.request.key() == late.key) outcomes_.fail(point, Status::wrong_result, late.reason);
    }
  }
}

void PointQuestions::fail_by_timeout(SweepPoint& point, const std::string& doing) {
  outcomes_.fail(
      point, Status::timed_out,
      fmt::format("the point's limit of {} was reached while doing '{}'; the worker process was killed",
                  human_duration(options_.point_timeout), doing));
}

}  // namespace dwarfsweep
