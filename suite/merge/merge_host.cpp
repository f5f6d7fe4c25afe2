#include "suite/merge/merge_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/space/error.hpp"
#include "suite/merge/join_runs.hpp"
#include "suite/merge/plan_conflicts.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

// What a run had begun where it was stopped, and has measured anew elsewhere, would be there twice.
void drop_begun(RunLog& part, const std::vector<const RunLog*>& later) {
  for (auto point = part.points.begin(); point != part.points.end();) {
    const std::string key = point->first;
    const bool anew =
        !point->second.baseline && !part.ends.contains(key) &&
        std::any_of(later.begin(), later.end(), [&](const RunLog* log) { return log->ends.contains(key); });
    if (!anew) {
      ++point;
      continue;
    }
    std::erase(part.order, point->second.key);
    part.blocks.erase(key);
    part.energies.erase(key);
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
    runs.front().ended =
        static_cast<std::size_t>(std::count_if(part.ends.begin(), part.ends.end(), [&](const auto& end) {
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
    const auto fitting = std::find_if(parts.begin(), parts.end(),
                                      [&](const RunLog& part) { return may_stand_together(part, log); });
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
