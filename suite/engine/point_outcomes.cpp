#include "suite/engine/point_outcomes.hpp"

#include <fmt/format.h>

#include "suite/record/host_info.hpp"
#include "suite/record/reason.hpp"

namespace dwarfsweep {
namespace {

std::string cache_name(CacheState cache) {
  return cache == CacheState::cold ? "cold" : "hot";
}

}  // namespace

void PointOutcomes::record(const SweepPoint& point, const Preparation& preparation) {
  const auto& devices = log_.run().devices;
  PointRecord record{point.key, point.baseline, utc_now(), "", "", cache_name(cache_), preparation};
  if (const auto device = devices.find(point.key.device_id); device != devices.end()) {
    record.driver = device->second.info.driver;
    record.timer = device->second.timer.timer == Timer::device ? "device" : "host";
  }
  log_.append(record);
}

void PointOutcomes::prepared(SweepPoint& point, const Preparation& preparation) {
  point.alive = true;
  point.sample_ns = preparation.sample_ns;
  record(point, preparation);
  failures_.count_success(point);
}

void PointOutcomes::measured(const SweepPoint& point, const BlockRecord& block) {
  log_.append(block);
  failures_.count_success(point);
}

void PointOutcomes::note(SweepPoint& point, const std::string& what) {
  point.note = what;
  const PointRecord* known = log_.find(point);
  if (known == nullptr || known->preparation.status != Status::ok) return;
  Preparation preparation = known->preparation;
  preparation.reason = what;
  record(point, preparation);
}

void PointOutcomes::fail(SweepPoint& point, Status status, const std::string& reason,
                         const std::string& stop_reason) {
  Preparation preparation;
  if (const PointRecord* known = log_.find(point)) preparation = known->preparation;
  preparation.status = status;
  preparation.reason = reason;
  const auto& devices = log_.run().devices;
  if (const auto device = devices.find(point.key.device_id); device != devices.end()) {
    const std::string known = known_exception(device->second.info, point.key, status);
    if (!known.empty()) preparation.reason += " (" + known + ")";
  }
  point.alive = false;
  record(point, preparation);
  end(point, stop_reason);
  failures_.count_failure(point, status, reason);
}

void PointOutcomes::lose(SweepPoint& point, Status status, const std::string& reason) {
  if (!point.checked) return fail(point, status, reason);
  note(point, fmt::format("not measured further: {}: {}", to_string(status), reason));
  point.alive = false;
  end(point, "failed");
}

void PointOutcomes::reject(SweepPoint& point) {
  Preparation preparation;
  preparation.status = Status::rejected;
  preparation.reason = point.rejected;
  record(point, preparation);
  end(point, "rejected");
}

void PointOutcomes::skip(SweepPoint& point) {
  fail(point, Status::not_run, "not tried: " + failures_.reason(point), skipped);
}

void PointOutcomes::leave_out(SweepPoint& point) {
  fail(point, Status::not_run, "not measured: the budget was spent before its turn; --resume measures it",
       out_of_budget);
}

void PointOutcomes::end(SweepPoint& point, const std::string& stop_reason) {
  point.ended = true;
  log_.append(EndRecord{point.key, stop_reason});
}

bool PointOutcomes::restore(SweepPoint& point) {
  const PointRecord* known = log_.find(point);
  if (known == nullptr || known->preparation.status == Status::not_run) return false;
  point.alive = known->preparation.status == Status::ok;
  point.sample_ns = known->preparation.sample_ns;
  count_known(point);
  return true;
}

void PointOutcomes::count_known(const SweepPoint& point) {
  const PointRecord* known = log_.find(point);
  if (known == nullptr) return;
  const Preparation& preparation = known->preparation;
  if (preparation.status == Status::ok) failures_.count_success(point);
  failures_.count_failure(point, preparation.status, preparation.reason);
}

}  // namespace dwarfsweep
