#include "suite/merge/merge_host.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/error.hpp"
#include "suite/merge/join_runs.hpp"
#include "suite/merge/plan_conflicts.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

RunLog load(const HostInputs::Piece& piece) {
  const std::vector<LogSegment>& segments = piece.input->outline.segments;
  // What a part of a resumed run did not run, a later one may have; between merged hosts that is settled.
  if (segments.size() == 1 || !piece.run().merged.empty()) return read_segment(segments[piece.segment]);
  const RunLog whole = read_log(piece.input->folder);
  RunLog part = *parts_of(whole)[piece.segment];
  part.earlier.clear();
  return part;
}

std::size_t count_ended(const RunLog& log) {
  return log.ends.size();
}

// Baselines that a run has measured anew where it went on were counted where it began.
std::size_t count_ended_anew(const RunLog& log) {
  return static_cast<std::size_t>(std::count_if(log.ends.begin(), log.ends.end(), [&](const auto& end) {
    const auto point = log.points.find(end.first);
    return point == log.points.end() || !point->second.baseline;
  }));
}

std::vector<MergedRun> runs_of(const HostInputs::Piece& piece, const RunLog& log) {
  std::vector<MergedRun> runs = piece.runs();
  if (piece.run().merged.empty())
    runs.front().ended = piece.segment == 0 ? count_ended(log) : count_ended_anew(log);
  return runs;
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
    log.run.merged = runs_of(piece, log);
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
