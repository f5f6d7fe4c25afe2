#include "suite/merge/merge_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "harness/space/error.hpp"
#include "suite/merge/plan_conflicts.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// A sweep makes its folder first.
bool is_unwritten(const fs::path& run) {
  if (!fs::exists(run)) throw UsageError(fmt::format("there is no run '{}'", run.string()));
  if (!fs::is_directory(run)) throw UsageError(fmt::format("'{}' is not the folder of a run", run.string()));
  const fs::path log = run / log_name;
  if (fs::exists(log)) {
    std::ifstream stream(log, std::ios::binary);
    std::string line;
    return !std::getline(stream, line) || stream.eof();
  }
  if (fs::is_empty(run)) return true;
  throw UsageError(fmt::format("'{}' contains no {}, from which runs are merged", run.string(), log_name));
}

void require_told_apart(const std::vector<MergeInput>& inputs) {
  std::map<std::string, const MergeInput*> known;
  for (const MergeInput& input : inputs) {
    for (const LogSegment& segment : input.outline.segments) {
      const auto [place, is_new] = known.emplace(segment.run.run_id, &input);
      if (!is_new)
        throw UsageError(fmt::format("'{}' and '{}' are the same run, {}; give it once",
                                     place->second->folder.string(), input.folder.string(),
                                     segment.run.run_id));
    }
  }
}

// "the whole plan" and "shard 2/6" share points, and so may shards of another number of them.
bool may_overlap(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty() || one == other) return true;
  return one.substr(one.find('/')) != other.substr(other.find('/'));
}

std::string shard_text(const std::string& shard) {
  return shard.empty() ? "the whole plan" : "shard " + shard;
}

void require_disjoint(const HostInputs& host) {
  struct Share {
    std::string shard;
    const MergeInput* input;
  };
  std::vector<Share> seen;
  for (const HostInputs::Piece& piece : host.pieces) {
    for (const MergedRun& run : piece.runs()) {
      for (const Share& other : seen) {
        if (other.input == piece.input || !may_overlap(other.shard, run.shard)) continue;
        throw UsageError(
            fmt::format("'{}' is {} on the host '{}' and '{}' is {}, so that points would be there twice; "
                        "give one of them",
                        other.input->folder.string(), shard_text(other.shard), host.host,
                        piece.input->folder.string(), shard_text(run.shard)));
      }
      seen.push_back({run.shard, piece.input});
    }
  }
}

// By number, not by text.
std::tuple<std::size_t, std::string, std::string> order_of(const HostInputs::Piece& piece) {
  const std::string shard = piece.runs().front().shard;
  return {shard.find('/'), shard, piece.run().run_id};
}

}  // namespace

std::vector<MergedRun> HostInputs::Piece::runs() const {
  if (!run().merged.empty()) return run().merged;
  // What is still to do was planned when the run began, wherever it went on.
  return {{input->outline.segments.front().run.run_id, run().shard,
           segment == 0 ? input->outline.planned : -1, 0}};
}

MergeInputs read_inputs(const std::vector<fs::path>& runs) {
  MergeInputs read;
  for (const fs::path& run : runs) {
    if (is_unwritten(run)) {
      read.empty.push_back(run);
    } else {
      read.inputs.push_back({run, outline_log(run)});
    }
  }
  if (read.inputs.empty()) throw UsageError("these runs were killed before they had written anything");
  require_told_apart(read.inputs);
  require_same_plan(read.inputs);
  return read;
}

std::vector<HostInputs> sort_by_host(const std::vector<MergeInput>& inputs) {
  std::map<std::string, HostInputs> by_name;
  for (const MergeInput& input : inputs) {
    for (std::size_t i = 0; i < input.outline.segments.size(); ++i) {
      HostInputs& host = by_name[input.outline.segments[i].run.host.name];
      host.pieces.push_back({&input, i});
    }
  }
  std::vector<HostInputs> hosts;
  for (auto& [name, host] : by_name) {
    host.host = name;
    std::stable_sort(host.pieces.begin(), host.pieces.end(),
                     [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
    require_disjoint(host);
    hosts.push_back(std::move(host));
  }
  return hosts;
}

}  // namespace dwarfsweep
