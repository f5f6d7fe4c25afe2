// The child processes' side of suite/worker/requests.hpp: answering line by line, and what a worker does at
// each request. A worker may crash or hang at any time; its parent (suite/worker/client.hpp) is prepared for
// that.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dwarfs/registry.hpp"
#include "harness/energy/power_sensors.hpp"
#include "harness/run/measure.hpp"
#include "harness/run/session.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/record/record.hpp"
#include "suite/worker/requests.hpp"
#include "suite/worker/staged_points.hpp"

namespace dwarfsweep {

/// The callbacks of a server other than its answers.
struct ServerDuties {
  /// What comes with each answer.
  std::function<std::vector<DeferredFailure>()> deferred = [] { return std::vector<DeferredFailure>(); };
  /// Asked after each error: false if no later request can succeed in this process.
  std::function<bool()> is_usable = [] { return true; };
};

/// Answers lines until their end is closed: `result` gives the answer or throws what becomes the error. Ends
/// the process when its parent dies, or when it is no longer usable. Returns the exit status of the process,
/// if at all.
int serve_lines(const std::function<JsonAnswer(const std::string& line)>& result, const ServerDuties& duties);

/// The same for a server with a function `answer` for each of the `Requests`.
template <typename Requests, typename Server>
int serve_requests(Server& server, const ServerDuties& duties = {}) {
  const auto result = [&](const std::string& line) {
    return std::visit(
        [&](const auto& request) {
          return write_answer<std::decay_t<decltype(request)>>(server.answer(request));
        },
        read_request<Requests>(line));
  };
  return serve_lines(result, duties);
}

/// Generates or reads the data of a point's problem. Throws UsageError, std::bad_alloc.
Loaded load_data(const PointRequest& request);

/// The points that a worker holds ready on its device, so that a block can be measured without building and
/// uploading again.
class PreparedPoints {
 public:
  /// The device of the points to come; null for the host's own CPU.
  void use(std::unique_ptr<Session> session, const MeasureOptions& options);
  /// What was measured since, for the points that are prepared from now on.
  void set_caches(const MeasuredCaches& caches) { options_.caches = caches; }
  [[nodiscard]] Session* session() { return session_.get(); }

  /// Generates or reads the data of a point. Data of earlier points stay too, with what verifies them, while
  /// the process has less than an eighth of the host's memory.
  const Loaded& data(const PointRequest& request);
  /// Builds the point and uploads its inputs, unless it is ready; get() of the same point does the rest.
  /// Throws PointFailure and what data() throws.
  void build(const PointRequest& request);
  /// The point, built, verified and warmed up if it is not ready yet. Valid until another point is asked
  /// for without naming it in `keep`. Where memory is lacking, all other points but `keep` make room for it.
  /// Throws PointFailure and what data() throws.
  MeasuredPoint& get(const PointRequest& request, const MeasuredPoint* keep = nullptr);
  /// A sample of a point that is ready, hot as the caches are to be.
  Sample sample(MeasuredPoint& point);
  /// Whether the last that ran on the device was this point, so that the caches hold its data.
  [[nodiscard]] bool ran_last(const MeasuredPoint& point) const { return last_run_ == &point; }
  /// Something else has used the device, or the host's cores.
  void forget_last_run() { last_run_ = nullptr; }
  /// Launches a point twice and checks both results, and keeps none of it. Throws as get() does.
  Check verify(const PointRequest& request);
  /// Keeps nothing of the point. Throws as get() does.
  void dump_programs_of(const PointRequest& request, DumpSink& sink);
  /// The point if it is ready; else null.
  MeasuredPoint* find(const PointRequest& request);
  /// Digests of the inputs that the points share, by name; empty until one is asked for.
  [[nodiscard]] std::map<std::string, ArrayDigest>& input_digests() { return input_digests_; }
  void drop();
  /// Keeps everything but this point, whose last output the caller has verified.
  void release(const PointRequest& request);
  [[nodiscard]] std::size_t count() const { return points_.size(); }
  /// Verifies the output of the point's last launch. Throws PointFailure if it is wrong.
  LastOutput verify_last_output(const PointRequest& request);
  /// Points whose last output was wrong when they had to make room. Each is reported once.
  std::vector<DeferredFailure> take_deferred_failures() { return std::exchange(deferred_, {}); }

 private:
  struct Prepared {
    std::string key;
    std::unique_ptr<MeasuredPoint> point;
  };

  std::list<Prepared>::iterator locate(const PointRequest& request);
  using Make = std::unique_ptr<MeasuredPoint> (PreparedPoints::*)(const PointRequest&);
  std::unique_ptr<MeasuredPoint> construct(const PointRequest& request);
  std::unique_ptr<MeasuredPoint> prepare(const PointRequest& request);
  std::unique_ptr<MeasuredPoint> in_freed_memory(Make make, const PointRequest& request,
                                                 const MeasuredPoint* keep);
  void make_room(const MeasuredPoint* keep);
  void set_data_aside();
  bool evict_all_but(const MeasuredPoint* keep);
  std::list<Prepared>::iterator evict(std::list<Prepared>::iterator place);

  std::unique_ptr<Session> session_;
  MeasureOptions options_;
  std::string data_key_;
  Loaded data_;
  std::map<std::string, ArrayDigest> input_digests_;        // of data_
  std::list<std::pair<std::string, Loaded>> earlier_data_;  // by key; the last used at the back
  std::optional<Prepared> built_;                           // nothing of it was launched
  std::list<Prepared> points_;               // the points used last in front; those at the back make room
  const MeasuredPoint* last_run_ = nullptr;  // one of points_, or null
  std::set<std::string> made_room_;          // keys of points that were verified when they had to
  std::vector<DeferredFailure> deferred_;
};

/// Throws PointFailure, UsageError, NoDeviceError, cl::Error and what the standard library throws.
class Worker {
 public:
  Inventory answer(const ListDevices&) { return discover_devices(); }
  OpenedDevice answer(const OpenDevice& request);
  std::string answer(const FindMeter& request);
  SelfTestReport answer(const TestHarness&);
  std::map<std::string, double> answer(const MeasurePeaks& request);
  Problem answer(const LoadProblem& request);
  Done answer(const BuildPoint& request);
  Preparation answer(const PreparePoint& request);
  Check answer(const VerifyPoint& request);
  MeasuredBlock answer(const MeasureBlock& request);
  std::optional<MeteredEnergy> answer(const MeasureEnergy& request);
  LastOutput answer(const FinishPoint& request);
  PointDigests answer(const DigestPoint& request);
  Done answer(const DumpPoint& request);
  StagedPoint answer(const StagePoint& request) { return staged_.stage(*points_.session(), request); }
  Sample answer(const LaunchStaged&) { return staged_.launch(); }
  CollectedOutput answer(const CollectOutput& request) { return staged_.collect(request); }
  CheckedOutput answer(const CheckOutput& request) {
    return staged_.check(points_.session()->device(), request);
  }
  Done answer(const DropAll&);

  std::vector<DeferredFailure> take_deferred_failures() { return points_.take_deferred_failures(); }
  /// False after a fault that has broken the device's context, as an invalid access does on a GPU.
  bool is_usable() { return !points_.session() || points_.session()->answers(); }

 private:
  Sample sample_of_baseline(MeasuredPoint& baseline);
  ClockReading read_clock();

  PreparedPoints points_;
  StagedPoints staged_;  // in the session of `points_`
  PowerSensors sensors_;
  TimerReport timer_;
};

}  // namespace dwarfsweep
