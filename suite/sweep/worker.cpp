#include "suite/sweep/worker.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <list>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>

#include "dwarfs/registry.hpp"
#include "harness/cl_error.hpp"
#include "harness/error.hpp"
#include "harness/measure.hpp"
#include "harness/peaks.hpp"
#include "harness/random.hpp"
#include "harness/self_test.hpp"
#include "harness/session.hpp"
#include "harness/timer_test.hpp"
#include "suite/output/dump.hpp"
#include "suite/plan/point_request.hpp"
#include "suite/record/json.hpp"
#include "suite/sweep/memory_limit.hpp"

namespace dwarfsweep {
namespace {

// Buffers of prepared points stay on the device between blocks, up to this share of its memory; on a device
// that shares the host's memory that is also where the inputs and references are.
std::uint64_t kept_bytes_limit(const DeviceInfo& device) {
  return device.capabilities.global_bytes /
         (device.capabilities.unified_memory || device.type == "cpu" ? 8 : 2);
}

class Worker {
 public:
  Json answer(const Json& request) {
    const std::string what = request.at("do");
    if (what == "devices") return discover_devices();
    if (what == "open") return open(request);
    if (what == "selftest") return test_harness(*session_, timer_);
    if (what == "peaks") {
      return measure_peaks(*session_, std::chrono::milliseconds(request.at("limit_ms").get<long>()));
    }
    if (what == "load") return load(request.at("point").get<PointRequest>());
    if (what == "prepare") return prepared(request.at("point").get<PointRequest>()).preparation();
    if (what == "measure") return measure(request);
    if (what == "finish") return finish(request.at("point").get<PointRequest>());
    if (what == "dump") return dump(request);
    if (what == "drop") return drop();
    throw UsageError("the worker does not know the request '" + what + "'");
  }

  /// Points whose last output was wrong when they had to make room.
  Json take_late() { return std::exchange(late_, Json::array()); }

 private:
  struct Prepared {
    std::string key;
    std::unique_ptr<MeasuredPoint> point;
  };

  Json open(const Json& request) {
    measure_.cache = request.at("cache") == "cold" ? CacheState::cold : CacheState::hot;
    const auto device = request.at("device").get<DeviceInfo>();
    if (device.type == "host")
      return TimerReport{Timer::host, "plain C++ is timed by the host's clock", 1, 0, 0};
    session_ = std::make_unique<Session>(device, SessionOptions{request.at("kernels")});
    // A worker that replaces another goes on with the timer that was judged first.
    const TimerReport report =
        request.contains("timer") ? request.at("timer").get<TimerReport>() : test_timer(*session_);
    session_->set_timer(report.timer);
    measure_.tick_ns = report.tick_ns;
    timer_ = report;
    return report;
  }

  const Loaded& data_of(const PointRequest& request) {
    if (data_key_ == request.data_key()) return data_;
    drop();
    const Dwarf& dwarf = find_dwarf(request.dwarf);
    if (request.files.empty()) {
      data_ = {request.problem, dwarf.generate(request.problem, request.seed)};
    } else {
      data_ = dwarf.load(request.problem.values, request.files);
    }
    data_key_ = request.data_key();
    return data_;
  }

  Json load(const PointRequest& request) { return data_of(request).problem; }

  // The points used last stay at the front; those at the back make room.
  MeasuredPoint& prepared(const PointRequest& request) {
    const Loaded& data = data_of(request);
    const auto found = std::find_if(points_.begin(), points_.end(),
                                    [&](const Prepared& each) { return each.key == request.key(); });
    if (found != points_.end()) {
      points_.splice(points_.begin(), points_, found);
      return *points_.front().point;
    }
    const Dwarf& dwarf = find_dwarf(request.dwarf);
    auto point = request.host_threads > 0
                     ? std::make_unique<MeasuredPoint>(dwarf, data, request.host_threads, measure_)
                     : std::make_unique<MeasuredPoint>(*session_, dwarf, data, request.config, measure_);
    points_.push_front({request.key(), std::move(point)});
    if (session_) make_room(kept_bytes_limit(session_->device()));
    return *points_.front().point;
  }

  // The two points in front may be a pair and stay.
  void make_room(std::uint64_t limit) {
    std::uint64_t bytes = 0;
    for (const Prepared& each : points_) bytes += each.point->device_bytes();
    while (bytes > limit && points_.size() > 2) {
      bytes -= points_.back().point->device_bytes();
      try {
        points_.back().point->verify_again();
      } catch (const PointFailure& failure) {
        late_.push_back({{"key", points_.back().key}, {"reason", failure.what()}});
      }
      points_.pop_back();
    }
  }

