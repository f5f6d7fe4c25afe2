// Asking the worker about one point, and what becomes of the point when something goes wrong.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "suite/engine/sweep_context.hpp"
#include "suite/worker/client.hpp"

namespace dwarfsweep {

class PointQuestions {
 public:
  /// `client`: of the group's device.
  PointQuestions(const SweepContext& context, DeviceClient& client, SweepGroup& group)
      : options_(context.options), outcomes_(context.outcomes), client_(client), group_(group) {}

  /// Whatever goes wrong, a crash, a time-out, a reported failure, becomes the status of the point; false
  /// where something did. Throws Interrupted.
  template <typename Request>
  bool ask(SweepPoint& point, const Request& request, std::chrono::milliseconds limit,
           const std::function<void(const typename Request::Answer&)>& take) {
    return attempt(point, Request::name, [&] { take(client_.ask(request, limit)); });
  }

 private:
  bool attempt(SweepPoint& point, const std::string& doing, const std::function<void()>& ask);
  /// Points that had to make room in the worker and whose last output was wrong fail.
  void fail_late_points();
  void fail_by_timeout(SweepPoint& point, const std::string& doing);

  const Options& options_;
  PointOutcomes& outcomes_;
  DeviceClient& client_;
  SweepGroup& group_;
};

}  // namespace dwarfsweep
