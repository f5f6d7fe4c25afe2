#include "suite/commands/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

namespace po = boost::program_options;

using Names = std::vector<std::string>;

// The options that steer measuring, and more.
Names measuring_and(const Names& more) {
  Names names = {"seed",   "pairs", "blocks",  "rounds",        "precision", "publish",
                 "budget", "cache", "kernels", "point-timeout", "cpus"};
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

po::options_description describe_all_options() {
  po::options_description all;
  const auto one = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto list = [](const char* name) {
    return po::value<std::vector<std::string>>()->composing()->value_name(name);
  };
  // clang-format off
  all.add_options()
      ("dwarf", list("D,.."), "dwarfs by name or by pattern (dense, structured, ...), or 'all' (default: the nine)")
      ("device", list("SEL,.."), "index '0:0', type cpu|gpu|all, or part of platform, vendor, version or device name")
      ("size", list("S,.."), "tiny, small, medium, large or paper, for all devices; or auto (default): for each device the size that is beyond its caches and long against a launch, as far as the budget allows; run takes what sweep has chosen, else small")
      ("problem", list("n=1000"), "keys of the problem instead of a size; several with ',' or repeated")
      ("set", list("axis=value"), "fixes an axis; several with ',' or repeated")
      ("axis", list("axis=1,2,4"), "varies this axis over these values; repeat for more axes or values; all other axes stay fixed")
      ("plan", one("P"), "baseline, one-at-a-time (default), full, random:N (every legal point equally likely), stratified:N (every variant equally likely), paper, best, corners, ci (baseline and best known point of each dwarf in a minute, for compare), transfer RUN... (the best points of those runs, the same on every device)")
      ("shard", one("i/n"), "measures the i-th of n shards of the plan, i from 1, with the baselines that its points need; tune: of the space, by the strategies exhaustive and random; 'merge' puts the shards together")
      ("input", list("FILE"), "real data instead of generated; repeat where a dwarf takes several files")
      ("dump", one("DIR"), "writes inputs and result as NumPy files, and the programs")
      ("programs", "instead of an estimate, the plan's programs as JSON: text, compiler options, and which points use them")
      ("columns", "instead of the dwarfs, what the columns of a run's CSV files mean")
      ("as-device", one("FILE"), "with --programs: of the devices in this file (from 'devices --json', or a run.json) instead of those here")
      ("budget", one("TIME"), "time limit of all measurements, such as 10m; 0: until every interval is narrow enough (default 3m; run: 5s; tune: 10m for each dwarf on each device, and 0 is no limit)")
      ("point-timeout", one("TIME"), "limit of one point: build, warm-up and measuring (default 60s)")
      ("give-up-after", one("N"), "failures in a row after which the rest of a variant is skipped on that device; 0: never (default 3; tune: 10)")
      ("builders", one("N"), "processes that build the next points' programs; 0: none (default: as many as the host has idle cores)")
      ("replay", list("RUN|FILE,.."), "recorded spaces: folders of runs or their measurements.csv, Kernel Tuner's caches (.json), or CSV of parameters and time_ms; also compressed (.gz)")
      ("strategy", list("S,.."), "how to search: auto (default), random, exhaustive, local, genetic, carve")
      ("objective", one("O"), "the quantity to minimise: time (default), energy, if the device reports it, or both: the Pareto front of the two")
      ("evaluations", list("N,.."), "distinct points that a search may ask for, failed ones included (default: as many as the budget allows; of a replay 100,200,400)")
      ("target", one("P%"), "half-width of the 95 % interval in which the best point's speedup is to be known (default 2%)")
      ("repeats", one("N"), "searches with seeds of their own, over which a replay reports (default 100)")
      ("seed", one("N"), "of generated inputs and of all random orders (default 1)")
      ("pairs", one("N"), "pairs of {baseline, variant} in a measurement block (default 5); compare: the first of two environments, NAME=value, several in quotes with blanks between them")
      ("blocks", one("N"), "minimum number of measurement blocks per point (default 3)")
      ("rounds", one("N"), "maximum number of measurement blocks per point (default 30)")
      ("precision", one("P%"), "target half-width of the 95 % interval (default 3%)")
      ("publish", "for results to be published: --precision 1% --blocks 20 --rounds 100 --budget 0")
      ("cache", one("hot|cold"), "caches before each sample: as the run before left them, or emptied (default hot)")
      ("kernels", one("DIR"), "edited .cl files instead of those in the program")
      ("cpus", one("0-7,16"), "the host's CPUs that the program and its workers use (default: all)")
      ("cpu-reference", "also measures each dwarf in plain C++, on one and on all threads")
      ("no-device-figures", "skips the measurement of peaks and the self-test, which take some seconds each")
      ("host", one("NAME"), "what the run calls this machine (default: its own name; with --resume: as before)")
      ("out", one("DIR"), "where the run is written (default results/runs/<host>-<time>); report: the file (default report.html); table: the folder of --format p3 and kernel-tuner")
      ("against", one("RUN|DIR"), "report: an older run to compare with; run: a folder of edited .cl files, whose version of the point is measured in pairs with the program's own")
      ("label", list("NAME"), "what the report calls the device of a run; repeat, in the order of the runs (default: made from device, cores and driver)")
      ("samples", "every sample in the report, whatever its size; else those of a run that has too many are binned")
      ("resume", one("DIR"), "resumes an interrupted run with its options; you can change budget, point-timeout, a sweep's host and tune's evaluations")
      ("new-part", "with --resume: where program, kernels, device, driver or host differ from the run's, what is left is measured as a part of its own")
      ("format", one("F"), "text, markdown, csv, latex; best, the CSV of the best points that --plan best uses; space, a CSV of all points for tune --replay; or for other tools t4, kernel-tuner, google-benchmark, github-action-benchmark, lnt, fom (a line for ReFrame), p3 (p3-analysis-library); of compare text, markdown, junit (XML), json")
      ("threshold", one("P%"), "slower is what the whole interval shows to be slower by more than this (default 0%)")
      ("adjust", one("A"), "for the number of points: holm (default above 20 points) or none (95 % intervals of each point by itself)")
      ("min-count", one("N"), "fewer slower points than this are no regression (default 1)")
      ("only", one("best|all"), "best: baselines and best candidates that were measured again (default all)")
      ("filter", one("REGEX"), "points in whose name, 'lud n=240 variant=tiled;... on DEVICE', this regular expression (ECMAScript without back-references) is found")
      ("allow", one("FILE"), "known regressions, a line each: last day, regular expression, reason (docs/compare-and-ci.md)")
      ("history", one("DIR"), "keeps the times of NEW there, and finds what has become slower over many runs")
      ("json", "everything, as JSON")
      ("runs", list("RUN"), "folders of runs; of sweep and list, earlier ones for --plan transfer")
      ("help", "this text");
  // clang-format on
  return all;
}

}  // namespace

