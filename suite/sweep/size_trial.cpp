#include "suite/sweep/size_trial.hpp"

#include <algorithm>

namespace dwarfsweep {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds time_to_build{20};

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double trial_seconds(const SizeCost& cost) {
  return cost.once + cost.prepared_point();
}

}  // namespace

std::optional<SizeCost> TrialRunner::run(const LadderSize& size, const SizeCost& expected) {
  if (!baseline_.rejected.empty()) return std::nullopt;
  const auto limit = std::min<milliseconds>(
      point_timeout_, time_to_build + milliseconds(static_cast<long>(3000 * trial_seconds(expected))));
  PointRequest request = baseline_.request;
  request.problem = {size.name, ValueMap::parse(size.problem)};
  try {
    auto begin = Clock::now();
    (void)client_.ask(LoadProblem{request}, limit);
    const double load = seconds_since(begin);
    const Preparation preparation = client_.ask(PreparePoint{request}, limit);
    begin = Clock::now();
    (void)client_.ask(FinishPoint{request}, limit);
    const double check = seconds_since(begin);
    // The first verification also compiles, where a driver does so at the first launch, and makes the
    // reference results; at the smallest size these take no time.
    const double beside_check = std::max(0.0, 1e-9 * preparation.verify_ns - check);
    compile_seconds_ = std::min(compile_seconds_, beside_check);
    return SizeCost{load + beside_check - compile_seconds_,
                    1e-9 * static_cast<double>(preparation.upload_ns) + check, 1e-9 * preparation.sample_ns};
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // the points fail in the same way, and say why
  }
}

void TrialRunner::finish() {
  try {
    (void)client_.ask(DropAll{}, point_timeout_);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    client_.stop();
  }
}

}  // namespace dwarfsweep
