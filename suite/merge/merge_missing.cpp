#include "suite/merge/merge_missing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace dwarfsweep {
namespace {

constexpr std::size_t max_lines = 12;

// "2/6" as two numbers.
std::pair<int, int> numbers_of(const std::string& shard) {
  std::pair<int, int> numbers{0, 0};
  const std::size_t slash = shard.find('/');
  std::from_chars(shard.data(), shard.data() + slash, numbers.first);
  std::from_chars(shard.data() + slash + 1, shard.data() + shard.size(), numbers.second);
  return numbers;
}

std::string kind_of(const RunLog& part) {
  std::set<std::string> names;
  for (const auto& [id, device] : part.devices) {
    if (device.info.type != "host") names.insert(device.info.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void shorten(std::vector<std::string>& lines) {
  if (lines.size() <= max_lines) return;
  const std::size_t more = lines.size() - max_lines;
  lines.resize(max_lines);
  lines.push_back(fmt::format("... and {} more", more));
}

}  // namespace

void MergeReport::add(const RunLog& part) {
  hosts_.insert(part.run.host.name);
  for (const MergedRun& run : part.run.merged) {
    Run& known = runs_[run.run_id];
    known.shard = run.shard;
    if (known.host.empty()) known.host = part.run.host.name;
    known.planned = std::max(known.planned, run.planned);
    known.ended += static_cast<std::int64_t>(run.ended);
    if (run.shard.empty()) continue;
    const auto [index, count] = numbers_of(run.shard);
    shards_[{kind_of(part), count}].insert(index);
  }
}

void MergeReport::add(const MergeReport& other) {
  hosts_.insert(other.hosts_.begin(), other.hosts_.end());
  for (const auto& [id, run] : other.runs_) {
    const auto [place, is_new] = runs_.emplace(id, run);
    if (is_new) continue;
    place->second.planned = std::max(place->second.planned, run.planned);
    place->second.ended += run.ended;
  }
  for (const auto& [plan, shards] : other.shards_) shards_[plan].insert(shards.begin(), shards.end());
  empty_.insert(empty_.end(), other.empty_.begin(), other.empty_.end());
}

std::vector<std::string> MergeReport::missing_shards() const {
  std::vector<std::string> lines;
  for (const auto& [plan, there] : shards_) {
    std::vector<std::string> missing;
    for (int index = 1; index <= plan.second; ++index) {
      if (!there.contains(index)) missing.push_back(fmt::format("{}/{}", index, plan.second));
    }
    if (missing.empty()) continue;
    const std::size_t count = missing.size();
    shorten(missing);
    lines.push_back(fmt::format("{} of {} shards are not there{}: {}", count, plan.second,
                                plan.first.empty() ? "" : " for " + plan.first, fmt::join(missing, ", ")));
  }
  return lines;
}

std::vector<std::string> MergeReport::lines() const {
  std::vector<std::string> incomplete;
  std::int64_t missing = 0;
  for (const auto& [id, run] : runs_) {
    const std::string name = run.shard.empty() ? id : fmt::format("shard {} ({})", run.shard, id);
    if (run.planned < 0) {
      incomplete.push_back(fmt::format("{} on {}: ended before its plan was known; {} points are there", name,
                                       run.host, run.ended));
    } else if (run.ended < run.planned) {
      missing += run.planned - run.ended;
      incomplete.push_back(fmt::format("{} on {}: {} of {} points are missing or incomplete", name, run.host,
                                       run.planned - run.ended, run.planned));
    }
  }
  for (const std::string& folder : empty_)
    incomplete.push_back(fmt::format("'{}': ended before it began", folder));
  const std::size_t count = incomplete.size();
  shorten(incomplete);
  std::vector<std::string> lines = {
      fmt::format("{} run{} on {} host{} merged; {}", runs_.size(), runs_.size() == 1 ? "" : "s",
                  hosts_.size(), hosts_.size() == 1 ? "" : "s",
                  count == 0 ? "all of them are complete"
                             : fmt::format("{} of them incomplete, with {} points missing", count, missing))};
  lines.insert(lines.end(), incomplete.begin(), incomplete.end());
  const std::vector<std::string> shards = missing_shards();
  lines.insert(lines.end(), shards.begin(), shards.end());
  return lines;
}

}  // namespace dwarfsweep
