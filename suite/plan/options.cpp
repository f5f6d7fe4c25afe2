#include "suite/plan/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <map>
#include <sstream>

#include "harness/error.hpp"

namespace dwarfsweep {
namespace {

namespace po = boost::program_options;
using Words = std::vector<std::string>;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

struct Command {
  std::string name;
  std::string usage;
  std::string summary;
  Words options;  // names of the options it takes, of all_options()
};

const std::vector<Command>& commands() {
  static const Words measuring = {"seed",    "pairs",  "blocks", "rounds",  "precision",
                                  "publish", "budget", "cache",  "kernels", "point-timeout"};
  const auto with = [](Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  static const std::vector<Command> list = {
      {"devices", "devices [--json]", "lists every OpenCL device, and platforms that have none", {"json"}},
      {"list",
       "list [--dwarf D,..] [--plan P] [--device SEL,..]",
       "shows dwarfs, axes and sizes; with --plan how many points it has on a device, and about how long "
       "they take",
       {"dwarf", "device", "plan", "size", "problem", "set", "axis", "json", "seed", "kernels"}},
      {"run",
       "run --dwarf D [--device SEL] [--size S | --problem n=1000 | --input F] [--set granularity=4] "
       "[--plan best] [--dump DIR]",
       "runs one point, checks it and measures it against the baseline",
       with(measuring, {"dwarf", "device", "size", "problem", "set", "plan", "input", "dump", "json"})},
      {"sweep",
       "sweep [--dwarf D,..] [--device SEL,..] [--size S,..] [--plan P] [--budget 10m] [--out DIR | --resume "
       "DIR]",
       "measures a plan of points on every device and writes tables and CSV files",
       with(measuring, {"dwarf", "device", "size", "problem", "set", "axis", "plan", "cpu-reference", "input",
                        "host", "out", "resume", "give-up-after", "no-device-figures"})},
      {"table",
       "table RUN... [--format text|markdown|csv|latex|t4|google-benchmark|best]",
       "makes the tables of finished runs again from their CSV",
       {"format", "runs"}},
      {"compare",
       "compare OLD NEW",
       "tells point by point whether NEW is faster, slower or within noise",
       {"runs", "json"}},
      {"selftest",
       "selftest [--device SEL,..] [--json]",
       "measures the harness itself: can timings on this machine be trusted?",
       {"device", "json"}},
      {"peaks",
       "peaks [--device SEL,..] [--json]",
       "measures what the devices can do at most",
       {"device", "json", "kernels"}},
  };
  return list;
}

const Command& find_command(const std::string& name) {
  Words known;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    known.push_back(command.name);
  }
  throw UsageError(fmt::format("there is no command '{}'; there are {}", name, fmt::join(known, ", ")));
}

const po::options_description& all_options() {
  static const po::options_description options = [] {
    po::options_description all;
    const auto word = [](const char* name) { return po::value<std::string>()->value_name(name); };
    const auto words = [](const char* name) { return po::value<Words>()->composing()->value_name(name); };
    // clang-format off
    all.add_options()
        ("dwarf", words("D,.."), "dwarfs by name, or 'all'")
        ("device", words("SEL,.."), "index '0:0', type cpu|gpu|all, or part of platform, vendor, version or device name")
        ("size", words("S,.."), "tiny, small, medium, large or paper")
        ("problem", words("n=1000"), "keys of the problem instead of a size; several with ',' or repeated")
        ("set", words("axis=value"), "fixes an axis; several with ',' or repeated")
        ("axis", words("axis=1,2,4"), "varies this axis over these values, and only the axes named so")
        ("plan", word("P"), "baseline, one-at-a-time (default), full, random:N, paper, best")
        ("input", words("FILE"), "real data instead of generated; repeat where a dwarf takes several files")
        ("dump", word("DIR"), "writes inputs and result as NumPy files, and the programs")
        ("budget", word("TIME"), "how long to measure in all, such as 10m; 0: until every interval is narrow enough (default 3m; run: 5s)")
        ("point-timeout", word("TIME"), "limit of one point: build, warm-up and measuring (default 60s)")
        ("give-up-after", word("N"), "failures in a row after which the rest of a variant is skipped on that device; 0: never (default 3)")
        ("seed", word("N"), "of generated inputs and of all random orders (default 1)")
        ("pairs", word("N"), "pairs of {baseline, variant} in a measurement block (default 5)")
        ("blocks", word("N"), "minimum number of measurement blocks per point (default 3)")
        ("rounds", word("N"), "maximum number of measurement blocks per point (default 30)")
        ("precision", word("P%"), "wished half-width of the 95 % interval (default 3%)")
        ("publish", "for figures to be published: --precision 1% --blocks 20 --rounds 100 --budget 0")
        ("cache", word("hot|cold"), "caches before each sample: as a run before left them, or swept (default hot)")
        ("kernels", word("DIR"), "edited .cl files instead of those in the program")
        ("cpu-reference", "also measures each dwarf in plain C++, on one and on all threads")
        ("no-device-figures", "does without the devices' peaks and self-tests, which take some seconds each")
        ("host", word("NAME"), "what the run calls this machine (default: its own name)")
        ("out", word("DIR"), "where the run is written (default results/runs/<host>-<time>)")
        ("resume", word("DIR"), "goes on with an interrupted sweep")
        ("format", word("F"), "text, markdown, csv, latex; or t4 or google-benchmark, JSON for tuners and for compare.py; or best, the CSV that --plan best goes by")
        ("json", "everything, as JSON")
        ("runs", words("RUN"), "folders of runs")
        ("help", "this text");
    // clang-format on
    return all;
  }();
  return options;
}

po::options_description options_of(const Command& command) {
  po::options_description mine("options");
  Words names = command.options;
  names.push_back("help");
  for (const auto& option : all_options().options()) {
    if (std::find(names.begin(), names.end(), option->long_name()) != names.end()) mine.add(option);
  }
  return mine;
}

Words listed(const po::variables_map& given, const std::string& name) {
  Words all;
  if (!given.count(name)) return all;
  for (const std::string& text : given[name].as<Words>()) {
    const Words parts = split(text, ',');
    if (parts.empty()) throw UsageError(fmt::format("--{} needs a value", name));
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

ValueMap settings(const po::variables_map& given, const std::string& name) {
  ValueMap map;
  for (const std::string& part : listed(given, name)) {
    try {
      const ValueMap parsed = ValueMap::parse(part);
      for (const auto& [key, value] : parsed.entries()) map = map.with(key, value);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--{}: {}", name, error.what()));
    }
  }
  return map;
}

std::vector<std::pair<std::string, std::vector<Value>>> axes(const po::variables_map& given) {
  std::vector<std::pair<std::string, std::vector<Value>>> all;
  if (!given.count("axis")) return all;
  for (const std::string& text : given["axis"].as<Words>()) {
    const std::size_t equals = text.find('=');
    std::vector<Value> values;
    if (equals != std::string::npos) {
      for (const std::string& value : split(text.substr(equals + 1), ','))
        values.push_back(Value::parse(value));
    }
    if (values.empty() || equals == 0)
      throw UsageError(fmt::format("--axis '{}' is not of the form axis=1,2,4", text));
    all.emplace_back(text.substr(0, equals), values);
  }
  return all;
}

std::int64_t whole(const po::variables_map& given, const std::string& name, std::int64_t preset,
                   std::int64_t least, std::int64_t most) {
  if (!given.count(name)) return preset;
  const Value value = Value::parse(given[name].as<std::string>());
  if (!value.is_integer() || value.integer() < least || value.integer() > most) {
    throw UsageError(fmt::format("--{} is '{}', but must be a whole number from {} to {}", name,
                                 value.to_string(), least, most));
  }
  return value.integer();
}

double percentage(const po::variables_map& given, const std::string& name, double preset) {
  if (!given.count(name)) return preset;
  std::string text = given[name].as<std::string>();
  if (!text.empty() && text.back() == '%') text.pop_back();
  const Value value = Value::parse(text);
  if (value.is_string() || !(value.real() > 0 && value.real() <= 100)) {
    throw UsageError(fmt::format("--{} is '{}', but must be a percentage above 0 and up to 100", name, text));
  }
  return value.real() / 100;
}

std::string one_of(const po::variables_map& given, const std::string& name, const std::string& preset,
                   const Words& choices) {
  if (!given.count(name)) return preset;
  const std::string text = given[name].as<std::string>();
  if (std::find(choices.begin(), choices.end(), text) != choices.end()) return text;
  throw UsageError(fmt::format("--{} is '{}', but must be one of {}", name, text, fmt::join(choices, ", ")));
}

// Empty where the option is not given.
std::string text_of(const po::variables_map& given, const std::string& name) {
  if (!given.count(name)) return "";
  const std::string text = given[name].as<std::string>();
  if (text.empty()) throw UsageError(fmt::format("--{} needs a value", name));
  return text;
}

Quality quality_of(const po::variables_map& given) {
  const bool publish = given.count("publish") > 0;
  Quality quality;
  quality.half_width = percentage(given, "precision", publish ? 0.01 : 0.03);
  quality.blocks = static_cast<int>(whole(given, "blocks", publish ? 20 : 3, 1, 10'000));
  quality.rounds =
      static_cast<int>(whole(given, "rounds", std::max(quality.blocks, publish ? 100 : 30), 1, 10'000));
  if (quality.rounds < quality.blocks) {
    throw UsageError(fmt::format("--rounds {} is below --blocks {}", quality.rounds, quality.blocks));
  }
  quality.pairs = static_cast<int>(whole(given, "pairs", 5, 1, 1000));
  return quality;
}

void require_exclusive(const po::variables_map& given, const char* one, const char* other) {
  if (given.count(one) && given.count(other)) {
    throw UsageError(fmt::format("--{} and --{} exclude each other", one, other));
  }
}

Options read_options(const Command& command, const po::variables_map& given) {
  Options options;
  options.command = command.name;
  options.help = given.count("help") > 0;
  options.dwarfs = listed(given, "dwarf");
  options.devices = listed(given, "device");
  options.sizes = listed(given, "size");
  options.problem = settings(given, "problem");
  options.settings = settings(given, "set");
  options.axes = axes(given);
  options.plan_given = given.count("plan") > 0;
  if (options.plan_given) options.plan = text_of(given, "plan");
  options.quality = quality_of(given);
  // A sweep is to give a useful answer in about three minutes; a single point is looked at for some seconds.
  options.budget = std::chrono::seconds(given.count("publish") ? 0 : command.name == "run" ? 5 : 180);
  if (given.count("budget")) options.budget = parse_duration("budget", text_of(given, "budget"));
  if (given.count("point-timeout"))
    options.point_timeout = parse_duration("point-timeout", text_of(given, "point-timeout"));
  if (options.point_timeout.count() == 0) throw UsageError("--point-timeout must be above 0");
  options.give_up_after = static_cast<int>(whole(given, "give-up-after", 3, 0, 1'000'000));
  options.seed = static_cast<std::uint64_t>(whole(given, "seed", 1, 0, INT64_MAX));
  options.cache =
      one_of(given, "cache", "hot", {"hot", "cold"}) == "hot" ? CacheState::hot : CacheState::cold;
  options.device_characteristics = given.count("no-device-figures") == 0;
  options.cpu_reference = given.count("cpu-reference") > 0;
  if (given.count("input")) options.inputs = given["input"].as<Words>();
  options.dump = text_of(given, "dump");
  options.host = text_of(given, "host");
  options.out = text_of(given, "out");
  options.resume = text_of(given, "resume");
  options.kernels = text_of(given, "kernels");
  options.json = given.count("json") > 0;
  options.format = given.count("format") ? text_of(given, "format") : "text";
  if (given.count("runs")) options.runs = given["runs"].as<Words>();
  require_exclusive(given, "out", "resume");
  require_exclusive(given, "size", "problem");
  require_exclusive(given, "size", "input");
  return options;
}

}  // namespace

std::chrono::milliseconds parse_duration(const std::string& option, const std::string& text) {
  static const std::map<std::string, double> units = {
      {"ms", 1}, {"", 1000}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const Value number = Value::parse(text.substr(0, digits));
  const auto unit = units.find(digits == std::string::npos ? "" : text.substr(digits));
  if (number.is_string() || unit == units.end() || number.real() * unit->second > 3.6e9) {
    throw UsageError(
        fmt::format("--{} is '{}', but must be a time such as 500ms, 90s, 10m or 2h", option, text));
  }
  return std::chrono::milliseconds(std::llround(number.real() * unit->second));
}

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    options.help = true;
    if (arguments.size() > 1) options.command = find_command(arguments[1]).name;
    return options;
  }
  const Command& command = find_command(arguments[0]);
  const po::options_description mine = options_of(command);
  po::positional_options_description positions;
  const bool takes_runs =
      std::find(command.options.begin(), command.options.end(), "runs") != command.options.end();
  if (takes_runs) positions.add("runs", -1);
  try {
    po::variables_map given;
    po::store(po::command_line_parser(Words(arguments.begin() + 1, arguments.end()))
                  .options(mine)
                  .positional(positions)
                  .style(po::command_line_style::unix_style & ~po::command_line_style::allow_guessing)
                  .run(),
              given);
    options = read_options(command, given);
    options.arguments = arguments;
    return options;
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(
        fmt::format("'{}' takes options only; usage: dwarfsweep {}", command.name, command.usage));
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; usage: dwarfsweep {}", error.what(), command.usage));
  }
}

std::string help_text(const std::string& command) {
  if (!command.empty()) {
    const Command& chosen = find_command(command);
    std::ostringstream text;
    text << "usage: dwarfsweep " << chosen.usage << "\n\n" << chosen.summary << "\n\n" << options_of(chosen);
    return text.str();
  }
  std::string text =
      "dwarfsweep: which optimisation pays off for which computational pattern on which device?\n\n";
  for (const Command& each : commands()) text += fmt::format("  {}\n      {}\n", each.usage, each.summary);
  text +=
      "\n'dwarfsweep COMMAND --help' lists the options of a command; '--version' tells version and "
      "revision.\n"
      "Exit status: 0 all points ok or rejected, 1 some point failed, 2 usage, 3 no device.\n";
  return text;
}

}  // namespace dwarfsweep
