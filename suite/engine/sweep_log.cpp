#include "suite/engine/sweep_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/space/error.hpp"

namespace dwarfsweep {

SweepLog::SweepLog(const std::filesystem::path& folder, RunLog log)
    : log_(std::move(log)), writer_(folder / log_name) {
  // Between reading and locking the log another process may have written it to its end.
  if (writer_.whole_bytes() != log_.whole_bytes) {
    throw UsageError(
        fmt::format("another process has written the run in '{}' just now; start again", folder.string()));
  }
}

const PointRecord* SweepLog::find(const SweepPoint& point) const {
  const auto found = log_.points.find(point.key.text());
  return found == log_.points.end() ? nullptr : &found->second;
}

bool SweepLog::ended_earlier(const SweepPoint& point) const {
  const std::string key = point.key.text();
  return std::any_of(log_.earlier.begin(), log_.earlier.end(), [&](const RunLog& part) {
    const auto known = part.points.find(key);
    return known != part.points.end() && known->second.preparation.status != Status::not_run &&
           part.ends.contains(key);
  });
}

const std::string* SweepLog::stop_reason(const SweepPoint& point) const {
  const auto end = log_.ends.find(point.key.text());
  return end == log_.ends.end() ? nullptr : &end->second.stop_reason;
}

const std::vector<BlockRecord>& SweepLog::blocks(const SweepPoint& point) const {
  static const std::vector<BlockRecord> none;
  const auto found = log_.blocks.find(point.key.text());
  return found == log_.blocks.end() ? none : found->second;
}

std::vector<BlockRecord> SweepLog::ordinary_blocks(const SweepPoint& point) const {
  std::vector<BlockRecord> ordinary;
  const std::vector<BlockRecord>& all = blocks(point);
  std::copy_if(all.begin(), all.end(), std::back_inserter(ordinary),
               [](const BlockRecord& block) { return !block.confirmation; });
  return ordinary;
}

std::vector<BlockRecord> SweepLog::remeasured_blocks(const SweepPoint& point) const {
  std::vector<BlockRecord> again;
  const std::vector<BlockRecord>& all = blocks(point);
  std::copy_if(all.begin(), all.end(), std::back_inserter(again),
               [](const BlockRecord& block) { return block.confirmation; });
  return again;
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

}  // namespace dwarfsweep
