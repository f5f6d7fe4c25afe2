#include "suite/commands/command_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

using Names = std::vector<std::string>;

// The options that steer measuring, and more.
Names measuring_and(const Names& more) {
  Names names = {"seed",   "pairs", "blocks",  "rounds",        "precision", "publish",
                 "budget", "cache", "kernels", "point-timeout", "cpus"};
  names.insert(names.end(), more.begin(), more.end());
  return names;
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
       "spaces again, many times, and tells how near to the best each strategy comes",
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
       "report RUN... [--out report.html] [--against RUN] [--samples]",
       "writes one HTML file about finished runs, whole without script and without a network",
       {"runs", "out", "against", "samples"}},
      {"compare",
       "compare OLD NEW [--threshold 5%] [--adjust holm|none] [--min-count N] [--only best|all] "
       "[--filter REGEX] [--allow FILE] [--history DIR] [--format text|markdown|junit|json], or compare "
       "--pairs OCL_ICD_VENDORS=/old OCL_ICD_VENDORS=/new [--device SEL[,SEL]] [--dwarf D,..] [--plan P] "
       "[--out DIR]",
       "says point by point whether NEW is faster, slower or within noise; with --pairs measures the points "
       "of a plan in two environments by turns; exit status 0 fine, 1 regression, 2 usage, 3 nothing in "
       "common, 5 undecided",
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

}  // namespace dwarfsweep