bool Command::takes(const std::string& option) const {
  return std::find(options.begin(), options.end(), option) != options.end();
}

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"devices", "devices [--json]", "lists every OpenCL device, and platforms that have none", {"json"}},
      {"list",
       "list [--dwarf D,..] [--plan P [RUN...]] [--device SEL,..] [--programs [--as-device FILE]] "
       "[--columns]",
       "shows dwarfs, axes and sizes; with --plan how many points it has on a device, and about how long "
       "they take, or its programs",
       {"dwarf", "device", "plan", "size", "problem", "set", "axis", "json", "seed", "kernels", "programs",
        "columns", "as-device", "runs"}},
      {"run",
       "run --dwarf D [--device SEL] [--size S | --problem n=1000 | --input F] [--set granularity=4] "
       "[--plan best] [--against DIR] [--dump DIR]",
       "runs one point, checks it and measures it against the baseline; or, with --against, edited kernels "
       "against those of "
       "the program",
       measuring_and(
           {"dwarf", "device", "size", "problem", "set", "plan", "input", "dump", "json", "against"})},
      {"sweep",
       "sweep [--dwarf D,..] [--device SEL,..] [--size S,..] [--plan P [RUN...]] [--shard i/n] [--budget "
       "10m] "
       "[--out DIR | --resume DIR]",
       "measures a plan of points on every device and writes tables and CSV files",
       measuring_and({"dwarf", "device", "size", "problem", "set", "axis", "plan", "cpu-reference", "input",
                      "host", "out", "resume", "new-part", "give-up-after", "builders", "no-device-figures",
                      "shard", "runs"})},
      {"tune",
       "tune --dwarf D [--device SEL,..] [--size S | --problem n=1000] [--strategy S] [--objective "
       "time|energy|both] [--evaluations N] [--budget 10m] [--shard i/n] [--out DIR | --resume DIR], or tune "
       "--replay RUN|FILE,.. [--strategy "
       "S,..] "
       "[--evaluations N,..] [--repeats N] [--format text|csv]",
       "searches for a dwarf's best point on a device; or, with --replay and without any device, recorded "
       "spaces again, many times, and reports how near to the best each strategy comes",
       {"dwarf",         "device",      "size",    "problem", "set",   "axis",          "input",
        "strategy",      "evaluations", "budget",  "target",  "seed",  "out",           "resume",
        "point-timeout", "builders",    "cache",   "kernels", "host",  "give-up-after", "no-device-figures",
        "cpus",          "replay",      "repeats", "format",  "shard", "objective"}},
      {"table",
       "table RUN... [--format text|markdown|csv|latex|best|space|t4|kernel-tuner|google-benchmark|"
       "github-action-benchmark|lnt|fom] [--format p3 --out DIR]",
       "prints the tables of finished runs again, from their CSV; or writes them for other tools",
       {"format", "runs", "out"}},
      {"report",
       "report RUN... [--label NAME]... [--out report.html] [--against RUN] [--samples]",
       "writes one HTML file about finished runs, whole without script and without a network",
       {"runs", "label", "out", "against", "samples"}},
      {"compare",
       "compare OLD NEW [--threshold 5%] [--adjust holm|none] [--min-count N] [--only best|all] "
       "[--filter REGEX] [--allow FILE] [--history DIR] [--format text|markdown|junit|json], or compare "
       "--pairs OCL_ICD_VENDORS=/old OCL_ICD_VENDORS=/new [--device SEL[,SEL]] [--dwarf D,..] [--plan P] "
       "[--out DIR]",
       "says point by point whether NEW is faster, slower or within noise; with --pairs measures the points "
       "of a plan in two environments, in pairs; exit status 0 fine, 1 regression, 2 usage, 3 nothing in "
       "common, 5 undecided, 130 interrupted",
       measuring_and({"runs", "json", "format", "threshold", "adjust", "min-count", "only", "filter", "allow",
                      "history", "dwarf", "device", "size", "problem", "set", "axis", "plan", "host",
                      "out"})},
      {"merge",
       "merge RUN... --out DIR",
       "makes one run of shards of a plan, or of the same plan on many machines",
       {"runs", "out"}},
      {"selftest",
       "selftest [--device SEL,..] [--json]",
       "measures the harness itself: can timings on this machine be trusted?",
       {"device", "json", "cpus"}},
      {"peaks",
       "peaks [--device SEL,..] [--json]",
       "measures the peak rates of the devices",
       {"device", "json", "kernels", "cpus"}},
  };
  return list;
}

const Command& find_command(const std::string& name) {
  Names known;
  for (const Command& command : commands()) {
    if (command.name == name) return command;
    known.push_back(command.name);
  }
  throw UsageError(fmt::format("there is no command '{}'; there are {}", name, fmt::join(known, ", ")));
}

po::options_description describe_options(const Command& command) {
  static const po::options_description all = describe_all_options();
  po::options_description taken("options");
  for (const auto& option : all.options()) {
    if (command.takes(option->long_name()) || option->long_name() == "help") taken.add(option);
  }
  return taken;
}

}  // namespace dwarfsweep
