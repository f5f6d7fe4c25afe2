#include "suite/commands/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "harness/space/error.hpp"
#include "suite/commands/option_table.hpp"

namespace dwarfsweep {
namespace {

namespace po = boost::program_options;

// --- options of measuring ---

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Shard parse_shard(const std::string& text) {
  constexpr int max_shards = 1'000'000;
  if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
    const auto index = parse_number(std::string_view(text).substr(0, slash));
    const auto count = parse_number(std::string_view(text).substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count && *count <= max_shards) return {*index, *count};
  }
  throw UsageError(fmt::format(
      "--shard is '{}', but must be i/n, such as 2/6: the i-th of n shards, i from 1 to n, n up to {}", text,
      max_shards));
}

std::string plan_of(const CommandLine& line) {
  if (line.has("plan")) return line.text("plan");
  return line.command == "run" ? "baseline" : line.command == "compare" ? "ci" : "one-at-a-time";
}

Quality read_quality(const CommandLine& line) {
  const bool publish = line.has("publish");
  const bool is_ci = plan_of(line) == "ci";
  Quality quality;
  quality.half_width = line.command == "tune" ? line.percentage("target", 0.02)
                                              : line.percentage("precision", publish ? 0.01 : 0.03);
  const int preset_blocks = publish ? 20 : is_ci ? ci_blocks : 3;
  quality.blocks = static_cast<int>(line.integer("blocks", preset_blocks, 1, 10'000));
  // For comparing, all points have the same number of blocks: a rule that stops when they agree favours
  // chance.
  const int preset_rounds = publish ? 100 : is_ci ? quality.blocks : 30;
  quality.rounds =
      static_cast<int>(line.integer("rounds", std::max(quality.blocks, preset_rounds), 1, 10'000));
  if (quality.rounds < quality.blocks) {
    throw UsageError(fmt::format("--rounds {} is below --blocks {}", quality.rounds, quality.blocks));
  }
  // Of compare they are two environments.
  if (line.command != "compare") quality.pairs = static_cast<int>(line.integer("pairs", 5, 1, 1000));
  // Where a buffer lies may make a point faster or slower for as long as its process lives.
  constexpr int processes_to_publish = 5;
  const int processes = publish ? processes_to_publish : is_ci ? ci_processes : 0;
  if (processes > 0) quality.blocks_per_process = std::max(1, quality.blocks / processes);
  return quality;
}

// What is measured: points and their data.
void read_points(const CommandLine& line, Options& options) {
  options.dwarfs = line.list("dwarf");
  options.devices = line.list("device");
  options.sizes = line.list("size");
  options.problem = line.value_map("problem");
  options.settings = line.value_map("set");
  options.axes = line.axes("axis");
  for (const auto& [axis, values] : options.axes) {
    if (options.settings.has(axis))
      throw UsageError(
          fmt::format("--set fixes the axis '{0}' and --axis varies it; give one of them", axis));
  }
  options.plan = plan_of(line);
  if (line.command != "compare") options.runs = line.operands();
  if (line.has("atlas")) {
    if (options.plan != "best") throw UsageError("--atlas is for --plan best");
    options.runs = {line.text("atlas")};
  }
  if (line.has("shard")) options.shard = parse_shard(line.text("shard"));
  options.inputs = line.repeated("input");
  options.seed = static_cast<std::uint64_t>(line.integer("seed", 1, 0, INT64_MAX));
  options.kernels = line.text("kernels");
  options.cpu_reference = line.has("cpu-reference");
}

// How it is measured.
void read_measuring(const CommandLine& line, Options& options) {
  const bool is_ci = options.plan == "ci";
  options.quality = read_quality(line);
  // A sweep is to give a useful answer in about three minutes; a single point is looked at for some seconds.
  const auto default_budget = std::chrono::seconds(line.has("publish")      ? 0
                                                   : line.command == "run"  ? 5
                                                   : line.command == "tune" ? 600
                                                   : line.has("bisect")     ? 600
                                                   : is_ci                  ? ci_budget_seconds
                                                                            : 180);
  options.budget = line.duration("budget", default_budget);
  options.point_timeout = line.duration("point-timeout", options.point_timeout);
  if (options.point_timeout.count() == 0) throw UsageError("--point-timeout must be above 0");
  // Uniform points of a variant fail more often than its default configuration's neighbours.
  const int give_up_after = line.command == "tune" ? 10 : 3;
  options.give_up_after = static_cast<int>(line.integer("give-up-after", give_up_after, 0, 1'000'000));
  options.builders = static_cast<int>(line.integer("builders", -1, 0, 64));
  options.cache = line.text("cache") == "cold" ? CacheState::cold : CacheState::hot;
  options.device_characteristics = !line.has("no-device-figures") && !is_ci;
  if (line.command == "run") options.against = line.text("against");
}

// How points are searched for.
void read_search(const CommandLine& line, Options& options) {
  if (line.has("strategy")) options.strategies = line.list("strategy");
  if (line.has("objective")) options.objective = line.text("objective");
  options.evaluations_given = line.has("evaluations");
  if (options.evaluations_given) options.evaluations = line.counts("evaluations", 10'000'000);
}

// --- options that do not fit together ---

// A run continues with the options that it began with.
void check_resuming(const CommandLine& line, const Command& command) {
  if (line.has("new-part") && !line.has("resume"))
    throw UsageError("--new-part is for a run that is continued: it needs --resume");
  if (!line.has("resume")) return;
  std::vector<std::string> allowed = {"budget", "point-timeout", "host", "new-part"};
  if (line.command == "tune") allowed = {"budget", "point-timeout", "evaluations"};
  for (const CommandOption& option : command.options) {
    const std::string name(option.name);
    if (!line.has(name) || name == "resume" || std::ranges::count(allowed, name) > 0) continue;
    const std::string last = allowed.back();
    allowed.pop_back();
    throw UsageError(
        fmt::format("--resume continues with the options of the run and cannot be combined with --{}; "
                    "allowed are --{} and "
                    "--{}",
                    name, fmt::join(allowed, ", --"), last));
  }
}

// Earlier runs are for one plan, which is nothing without them.
void check_earlier_runs(const CommandLine& line, const Command& command) {
  if (line.command != "sweep" && line.command != "list") return;
  const bool transfers = line.has("plan") && line.text("plan") == "transfer";
  if (transfers && line.operands().empty())
    throw UsageError(fmt::format(
        "--plan transfer measures the best points of earlier runs: name their folders; usage: dwarfsweep {}",
        command.usage));
  if (!transfers && !line.operands().empty())
    throw UsageError(fmt::format(
        "'{}' takes options only, and folders of earlier runs with --plan transfer; usage: dwarfsweep {}",
        command.name, command.usage));
}

void check_values(const CommandLine& line, const Command& command) {
  for (const CommandOption& option : command.options) {
    if (option.value.empty()) continue;
    const std::string name(option.name);
    line.require_value(name);
    if (option.values == CommandOption::Values::of_words) line.require_one_of(name, option.words);
  }
  // These go to workers or into the record of a run, as JSON.
  for (const char* name : {"input", "kernels", "against", "dump", "host", "cpus", "label"})
    line.require_utf8(name);
}

void check_combinations(const CommandLine& line, const Command& command) {
  line.require_exclusive("out", "resume");
  check_resuming(line, command);
  check_earlier_runs(line, command);
  line.require_exclusive("size", "problem");
  line.require_exclusive("size", "input");
  if (line.has("as-device") && !line.has("programs"))
    throw UsageError(
        "--as-device names devices that may not be here, so it can be combined with --programs only");
  if (line.command != "compare") return;
  line.require_exclusive("pairs", "history");
  for (const char* of_two_runs : {"pairs", "history", "only", "filter", "allow", "adjust", "min-count",
                                  "format", "json", "blocks", "publish"})
    line.require_exclusive("bisect", of_two_runs);
  for (const char* name : {"good", "bad"}) {
    if (line.has(name) && !line.has("bisect"))
      throw UsageError(fmt::format("--{} names a rung of a ladder: it needs --bisect", name));
  }
  for (const CommandOption& option : command.options) {
    if (option.group == with_pairs && line.has(std::string(option.name)) && !line.has("pairs") &&
        !line.has("bisect"))
      throw UsageError(fmt::format("--{} is for measuring, which compare does with --pairs and --bisect only",
                                   option.name));
  }
  if (line.has("json") && line.has("format"))
    throw UsageError("--json is --format json; one of them is enough");
}

// --- parsing ---

po::options_description describe(const Command& command) {
  po::options_description described;
  for (const CommandOption& option : command.options) {
    const std::string name(option.name);
    if (option.name == operands || option.values == CommandOption::Values::repeated) {
      described.add_options()(name.c_str(), po::value<std::vector<std::string>>()->composing());
    } else if (!option.value.empty()) {
      described.add_options()(name.c_str(), po::value<std::string>());
    } else {
      described.add_options()(name.c_str(), "");
    }
  }
  return described;
}

// An option that the command does not take: which commands do?
std::string refusal(const Command& command, const std::string& given) {
  const std::string option = given.substr(0, given.find('='));
  const std::string name = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  const std::vector<std::string_view> others = commands_with(name);
  if (others.empty())
    return fmt::format("there is no option '{}'; 'dwarfsweep {} -h' lists the options", option, command.name);
  return fmt::format(
      "'{0}' does not take the option '{1}', which is for {2}; 'dwarfsweep {0} -h' lists its options",
      command.name, option, fmt::join(others, ", "));
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  const Command& command = find_command(arguments.at(0));
  const po::options_description taken = describe(command);
  po::positional_options_description positions;
  if (command.find(operands) != nullptr) positions.add(std::string(operands).c_str(), -1);
  CommandLine line;
  line.command = command.name;
  line.arguments = arguments;
  try {
    line.parse(po::command_line_parser(std::vector<std::string>(arguments.begin() + 1, arguments.end()))
                   .options(taken)
                   .positional(positions)
                   .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                   .run());
  } catch (const po::unknown_option& error) {
    throw UsageError(refusal(command, error.get_option_name()));
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(
        fmt::format("'{}' takes options only; usage: dwarfsweep {}", command.name, command.usage));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; usage: dwarfsweep {}", error.what(), command.usage));
  }
  check_values(line, command);
  check_combinations(line, command);
  return line;
}

Options measuring_options(const CommandLine& line) {
  Options options;
  read_points(line, options);
  read_measuring(line, options);
  read_search(line, options);
  return options;
}

RunLog log_to_resume(const CommandLine& given) {
  const std::string folder = given.text("resume");
  if (folder.empty()) return {};
  if (!std::filesystem::exists(folder))
    throw UsageError(
        fmt::format("there is no run folder '{}'; give --resume the folder of the interrupted run, "
                    "such as results/runs/NAME",
                    folder));
  return read_log(folder);
}

CommandLine resumed_line(const CommandLine& given, const RunLog& log) {
  const std::string folder = given.text("resume");
  if (log.run.arguments.empty()) throw UsageError(fmt::format("'{}' holds no run to continue", folder));
  if (!log.run.merged.empty())
    throw UsageError(fmt::format(
        "'{}' was merged from other runs; continue those with --resume and merge them again", folder));
  CommandLine line = parse_command_line(log.run.arguments);
  if (line.command != given.command)
    throw UsageError(fmt::format("the run in '{}' is not of {}; continue it with {} --resume", folder,
                                 given.command, line.command));
  line.replace_by(given);
  return line;
}

}  // namespace dwarfsweep
