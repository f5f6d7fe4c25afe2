#include "suite/merge/merge_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

// The numbers of rounds and worker processes that a device has had.
struct Counts {
  int rounds = 0;
  int processes = 0;
};

std::map<std::string, Counts> counts_by_device(const RunLog& log) {
  std::map<std::string, Counts> counts;
  for (const auto& [key, blocks] : log.blocks) {
    for (const BlockRecord& block : blocks) {
      Counts& known = counts[block.key.device_id];
      known.rounds = std::max(known.rounds, block.round + 1);
      known.processes = std::max(known.processes, block.process);
    }
  }
  return counts;
}

bool is_ok(const PointRecord& point) {
  return point.preparation.status == Status::ok;
}

void note_failure(PointRecord& point, const PointRecord& other, const std::string& run_id) {
  if (is_ok(other) || other.preparation.status == Status::rejected) return;
  std::string& reason = point.preparation.reason;
  reason += fmt::format("{}in {} {}: {}", reason.empty() ? "" : "; ", run_id,
                        to_string(other.preparation.status), other.preparation.reason);
}

template <typename Map>
void take_over(Map& all, const Map& more, const std::string& key) {
  if (const auto found = more.find(key); found != more.end()) all.insert_or_assign(key, found->second);
}

void add_blocks(RunLog& log, std::vector<BlockRecord>&& blocks, const std::string& key) {
  std::vector<BlockRecord>& all = log.blocks[key];
  all.insert(all.end(), std::make_move_iterator(blocks.begin()), std::make_move_iterator(blocks.end()));
}

// The point is in both.
void join_point(RunLog& log, RunLog& more, const std::string& key) {
  PointRecord& known = log.points.at(key);
  const PointRecord& other = more.points.at(key);
  if (is_ok(known) == is_ok(other)) {
    if (is_ok(known)) {
      if (const auto blocks = more.blocks.find(key); blocks != more.blocks.end())
        add_blocks(log, std::move(blocks->second), key);
    } else {
      note_failure(known, other, more.run.run_id);
    }
    if (!log.ends.contains(key)) take_over(log.ends, more.ends, key);
    take_over(log.anchors, more.anchors, key);
    if (!log.energies.contains(key)) take_over(log.energies, more.energies, key);
    if (!log.digests.contains(key)) take_over(log.digests, more.digests, key);
    return;
  }
  if (is_ok(known)) return note_failure(known, other, more.run.run_id);
  const PointRecord failed = std::exchange(known, other);
  note_failure(known, failed, log.run.run_id);
  log.blocks.erase(key);
  log.energies.erase(key);
  log.digests.erase(key);
  log.ends.erase(key);
  take_over(log.blocks, more.blocks, key);
  take_over(log.anchors, more.anchors, key);
  take_over(log.energies, more.energies, key);
  take_over(log.digests, more.digests, key);
  take_over(log.ends, more.ends, key);
}

void join_sizes(RunLog& log, const RunLog& more) {
  for (const auto& [key, size] : more.sizes) {
    const auto [place, is_new] = log.sizes.emplace(key, size);
    if (is_new || place->second.size == size.size) continue;
    throw UsageError(fmt::format(
        "the size of {} on {} was chosen as {} in {} and as {} in {}, so that these are not shards of one "
        "plan; give "
        "all shards the same --size",
        size.dwarf, log.run.host.name, place->second.size, log.run.run_id, size.size, more.run.run_id));
  }
}

// Device ids get "@host" behind them.
void name_devices_by_host(RunLog& log) {
  const std::string suffix = "@" + log.run.host.name;
  const auto named = [&](const std::string& id) { return id.ends_with(suffix) ? id : id + suffix; };
  // `rename` changes the ids in a value, and returns its new key.
  const auto rename_all = [](auto& map, const auto& rename) {
    for (auto& [key, value] : std::exchange(map, {})) {
      auto renamed = std::move(value);
      std::string new_key = rename(key, renamed);
      map.emplace(std::move(new_key), std::move(renamed));
    }
  };
  const auto by_id = [&](const std::string&, auto& record) {
    return record.device_id = named(record.device_id);
  };
  const auto by_point = [&](const std::string&, auto& record) {
    record.key.device_id = named(record.key.device_id);
    return record.key.text();
  };
  rename_all(log.devices, [&](const std::string&, DeviceRecord& device) {
    return device.info.id = named(device.info.id);
  });
  rename_all(log.peaks, by_id);
  rename_all(log.self_tests, by_id);
  rename_all(log.run.builders, [&](const std::string& id, const auto&) { return named(id); });
  rename_all(log.sizes, [&](const std::string& key, SizeRecord& size) {
    by_id(key, size);
    return size_key(size.device_id, size.dwarf);
  });
  rename_all(log.known_points, [&](const std::string& key, KnownPointRecord& known) {
    by_id(key, known);
    return known_point_key(known.device_id, known.dwarf, known.size, known.problem);
  });
  for (PointKey& key : log.order) key.device_id = named(key.device_id);
  rename_all(log.points, by_point);
  rename_all(log.anchors, by_point);
  rename_all(log.energies, by_point);
  rename_all(log.digests, by_point);
  rename_all(log.ends, by_point);
  std::erase_if(log.blocks, [](const auto& entry) { return entry.second.empty(); });
  rename_all(log.blocks, [&](const std::string& key, std::vector<BlockRecord>& blocks) {
    for (BlockRecord& block : blocks) by_point(key, block);
    return blocks.front().key.text();
  });
}

