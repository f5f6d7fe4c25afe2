#include "suite/merge/plan_conflicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/space/error.hpp"
#include "suite/merge/merge_inputs.hpp"

namespace dwarfsweep {
namespace {

// Options of one run alone.
constexpr std::array<std::string_view, 3> of_one_run = {"shard", "out", "host"};
// Machines differ in these, and points that they leave out are told in their rows. Edited kernels are known
// by their hash.
constexpr std::array<std::string_view, 7> of_one_machine = {
    "device", "cpus", "budget", "point-timeout", "builders", "kernels", "no-device-figures"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
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

}  // namespace

std::map<std::string, std::string> plan_options(const std::vector<std::string>& arguments) {
  std::map<std::string, std::string> options;
  for (const GivenOption& option : split(arguments)) {
    if (is_one_of(of_one_run, option.name) || is_one_of(of_one_machine, option.name)) continue;
    std::string& known = options[option.name];
    known += (known.empty() ? "" : ",") + option.value;
  }
  return options;
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

void require_same_plan(const std::vector<MergeInput>& inputs) {
  for (const MergeInput& input : inputs) {
    for (const LogSegment& segment : input.outline.segments) {
      const std::vector<std::string> lines = differences(inputs.front(), input, segment.run);
      if (!lines.empty())
        throw UsageError(fmt::format("these are not runs of one plan: {}", fmt::join(lines, "; ")));
    }
  }
}

}  // namespace dwarfsweep