  // A new point where an old one was has just been verified and warmed.
  Sample sample_of(MeasuredPoint& point) {
    const bool ran_last = last_ == &point;
    last_ = &point;
    return point.take_sample(ran_last);
  }

  Sample sample_of_baseline(MeasuredPoint& baseline) {
    try {
      return sample_of(baseline);
    } catch (const PointFailure& failure) {
      throw PointFailure(failure.status(), std::string("the baseline beside it: ") + failure.what());
    }
  }

  Json measure(const Json& request) {
    const auto point_request = request.at("point").get<PointRequest>();
    const int pairs = request.at("pairs");
    Random random(request.at("seed").get<std::uint64_t>());
    MeasuredPoint* baseline = nullptr;
    if (!request.at("baseline").is_null()) baseline = &prepared(request.at("baseline").get<PointRequest>());
    MeasuredPoint& variant = prepared(point_request);
    std::vector<BlockSample> samples;
    for (int pair = 0; pair < pairs; ++pair) {
      const bool baseline_first = random.below(2) == 0;
      for (int order = 0; order < 2; ++order) {
        const bool is_baseline = (order == 0) == baseline_first;
        if (is_baseline && !baseline) continue;
        samples.push_back({pair, order, is_baseline ? PairRole::baseline : PairRole::variant,
                           is_baseline ? sample_of_baseline(*baseline) : sample_of(variant)});
      }
    }
    return {{"samples", samples}};
  }

  Json finish(const PointRequest& request) {
    const auto found = std::find_if(points_.begin(), points_.end(),
                                    [&](const Prepared& each) { return each.key == request.key(); });
    // A point that made room was checked then.
    if (found != points_.end()) found->point->verify_again();
    return Json::object();
  }

  Json dump(const Json& request) {
    const auto point = request.at("point").get<PointRequest>();
    MeasuredPoint& measured = prepared(point);
    measured.verify_again();
    FolderSink sink(request.at("folder").get<std::string>());
    measured.dump(sink);
    sink.finish(point.dwarf, data_.problem, point.config);
    return Json::object();
  }

  Json drop() {
    points_.clear();
    data_ = {};
    data_key_.clear();
    return Json::object();
  }

  std::unique_ptr<Session> session_;
  TimerReport timer_;
  MeasureOptions measure_;
  std::string data_key_;
  Loaded data_;
  std::list<Prepared> points_;
  const MeasuredPoint* last_ = nullptr;  // that was sampled
  Json late_ = Json::array();
};

Json answer_or_error(Worker& worker, const std::string& line) {
  Json answer;
  const auto error = [&](const std::string& status, const std::string& what) {
    answer = {{"error", what}, {"status", status}};
  };
  try {
    answer["result"] = worker.answer(Json::parse(line));
  } catch (const PointFailure& failure) {
    error(std::string(to_string(failure.status())), failure.what());
  } catch (const cl::Error& failure) {
    error(std::string(to_string(status_of(failure))), describe(failure));
  } catch (const NoDeviceError& failure) {
    error("no_device", failure.what());
  } catch (const UsageError& failure) {
    error("usage", failure.what());
  } catch (const std::length_error&) {
    error("out_of_memory", "this point needs arrays longer than any host can hold");
  } catch (const std::bad_alloc&) {
    error("out_of_memory", "the host has not enough memory for this point: " + memory_figures());
  } catch (const std::exception& failure) {
    error("launch_failed", failure.what());
  }
  answer["late"] = worker.take_late();
  return answer;
}

bool write_all(int fd, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

int run_worker(int request_fd, int answer_fd) {
  // A worker without its parent must not go on: it may be in a kernel that never ends.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit_own_memory();
  std::FILE* requests = ::fdopen(request_fd, "r");
  if (!requests) return 1;
  Worker worker;
  char* line = nullptr;
  std::size_t capacity = 0;
  while (::getline(&line, &capacity, requests) > 0) {
    const std::string answer =
        answer_or_error(worker, line).dump(-1, ' ', false, Json::error_handler_t::replace);
    if (!write_all(answer_fd, answer + "\n")) break;
  }
  std::free(line);
  std::fflush(nullptr);
  // Drivers are known to crash in their own destructors at exit; everything that counts has been said.
  std::_Exit(0);
}

}  // namespace dwarfsweep