// Whether times of the two may be compared with one baseline: the same processor, and for every device that
// both have the same name, driver, platform and timer.
bool may_stand_together(const RunLog& one, const RunLog& other) {
  if (one.run.host.processor != other.run.host.processor || one.run.host.threads != other.run.host.threads)
    return false;
  return std::ranges::all_of(one.devices, [&](const auto& entry) {
    const auto found = other.devices.find(entry.first);
    if (found == other.devices.end()) return true;
    const DeviceRecord& a = entry.second;
    const DeviceRecord& b = found->second;
    return a.info.name == b.info.name && a.info.driver == b.info.driver &&
           a.info.platform == b.info.platform && a.info.platform_version == b.info.platform_version &&
           a.timer.timer == b.timer.timer && a.timer.spans == b.timer.spans;
  });
}

// Adds `more` to `log`. A point that both have (a baseline) is there once: as the one that is ok, with the
// blocks of both if both are, else with what became of the other in its reason. Rounds and worker processes
// of `more` are numbered after those of `log`. Throws UsageError if auto has chosen another size for a device
// and dwarf.
void join(RunLog& log, RunLog more) {
  join_sizes(log, more);
  const std::map<std::string, Counts> counts = counts_by_device(log);
  for (auto& [key, blocks] : more.blocks) {
    for (BlockRecord& block : blocks) {
      const auto before = counts.find(block.key.device_id);
      if (before == counts.end()) continue;
      block.round += before->second.rounds;
      block.process += before->second.processes;
    }
  }
  log.devices.insert(more.devices.begin(), more.devices.end());
  log.peaks.insert(more.peaks.begin(), more.peaks.end());
  log.known_points.insert(more.known_points.begin(), more.known_points.end());
  log.self_tests.insert(more.self_tests.begin(), more.self_tests.end());
  for (const PointKey& point : more.order) {
    const std::string key = point.text();
    if (log.points.contains(key)) {
      join_point(log, more, key);
      continue;
    }
    log.order.push_back(point);
    log.points.emplace(key, more.points.at(key));
    if (const auto blocks = more.blocks.find(key); blocks != more.blocks.end())
      add_blocks(log, std::move(blocks->second), key);
    take_over(log.anchors, more.anchors, key);
    take_over(log.energies, more.energies, key);
    take_over(log.digests, more.digests, key);
    take_over(log.ends, more.ends, key);
  }
  log.run.merged.insert(log.run.merged.end(), more.run.merged.begin(), more.run.merged.end());
  log.run.builders.insert(more.run.builders.begin(), more.run.builders.end());
  log.truncated |= more.truncated;
}

// A point that one part began when it was stopped, and another part measured again, would appear twice.
void drop_begun(RunLog& part, const std::vector<const RunLog*>& later) {
  for (auto point = part.points.begin(); point != part.points.end();) {
    const std::string key = point->first;
    // Points that have come to their end may be paired with it.
    const bool is_reference = point->second.baseline || part.anchors.contains(key);
    const bool anew = !is_reference && !part.ends.contains(key) &&
                      std::ranges::any_of(later, [&](const RunLog* log) { return log->ends.contains(key); });
    if (!anew) {
      ++point;
      continue;
    }
    std::erase(part.order, point->second.key);
    part.blocks.erase(key);
    part.energies.erase(key);
    part.digests.erase(key);
    point = part.points.erase(point);
  }
}

// What a piece has measured, and the runs that it holds.
RunLog load(const HostInputs::Piece& piece) {
  const std::vector<LogSegment>& segments = piece.input->outline.segments;
  std::vector<MergedRun> runs = piece.runs();
  RunLog part;
  if (segments.size() == 1 || !piece.run().merged.empty()) {
    part = read_segment(segments[piece.segment]);
    if (piece.run().merged.empty()) runs.front().ended = part.ends.size();
  } else {
    // What a part of a resumed run did not run, a later one may have; between merged hosts that is settled.
    const RunLog whole = read_log(piece.input->folder);
    const std::vector<const RunLog*> parts = parts_of(whole);
    const auto here = parts.begin() + static_cast<std::ptrdiff_t>(piece.segment);
    part = **here;
    part.earlier.clear();
    drop_begun(part, {here + 1, parts.end()});
    // Baselines are measured in each part.
    runs.front().ended = static_cast<std::size_t>(std::ranges::count_if(part.ends, [&](const auto& end) {
      return std::none_of(parts.begin(), here,
                          [&](const RunLog* log) { return log->ends.contains(end.first); });
    }));
  }
  part.run.merged = std::move(runs);
  return part;
}

// The name of a run that was made of several.
void rename(RunRecord& run) {
  if (run.merged.size() > 1 && !run.run_id.ends_with(merged_suffix)) run.run_id += merged_suffix;
  std::set<std::string> shards;
  for (const MergedRun& each : run.merged) shards.insert(each.shard);
  run.shard = shards.size() == 1 ? *shards.begin() : "";
}

}  // namespace

std::vector<RunLog> merge_host(const HostInputs& host, bool several_hosts) {
  std::vector<RunLog> parts;
  for (const HostInputs::Piece& piece : host.pieces) {
    RunLog log = load(piece);
    log.run.arguments = common_arguments(log.run.arguments);
    if (several_hosts) name_devices_by_host(log);
    const auto fitting =
        std::ranges::find_if(parts, [&](const RunLog& part) { return may_stand_together(part, log); });
    if (fitting == parts.end()) {
      parts.push_back(std::move(log));
    } else {
      join(*fitting, std::move(log));
    }
  }
  for (RunLog& part : parts) rename(part.run);
  return parts;
}

}  // namespace dwarfsweep
