#include "suite/merge/merge_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "harness/space/error.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// Empty, or without a whole line in its log: a sweep makes its folder first.
bool is_unwritten(const fs::path& run) {
  std::error_code error;
  const fs::file_status status = fs::status(run, error);
  if (!fs::exists(status)) throw UsageError(fmt::format("there is no run '{}'", run.string()));
  if (!fs::is_directory(status))
    throw UsageError(fmt::format("'{}' is not the folder of a run", run.string()));
  std::ifstream stream(run / log_name, std::ios::binary);
  if (stream) {
    std::string line;
    return !std::getline(stream, line) || stream.eof();
  }
  const bool empty = fs::is_empty(run, error);
  if (error) throw UsageError(fmt::format("cannot read the folder '{}': {}", run.string(), error.message()));
  if (empty) return true;
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

// Options of one run alone.
constexpr std::array<std::string_view, 3> of_one_run = {"shard", "out", "host"};
// Machines differ in these, and the rows list the points that they leave out. Edited kernels are identified
// by their hash.
constexpr std::array<std::string_view, 7> of_one_machine = {
    "device", "cpus", "budget", "point-timeout", "builders", "kernels", "no-device-figures"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// An option with what belongs to it: "--size", "tiny".
struct GivenOption {
  std::string name;
  std::vector<std::string> words;
  std::string value;
};

std::vector<GivenOption> split(const std::vector<std::string>& arguments) {
  std::vector<GivenOption> options;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    std::string value = word;
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      options.push_back({word.substr(2, equals == std::string::npos ? equals : equals - 2), {}, ""});
      value = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
    if (options.empty()) continue;
    options.back().words.push_back(word);
    std::string& known = options.back().value;
    if (!value.empty()) known += (known.empty() ? "" : ",") + value;
  }
  return options;
}

std::string given_text(const std::map<std::string, std::string>& options, const std::string& name) {
  const auto found = options.find(name);
  if (found == options.end()) return "not given";
  return found->second.empty() ? "given" : "'" + found->second + "'";
}

class Differences {
 public:
  Differences(const MergeInput& first, const MergeInput& other)
      : first_(first.folder.string()), other_(other.folder.string()) {}

  void compare(const std::string& what, const std::string& one, const std::string& other) {
    if (one != other)
      lines_.push_back(fmt::format("{} is {} in '{}' and {} in '{}'", what, one, first_, other, other_));
  }
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::string first_, other_;
  std::vector<std::string> lines_;
};

// What was measured, and how: the values of the options by name. Without those that say where, for how long,
// and which share of it.
std::map<std::string, std::string> plan_options(const std::vector<std::string>& arguments) {
  std::map<std::string, std::string> options;
  for (const GivenOption& option : split(arguments)) {
    if (is_one_of(of_one_run, option.name) || is_one_of(of_one_machine, option.name)) continue;
    std::string& known = options[option.name];
    known += (known.empty() ? "" : ",") + option.value;
  }
  return options;
}

std::vector<std::string> differences(const MergeInput& first, const MergeInput& other, const RunRecord& run) {
  const RunRecord& wanted = first.outline.segments.front().run;
  Differences found(first, other);
  found.compare("the schema", std::to_string(wanted.schema), std::to_string(run.schema));
  found.compare("the version", wanted.version, run.version);
  found.compare("the revision", wanted.revision, run.revision);
  found.compare("the hash of the kernels", wanted.kernels, run.kernels);
  const auto command = [](const RunRecord& of) {
    return of.arguments.empty() ? std::string() : of.arguments.front();
  };
  found.compare("the command", command(wanted), command(run));
  const auto options = plan_options(wanted.arguments);
  const auto others = plan_options(run.arguments);
  std::map<std::string, std::string> both = options;
  both.insert(others.begin(), others.end());
  for (const auto& [name, value] : both)
    found.compare("--" + name, given_text(options, name), given_text(others, name));
  return found.lines();
}

// Throws UsageError that names the first run which differs from the first, and all in which it does.
void require_same_plan(const std::vector<MergeInput>& inputs) {
  for (const MergeInput& input : inputs) {
    for (const LogSegment& segment : input.outline.segments) {
      const std::vector<std::string> lines = differences(inputs.front(), input, segment.run);
      if (!lines.empty())
        throw UsageError(fmt::format("these are not runs of one plan: {}", fmt::join(lines, "; ")));
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

std::vector<std::string> common_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> common;
  if (!arguments.empty()) common.push_back(arguments.front());
  for (const GivenOption& option : split(arguments)) {
    if (!is_one_of(of_one_run, option.name))
      common.insert(common.end(), option.words.begin(), option.words.end());
  }
  return common;
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
    std::ranges::stable_sort(host.pieces,
                             [](const auto& a, const auto& b) { return order_of(a) < order_of(b); });
    require_disjoint(host);
    hosts.push_back(std::move(host));
  }
  return hosts;
}

}  // namespace dwarfsweep
