#include "suite/engine/point_outcomes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/space/error.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/reason.hpp"

namespace dwarfsweep {
namespace {

std::string device_and_dwarf(const PointKey& key) {
  return key.device_id + "|" + key.dwarf + "|";
}

std::string variant_key(const SweepPoint& point) {
  return device_and_dwarf(point.key) + point.request.config.string("variant");
}

// The first sentence or so: the whole is in the row of the point that failed.
std::string shortened(const std::string& reason) {
  constexpr std::size_t max_length = 120;
  return reason.size() <= max_length ? reason : reason.substr(0, reason.rfind(' ', max_length)) + " ...";
}

std::vector<BlockRecord> blocks_of_kind(const std::vector<BlockRecord>& all, bool remeasured) {
  std::vector<BlockRecord> blocks;
  std::ranges::copy_if(all, std::back_inserter(blocks),
                       [&](const BlockRecord& block) { return block.confirmation == remeasured; });
  return blocks;
}

}  // namespace

SweepLog::SweepLog(const std::filesystem::path& folder, RunLog log)
    : log_(std::move(log)), writer_(std::in_place, folder / log_name) {
  // Between reading and locking the log another process may have written it to its end.
  if (writer_->whole_bytes() != log_.whole_bytes) {
    throw UsageError(
        fmt::format("another process has written the run in '{}' just now; start again", folder.string()));
  }
}

const PointRecord* SweepLog::find(const SweepPoint& point) const {
  const auto found = log_.points.find(point.key.text());
  return found == log_.points.end() ? nullptr : &found->second;
}

const std::string* SweepLog::stop_reason(const SweepPoint& point) const {
  const auto end = log_.ends.find(point.key.text());
  return end == log_.ends.end() ? nullptr : &end->second.stop_reason;
}

const std::string* SweepLog::earlier_stop_reason(const SweepPoint& point) const {
  const std::string key = point.key.text();
  for (const RunLog& part : log_.earlier) {
    const auto known = part.points.find(key);
    const auto end = part.ends.find(key);
    if (known != part.points.end() && known->second.preparation.status != Status::not_run &&
        end != part.ends.end())
      return &end->second.stop_reason;
  }
  return nullptr;
}

const std::vector<BlockRecord>& SweepLog::blocks(const SweepPoint& point) const {
  static const std::vector<BlockRecord> none;
  const auto found = log_.blocks.find(point.key.text());
  return found == log_.blocks.end() ? none : found->second;
}

std::vector<BlockRecord> SweepLog::ordinary_blocks(const SweepPoint& point) const {
  return blocks_of_kind(blocks(point), false);
}

std::vector<BlockRecord> SweepLog::remeasured_blocks(const SweepPoint& point) const {
  return blocks_of_kind(blocks(point), true);
}

std::vector<BlockRecord> SweepLog::anchor_blocks(const SweepGroup& group) const {
  std::vector<BlockRecord> of_anchor;
  if (!group.anchor) return of_anchor;
  std::ranges::copy_if(blocks(group.points[*group.anchor]), std::back_inserter(of_anchor),
                       [](const BlockRecord& block) { return block.opponent.empty() && block.paired; });
  return of_anchor;
}

bool SweepLog::is_anchor(const SweepPoint& point) const {
  const std::string key = point.key.text();
  return std::ranges::any_of(parts_of(log_), [&](const RunLog* part) { return part->anchors.contains(key); });
}

int SweepLog::last_process(const std::string& device_id) const {
  int last = 0;
  for (const RunLog* part : parts_of(log_)) {
    for (const auto& [key, blocks] : part->blocks) {
      if (blocks.empty() || blocks.front().key.device_id != device_id) continue;
      for (const BlockRecord& block : blocks) last = std::max(last, block.process);
    }
  }
  return last;
}

void PointOutcomes::record(const SweepPoint& point, const Preparation& preparation) {
  const auto& devices = log_.run().devices;
  const char* const cache = cache_ == CacheState::cold ? "cold" : "hot";
  PointRecord record{point.key, point.baseline, utc_now(), "", "", cache, preparation};
  if (const auto device = devices.find(point.key.device_id); device != devices.end()) {
    record.driver = device->second.info.driver;
    record.timer = device->second.timer.timer == Timer::device ? "device" : "host";
  }
  log_.append(record);
}

Preparation PointOutcomes::known_preparation(const SweepPoint& point) const {
  const PointRecord* const known = log_.find(point);
  return known == nullptr ? Preparation() : known->preparation;
}

void PointOutcomes::prepared(SweepPoint& point, const Preparation& preparation) {
  point.state = PointState::verified;
  point.sample_ns = preparation.sample_ns;
  point.run_ns = preparation.run_ns;
  record(point, preparation);
  count(point, Status::ok, "");
}

void PointOutcomes::measured(const SweepPoint& point, const BlockRecord& block) {
  log_.append(block);
  count(point, Status::ok, "");
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
  Preparation preparation = known_preparation(point);
  preparation.status = status;
  preparation.reason = reason;
  const auto& devices = log_.run().devices;
  if (const auto device = devices.find(point.key.device_id); device != devices.end()) {
    const std::string known = known_exception(device->second.info, point.key, status);
    if (!known.empty()) preparation.reason += " (" + known + ")";
  }
  point.state = PointState::lost;
  record(point, preparation);
  end(point, stop_reason);
  count(point, status, reason);
}

void PointOutcomes::fail_unless_verified(SweepPoint& point, Status status, const std::string& reason) {
  if (point.state != PointState::checked) return fail(point, status, reason);
  note(point, fmt::format("not measured further: {}: {}", to_string(status), reason));
  point.state = PointState::lost;
  end(point, "failed");
}

void PointOutcomes::reject(SweepPoint& point) {
  Preparation preparation;
  preparation.status = Status::rejected;
  preparation.reason = point.rejected.value_or("");
  point.state = PointState::lost;
  record(point, preparation);
  end(point, "rejected");
}

void PointOutcomes::skip(SweepPoint& point) {
  const auto found = failures_.find(variant_key(point));
  const Failures failures = found == failures_.end() ? Failures{} : found->second;
  fail(point, Status::not_run,
       fmt::format("not tried: variant '{}' failed {} times in a row on this device; the last: {}",
                   point.request.config.string("variant"), failures.in_row, failures.last),
       skipped);
}

void PointOutcomes::cut_off(SweepPoint& point, const std::string& reason) {
  fail(point, Status::not_run, reason, too_slow);
  count_failure(point, Status::not_run, reason);
}

void PointOutcomes::leave_out(SweepPoint& point) {
  fail(point, Status::not_run, "not measured: the budget was spent before its turn; --resume measures it",
       out_of_budget);
}

void PointOutcomes::end(SweepPoint& point, const std::string& stop_reason) {
  point.stop_reason = stop_reason;
  log_.append(EndRecord{point.key, stop_reason});
}

bool PointOutcomes::restore(SweepPoint& point) {
  const PointRecord* known = log_.find(point);
  if (known == nullptr || known->preparation.status == Status::not_run) return false;
  point.state = known->preparation.status == Status::ok ? PointState::verified : PointState::lost;
  point.sample_ns = known->preparation.sample_ns;
  point.run_ns = known->preparation.run_ns;
  count_known(point);
  return true;
}

void PointOutcomes::count_known(const SweepPoint& point) {
  if (const PointRecord* const known = log_.find(point))
    count(point, known->preparation.status, known->preparation.reason);
}

void PointOutcomes::count(const SweepPoint& point, Status status, const std::string& reason) {
  if (status == Status::ok) failures_[variant_key(point)].in_row = 0;
  // Other points may need less memory, also those of a smaller problem.
  if (is_failure(status) && status != Status::out_of_memory) count_failure(point, status, reason);
}

void PointOutcomes::count_failure(const SweepPoint& point, Status status, const std::string& reason) {
  Failures& failures = failures_[variant_key(point)];
  ++failures.in_row;
  failures.last = fmt::format("{}: {}", to_string(status), shortened(reason));
}

bool PointOutcomes::given_up(const SweepPoint& point) const {
  const auto failures = failures_.find(variant_key(point));
  return give_up_after_ > 0 && failures != failures_.end() && failures->second.in_row >= give_up_after_;
}

void PointOutcomes::give_another_chance(const SweepGroup& group) {
  const std::string prefix = device_and_dwarf(group.points.front().key);
  for (auto& [variant, failures] : failures_) {
    if (variant.starts_with(prefix))
      failures.in_row = std::min(failures.in_row, std::max(0, give_up_after_ - 1));
  }
}

}  // namespace dwarfsweep
