#include "suite/commands/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include "harness/space/error.hpp"
#include "suite/commands/option_table.hpp"
#include "suite/commands/option_values.hpp"

namespace dwarfsweep {
namespace {

namespace po = boost::program_options;

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

// The plan of compare is ci unless another is named.
bool is_ci_plan(const OptionValues& given, const std::string& command) {
  return given.has("plan") ? given.text("plan") == "ci" : command == "compare";
}

Quality read_quality(const OptionValues& given, const std::string& command) {
  const bool publish = given.has("publish");
  const bool is_ci = is_ci_plan(given, command);
  Quality quality;
  quality.half_width = given.percentage("precision", publish ? 0.01 : 0.03);
  const int preset_blocks = publish ? 20 : is_ci ? ci_blocks : 3;
  quality.blocks = static_cast<int>(given.integer("blocks", preset_blocks, 1, 10'000));
  // For comparing, all points have the same number of blocks: a rule that stops when they agree favours
  // chance.
  const int preset_rounds = publish ? 100 : is_ci ? quality.blocks : 30;
  quality.rounds =
      static_cast<int>(given.integer("rounds", std::max(quality.blocks, preset_rounds), 1, 10'000));
  if (quality.rounds < quality.blocks) {
    throw UsageError(fmt::format("--rounds {} is below --blocks {}", quality.rounds, quality.blocks));
  }
  // Of compare they are two environments.
  if (command != "compare") quality.pairs = static_cast<int>(given.integer("pairs", 5, 1, 1000));
  // Where a buffer lies may make a point faster or slower for as long as its process lives.
  constexpr int processes_to_publish = 5;
  const int processes = publish ? processes_to_publish : is_ci ? ci_processes : 0;
  if (processes > 0) quality.blocks_per_process = std::max(1, quality.blocks / processes);
  return quality;
}

// What is measured: points and their data.
void read_points(const OptionValues& given, Options& options) {
  options.dwarfs = given.list("dwarf");
  options.devices = given.list("device");
  options.sizes = given.list("size");
  options.problem = given.value_map("problem");
  options.settings = given.value_map("set");
  options.axes = given.axes("axis");
  for (const auto& [axis, values] : options.axes) {
    if (options.settings.has(axis))
      throw UsageError(
          fmt::format("--set fixes the axis '{0}' and --axis varies it; give one of them", axis));
  }
  options.plan_given = given.has("plan");
  if (options.plan_given) options.plan = given.text("plan");
  if (given.has("shard")) options.shard = parse_shard(given.text("shard"));
  options.inputs = given.repeated("input");
  options.seed = static_cast<std::uint64_t>(given.integer("seed", 1, 0, INT64_MAX));
}

// How it is measured.
void read_measuring(const OptionValues& given, Options& options) {
  options.quality = read_quality(given, options.command);
  if (options.command == "tune") options.quality.half_width = given.percentage("target", 0.02);
  // A sweep is to give a useful answer in about three minutes; a single point is looked at for some seconds.
  const auto default_budget = std::chrono::seconds(given.has("publish")                 ? 0
                                                   : options.command == "run"           ? 5
                                                   : options.command == "tune"          ? 600
                                                   : is_ci_plan(given, options.command) ? ci_budget_seconds
                                                                                        : 180);
  options.budget_given = given.has("budget");
  options.budget = given.duration("budget", default_budget);
  options.point_timeout_given = given.has("point-timeout");
  options.point_timeout = given.duration("point-timeout", options.point_timeout);
  if (options.point_timeout.count() == 0) throw UsageError("--point-timeout must be above 0");
  // Uniform points of a variant fail more often than its default configuration's neighbours.
  const int give_up_after = options.command == "tune" ? 10 : 3;
  options.give_up_after = static_cast<int>(given.integer("give-up-after", give_up_after, 0, 1'000'000));
  options.builders = static_cast<int>(given.integer("builders", -1, 0, 64));
  options.cache = given.one_of("cache", "hot", {"hot", "cold"}) == "hot" ? CacheState::hot : CacheState::cold;
  options.device_characteristics = !given.has("no-device-figures") && !is_ci_plan(given, options.command);
  options.cpu_reference = given.has("cpu-reference");
  options.kernels = given.text("kernels");
  options.cpus = given.text("cpus");
}

// Where the results go, and in which form.
void read_output(const OptionValues& given, Options& options) {
  options.dump = given.text("dump");
  options.columns = given.has("columns");
  options.programs = given.has("programs");
  options.as_device = given.text("as-device");
  if (!options.as_device.empty() && !options.programs)
    throw UsageError(
        "--as-device names devices that may not be here, so it can be combined with --programs only");
  options.host = given.text("host");
  options.out = given.text("out");
  options.resume = given.text("resume");
  options.new_part = given.has("new-part");
  options.json = given.has("json");
  if (given.has("format")) options.format = given.text("format");
  options.runs = given.repeated("runs");
  options.against = given.text("against");
  options.all_samples = given.has("samples");
  options.labels = given.repeated("label");
}

// How points are searched for.
void read_search(const OptionValues& given, Options& options) {
  options.replay = given.list("replay");
  if (given.has("strategy")) options.strategies = given.list("strategy");
  options.objective = given.one_of("objective", "time", {"time", "energy", "both"});
  options.evaluations_given = given.has("evaluations");
  if (options.evaluations_given) options.evaluations = given.counts("evaluations", 10'000'000);
  options.repeats = static_cast<std::size_t>(given.integer("repeats", 100, 1, 1'000'000));
}

// When two runs differ.
void read_comparing(const OptionValues& given, Options& options) {
  CompareOptions& compare = options.compare;
  const bool is_zero =
      given.has("threshold") && (given.text("threshold") == "0" || given.text("threshold") == "0%");
  compare.threshold = is_zero ? 0 : given.percentage("threshold", 0);
  compare.adjust = given.one_of("adjust", compare.adjust, {"holm", "none"});
  compare.min_count = static_cast<std::size_t>(given.integer("min-count", 1, 1, 1'000'000));
  compare.only_best = given.one_of("only", "all", {"best", "all"}) == "best";
  compare.filter = given.text("filter");
  compare.allow = given.text("allow");
  compare.history = given.text("history");
  compare.pairs = given.text("pairs");
  given.require_exclusive("pairs", "history");
  if (!options.plan_given) options.plan = "ci";
  for (const char* measuring :
       {"seed", "blocks", "rounds", "precision", "publish", "budget", "cache", "kernels", "point-timeout",
        "cpus", "dwarf", "device", "size", "problem", "set", "axis", "plan", "host", "out"}) {
    if (given.has(measuring) && compare.pairs.empty())
      throw UsageError(fmt::format("--{} is for measuring, which compare does with --pairs only", measuring));
  }
  if (options.json && given.has("format")) throw UsageError("--json is --format json; one of them is enough");
  if (options.json) options.format = "json";
  if (given.has("format"))
    options.format = given.one_of("format", "text", {"text", "markdown", "junit", "json"});
}

// A run continues with the options that it began with.
void check_resuming(const Command& command, const OptionValues& given) {
  if (given.has("new-part") && !given.has("resume"))
    throw UsageError("--new-part is for a run that is continued: it needs --resume");
  if (!given.has("resume")) return;
  const bool tunes = command.name == "tune";
  const std::vector<std::string> allowed =
      tunes ? std::vector<std::string>{"resume", "help", "budget", "point-timeout", "evaluations"}
            : std::vector<std::string>{"resume", "help", "budget", "point-timeout", "host", "new-part"};
  for (const std::string& option : command.options) {
    if (!given.has(option) || std::find(allowed.begin(), allowed.end(), option) != allowed.end()) continue;
    throw UsageError(fmt::format(
        "--resume continues with the options of the run and cannot be combined with --{}; allowed are "
        "--budget, --point-timeout{} and --{}",
        option, tunes ? "" : ", --host", allowed.back()));
  }
}

// Earlier runs are for one plan, which is nothing without them.
void check_earlier_runs(const Options& options, const Command& command) {
  if (options.command != "sweep" && options.command != "list") return;
  const bool transfers = options.plan == "transfer";
  if (transfers && options.runs.empty())
    throw UsageError(fmt::format(
        "--plan transfer measures the best points of earlier runs: name their folders; usage: dwarfsweep {}",
        command.usage));
  if (!transfers && !options.runs.empty())
    throw UsageError(fmt::format(
        "'{}' takes options only, and folders of earlier runs with --plan transfer; usage: dwarfsweep {}",
        command.name, command.usage));
}

Options read_options(const Command& command, const OptionValues& given) {
  Options options;
  options.command = command.name;
  options.help = given.has("help");
  // These go to workers or into the record of a run, as JSON.
  for (const char* name : {"input", "kernels", "against", "dump", "host", "cpus", "label"})
    given.require_utf8(name);
  read_points(given, options);
  read_measuring(given, options);
  read_output(given, options);
  read_search(given, options);
  if (command.name == "compare") read_comparing(given, options);
  given.require_exclusive("out", "resume");
  check_resuming(command, given);
  check_earlier_runs(options, command);
  given.require_exclusive("size", "problem");
  given.require_exclusive("size", "input");
  return options;
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    options.help = true;
    if (arguments.size() > 1) options.command = find_command(arguments[1]).name;
    return options;
  }
  const Command& command = find_command(arguments[0]);
  const po::options_description taken = describe_options(command);
  po::positional_options_description positions;
  if (command.takes("runs")) positions.add("runs", -1);
  try {
    po::variables_map given;
    po::store(po::command_line_parser(std::vector<std::string>(arguments.begin() + 1, arguments.end()))
                  .options(taken)
                  .positional(positions)
                  .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                  .run(),
              given);
    options = read_options(command, OptionValues(std::move(given)));
    options.arguments = arguments;
    return options;
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(
        fmt::format("'{}' takes options only; usage: dwarfsweep {}", command.name, command.usage));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; usage: dwarfsweep {}", error.what(), command.usage));
  }
}

Options resumed_options(const Options& given, const RunLog& log) {
  if (log.run.arguments.empty()) throw UsageError(fmt::format("'{}' holds no run to continue", given.resume));
  if (!log.run.merged.empty())
    throw UsageError(fmt::format(
        "'{}' was merged from other runs; continue those with --resume and merge them again", given.resume));
  Options options = parse_options(log.run.arguments);
  if (given.budget_given) options.budget = given.budget;
  if (given.point_timeout_given) options.point_timeout = given.point_timeout;
  if (given.evaluations_given) {
    options.evaluations = given.evaluations;
    options.evaluations_given = true;
  }
  if (!given.host.empty()) options.host = given.host;
  options.resume = given.resume;
  options.new_part = given.new_part;
  return options;
}

std::string help_text(const std::string& command) {
  if (!command.empty()) {
    const Command& chosen = find_command(command);
    std::ostringstream text;
    text << "usage: dwarfsweep " << chosen.usage << "\n\n"
         << chosen.summary << "\n\n"
         << describe_options(chosen);
    return text.str();
  }
  std::string text =
      "dwarfsweep: which optimisation pays off for which computational pattern on which device?\n\n";
  for (const Command& each : commands()) text += fmt::format("  {}\n      {}\n", each.usage, each.summary);
  text +=
      "\n'dwarfsweep COMMAND --help' lists the options of a command; '--version' prints version and "
      "revision.\n"
      "Exit status: 0 all points ok, rejected or not run, 1 some point failed, 2 usage, 3 no device, 130 "
      "interrupted.\n";
  return text;
}

}  // namespace dwarfsweep
