#include "suite/commands/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "harness/space/error.hpp"

namespace dwarfsweep {
// A namespace of its own, because its names are short and common.
namespace option_table {

using Option = CommandOption;
constexpr auto repeated = Option::Values::repeated;
constexpr auto of_words = Option::Values::of_words;

constexpr std::string_view what = "What", how_long = "How long", how_precisely = "How precisely",
                           output = "Output", advanced = "Advanced";

// clang-format off

// --- options that several commands take ---

constexpr Option dwarf = {
    what, "dwarf", "D,..", "dwarfs by name or pattern, or all",
    "A pattern is the first word of a dwarf's class, such as dense. Default: {default_dwarfs}.",
    "all {all_dwarfs}", repeated};
constexpr Option device = {
    what, "device", "SEL,..", "devices by index, type or part of a name (default all)",
    "An index is 0:0 as 'dwarfsweep devices' prints it. A type is cpu, gpu or all. Any other text is part of "
    "platform, vendor, version or name.",
    "cpu gpu all", repeated};
constexpr Option size = {
    what, "size", "S,..", "tiny, small, medium, large, paper or auto (default auto)",
    "auto chooses a size for each device: larger than its caches and long compared with a kernel launch, as far "
    "as the budget allows.",
    "tiny small medium large paper auto", repeated};
constexpr Option problem = {what, "problem", "KEY=N,..", "problem keys instead of a size, such as n=1000",
                            "'dwarfsweep list' shows the keys of each dwarf.", "", repeated};
constexpr Option set = {what, "set", "AXIS=V,..", "fix axes, such as vector_width=4", "", "", repeated};
constexpr Option axis = {what, "axis", "AXIS=V,V", "vary this axis over these values",
                         "Repeat it for more axes. All other axes stay fixed.", "", repeated};
constexpr Option plan = {
    what, "plan", "P", "which points to measure (default one-at-a-time)",
    "one-at-a-time: each axis varied from its variant's default. baseline: the baseline only. full: every legal "
    "point. random:N: N points, each equally likely. stratified:N: N points, each variant equally likely. "
    "corners: both ends of each axis. paper: the published settings. best: the best known point. ci: baseline and "
    "best known point, in a minute. transfer RUN...: the best points of earlier runs, on every device.",
    "one-at-a-time baseline full random: stratified: corners paper best ci transfer"};
constexpr Option atlas = {what, "atlas", "DIR", "with --plan best: also the best points of this atlas",
                         "'dwarfsweep atlas' makes the folder. Points of the nearest device, problem and driver are used."};
constexpr Option shard = {what, "shard", "I/N", "measure only shard I of N of the plan, I from 1",
                          "A shard has the baselines that its points need. 'dwarfsweep merge' joins the shards."};
constexpr Option input = {what,     "input", "FILE", "real data instead of generated data",
                          "Repeat it if a dwarf takes several files.", "", repeated};
constexpr Option runs_to_read = {what, operands, "", "folders of runs", "", "", repeated};
constexpr Option runs_to_transfer = {what, operands, "", "folders of earlier runs, for --plan transfer", "", "", repeated};

constexpr Option budget = {how_long, "budget", "TIME", "time limit, such as 90s or 10m (default 3m)",
                           "It covers everything. 0: until every interval is narrow enough."};
constexpr Option point_timeout = {how_long, "point-timeout", "TIME", "time limit of one point (default 60s)",
                                  "It covers building, warm-up and measuring."};
constexpr Option give_up_after = {how_long, "give-up-after", "N", "skip a variant after N failures in a row (default 3)",
                                  "The rest of the variant is skipped on that device. Points without enough memory do not "
                                  "count. 0: never."};

constexpr Option precision = {how_precisely, "precision", "P%", "half-width of the 95 % interval to reach (default 3%)"};
constexpr Option pairs = {how_precisely, "pairs", "N", "pairs of baseline and variant in a block (default 5)"};
constexpr Option blocks = {how_precisely, "blocks", "N", "fewest measurement blocks of a point (default 3)"};
constexpr Option rounds = {how_precisely, "rounds", "N", "most measurement blocks of a point (default 30)"};
constexpr Option publish = {how_precisely, "publish", "", "narrow intervals and no time limit, for publication",
                            "The same as --precision 1% --blocks 20 --rounds 100 --budget 0."};
constexpr Option cache = {how_precisely, "cache", "C", "caches before each sample: hot (default) or cold",
                          "hot: as the previous run left them. cold: emptied.", "hot cold", of_words};

constexpr Option out = {output, "out", "DIR", "run folder (default results/runs/<host>-<time>)"};
constexpr Option host = {output, "host", "NAME", "name of this machine in the run (default its own)"};
constexpr Option json = {output, "json", "", "print JSON"};

constexpr Option kernels = {advanced, "kernels", "DIR", "edited .cl files instead of the built-in ones"};
constexpr Option cpus = {advanced, "cpus", "LIST", "CPUs of the host to use, such as 0-7,16 (default all)"};
constexpr Option seed = {advanced, "seed", "N", "seed of inputs and random orders (default 1)"};
constexpr Option builders = {advanced, "builders", "N", "processes that build ahead (default: one per idle core)",
                             "0: each program is built when it is needed."};
constexpr Option no_device_figures = {advanced, "no-device-figures", "", "skip the measurement of peaks and the self-test",
                                      "They take some seconds each."};

constexpr Option resume_with(std::string_view details) {
  return {output, "resume", "DIR", "continue the interrupted run in DIR", details};
}

// The option with texts of this command's own.
constexpr Option own(Option option, std::string_view brief, std::string_view details = "") {
  option.brief = brief;
  option.details = details;
  return option;
}

constexpr Option with_words(Option option, std::string_view words) {
  option.words = words;
  return option;
}

constexpr Option with_value(std::string_view value, Option option) {
  option.value = value;
  return option;
}

constexpr Option in(std::string_view group, Option option) {
  option.group = group;
  return option;
}

// --- the options of each command ---

constexpr Option devices_options[] = {json};

constexpr Option list_options[] = {
    own(dwarf, "dwarfs by name or pattern, or all",
        "A pattern is the first word of a dwarf's class, such as dense. Default: all; with --plan {default_dwarfs}."),
    own(plan, "estimate how many points this plan has, and how long",
        "The plans are those of sweep: one-at-a-time, baseline, full, random:N, stratified:N, corners, paper, best, "
        "ci and transfer RUN..."),
    device, size, problem, set, axis, runs_to_transfer, json,
    {output, "programs", "", "print the plan's programs as JSON",
     "Source, compiler options, and which points use each program."},
    {output, "columns", "", "print what the columns of a run's CSV files mean"},
    {advanced, "as-device", "FILE", "with --programs: the devices in this file",
     "FILE is the output of 'dwarfsweep devices' as JSON, or a run.json. The devices need not be here."},
    kernels, seed};

constexpr Option run_options[] = {
    {what, "dwarf", "D", "the dwarf to run", "", "{all_dwarfs}", repeated},
    {what, "device", "SEL", "the device by index, type or part of a name",
     "An index is 0:0 as 'dwarfsweep devices' prints it. A type is cpu or gpu. Default: the first device.", "cpu gpu",
     repeated},
    with_value("S", with_words(own(size, "tiny, small, medium, large or paper",
                                   "Default: the size that a sweep has chosen on this device, else small."),
                               "tiny small medium large paper")),
    problem, input, set,
    with_words(own(plan, "baseline (default) or best: the best known point"), "baseline best"), atlas,
    {what, "against", "DIR", "edited .cl files to measure against the built-in ones",
     "Both versions of the point are verified and measured in pairs."},
    own(budget, "time limit, such as 90s or 10m (default 5s)", "0: until the interval is narrow enough."),
    point_timeout, precision, pairs, blocks, rounds, publish, cache,
    json,
    {output, "dump", "DIR", "write inputs, result, programs and launches to DIR", "Inputs and result are NumPy files."},
    kernels, cpus, seed};

constexpr Option sweep_options[] = {
    dwarf, device, size, problem, input, set, axis, plan, atlas, shard, runs_to_transfer,
    {what, "cpu-reference", "", "also measure each dwarf in plain C++", "On one thread and on all threads."},
    budget, point_timeout, give_up_after, precision, pairs, blocks, rounds, publish, cache, out,
    resume_with("The run keeps its options. You can change --budget, --point-timeout and --host."),
    {output, "new-part", "", "with --resume: continue on a changed machine",
     "If program, kernels, host, device or driver differ, the remaining points become a separate part of the run."},
    host, builders, kernels, cpus, seed, no_device_figures};

constexpr Option tune_options[] = {
    own(dwarf, "dwarfs to search, by name or pattern, or all"), device, size, problem, input,
    own(set, "fix axes, such as variant=tiled"),
    own(axis, "search only these values of this axis", "Repeat it for more axes."),
    {what, "strategy", "S,..", "how to search (default auto)",
     "One of {strategies}. With --replay several are compared.", "{strategy_words}", repeated},
    {what, "objective", "O", "what to minimise: time (default), energy or both",
     "energy needs a device that reports it. both searches for the Pareto front.", "time energy both", of_words},
    {what, "replay", "RUN,..", "search recorded spaces instead of devices",
     "Folders of runs or their measurements.csv, Kernel Tuner's caches (.json), or CSV files of parameters and "
     "time_ms; all may be compressed (.gz).",
     "", repeated},
    own(shard, "search only shard I of N of the space, I from 1",
        "For the strategies exhaustive and random. 'dwarfsweep merge' joins the shards."),
    own(budget, "time limit (default 10m for each dwarf and device)", "It covers all searches. 0: no limit."),
    {how_long, "evaluations", "N,..", "most points that a search may ask for",
     "Failed points count. Default: as many as the budget allows; for a replay 100,200,400.", "", repeated},
    point_timeout, own(give_up_after, "skip a variant after N failures in a row (default 10)", give_up_after.details),
    {how_precisely, "target", "P%", "half-width of the best speedup's interval (default 2%)"},
    {how_precisely, "repeats", "N", "searches of each strategy in a replay (default 100)"},
    cache, out,
    resume_with("The run keeps its options. You can change --budget, --point-timeout and --evaluations."), host,
    {output, "format", "F", "of a replay: text (default) or csv", "", "text csv", of_words},
    builders, kernels, cpus, seed, no_device_figures};

constexpr Option table_options[] = {
    runs_to_read,
    {output, "format", "F", "text (default), markdown, csv, latex or another",
     "best: CSV of the best points. space: CSV of all points, for a replay by tune. claims: CSV of the papers' "
     "claims with a verdict for each device. For other tools: t4, "
     "kernel-tuner, google-benchmark, github-action-benchmark, lnt, fom (a line for ReFrame) and p3 "
     "(p3-analysis-library).",
     "text markdown csv latex best space claims t4 kernel-tuner google-benchmark github-action-benchmark lnt fom p3"},
    own(out, "folder of the files, for --format p3 and kernel-tuner")};

constexpr Option report_options[] = {
    runs_to_read,
    {what, "against", "RUN", "an older run to compare with"},
    {what, "label", "NAME", "name of a run's device in the report",
     "Repeat it, in the order of the runs. Default: made from device, cores and driver.", "", repeated},
    {what, "samples", "", "show every sample, even of a run that has too many",
     "Otherwise the samples of large runs are binned."},
    with_value("FILE", own(out, "the file to write (default report.html)"))};

constexpr Option compare_options[] = {
    own(runs_to_read, "two runs: OLD and NEW"),
    {what, "only", "O", "all (default), or best: baselines and best candidates",
     "Only candidates that were re-measured are among the best.", "best all", of_words},
    {what, "filter", "REGEX", "points whose name matches this regular expression",
     "A name is 'lud n=240 variant=tiled;work_group=16 on DEVICE'. ECMAScript syntax without back-references."},
    {what, "allow", "FILE", "known regressions, which are no failure",
     "Each line has the last day, a regular expression and the reason."},
    {how_precisely, "threshold", "P%", "slower means slower by more than this (default 0%)",
     "The whole interval must lie beyond it. Default with --bisect: 5%."},
    {how_precisely, "adjust", "A", "adjustment for many points: holm or none",
     "Default: holm above 20 points. none: each point has its own 95 % interval.", "holm none", of_words},
    {how_precisely, "min-count", "N", "fewer slower points are no regression (default 1)"},
    {output, "format", "F", "text (default), markdown, junit or json", "junit is XML for CI systems.",
     "text markdown junit json", of_words},
    own(json, "the same as --format json"),
    {output, "history", "DIR", "keep the times of NEW in DIR and look for slow drift"},
    {with_pairs, "pairs", "ENV", "the old environment; the new one follows",
     "NAME=value, such as OCL_ICD_VENDORS=/old. Write several in quotes, with blanks between them."},
    {with_pairs, "bisect", "LADDER", "find the driver that made a point slower, or wrong",
     "LADDER is a file with a line for each environment, oldest first: a name and variables, such as 23.1 "
     "OCL_ICD_VENDORS=/opt/23.1. It measures as few pairs of them as needed."},
    {with_pairs, "good", "NAME", "with --bisect: rung before the change (default first)",
     "If it comes after the bad one, the ladder is searched downwards."},
    {with_pairs, "bad", "NAME", "with --bisect: rung after the change (default last)"},
    in(with_pairs, own(device, "the device in both environments, or one for each",
                       "By index, type or part of a name. It may be left out if there is one device only.")),
    in(with_pairs, dwarf),
    in(with_pairs, with_words(own(size, "tiny, small, medium, large or paper (default small)"),
                              "tiny small medium large paper")),
    in(with_pairs, problem), in(with_pairs, set), in(with_pairs, axis),
    in(with_pairs, with_words(own(plan, "which points to measure (default ci)",
                                  "ci: baseline and best known point of each dwarf. Other plans are those of sweep."),
                              "ci one-at-a-time baseline full random: stratified: corners paper best")),
    in(with_pairs, own(budget, "time limit (default 60s; other plans than ci: 3m)",
                        "Default with --bisect: 10m.")), in(with_pairs, point_timeout),
    in(with_pairs, precision),
    in(with_pairs, own(blocks, "fewest measurement blocks of a point (default 112)",
                       "Other plans than ci: 3. Not for --bisect.")),
    in(with_pairs, own(rounds, "most measurement blocks of a point (default 112)",
                       "Other plans than ci: 30. With --bisect: 1000.")),
    in(with_pairs, publish), in(with_pairs, cache), in(with_pairs, out), in(with_pairs, host), in(with_pairs, kernels),
    in(with_pairs, cpus), in(with_pairs, seed)};

constexpr Option judge_options[] = {
    {what, "dwarf", "D", "the dwarf that the kernels compute", "", "{all_dwarfs}", repeated},
    {what, "kernels", "DIR", "the folder of edited .cl files to judge",
     "Paths as in kernels_cl, such as DIR/lud/tiled.cl. The built-in files are used for those that it lacks."},
    {what, "device", "SEL", "the device (default the first)",
     "By index (0:0 as 'dwarfsweep devices' prints it), type or part of its name.", "cpu gpu", repeated},
    with_value("S", with_words(own(size, "tiny, small, medium (default), large or paper",
                                   "This problem is timed. Others are tried as well."),
                               "tiny small medium large paper")),
    problem, own(set, "point to judge: variant=tiled (default the baseline)"),
    {how_long, "seconds", "N", "time limit in seconds (default 60)", "It covers everything, whatever the kernels do."},
    {how_long, "trials", "N", "enough verified outputs (default: as many as fit)",
     "No score then. The same seed makes the same trials, however fast the machine is."},
    json, cpus,
    own(seed, "seed of all trials (default: a new one)", "It is printed. The same seed makes the same trials.")};

constexpr Option merge_options[] = {runs_to_read, own(out, "folder of the merged run")};

constexpr Option share_options[] = {
    runs_to_read,
    {output, "out", "FILE", "the bundle to write (.dsb)"}};

constexpr Option intake_options[] = {
    own(runs_to_read, "bundles to check",
        "Each is compared with those before it that were accepted."),
    own(device, "the device that computes some results again",
        "By index, type or part of a name. Default: the first device; if there is none, this check is left out."),
    {output, "summaries", "DIR", "write a summary of each bundle for 'atlas'",
     "A summary (.json) has the best points, without samples. Refused bundles have none."},
    json};

constexpr Option atlas_options[] = {
    own(runs_to_read, "bundles, their summaries, and own run folders"),
    own(out, "folder of the pages")};

constexpr Option selftest_options[] = {device, json, cpus};
constexpr Option peaks_options[] = {device, json, kernels, cpus};

// --- exit statuses and environment ---

constexpr HelpEntry wrong_usage = {"2", "wrong usage"}, no_device = {"3", "no device matches"},
                    interrupted = {"130", "interrupted"};
constexpr HelpEntry devices_statuses[] = {{"0", "there is a device"}, wrong_usage, {"3", "there is no device"}, interrupted};
constexpr HelpEntry list_statuses[] = {{"0", "success"}, wrong_usage, no_device, interrupted};
constexpr HelpEntry run_statuses[] = {
    {"0", "the result is correct, and was measured"}, {"1", "the point is not applicable or failed"}, wrong_usage,
    no_device, interrupted};
constexpr HelpEntry sweep_statuses[] = {
    {"0", "no point failed"}, {"1", "some point failed"}, wrong_usage, no_device, interrupted};
constexpr HelpEntry file_statuses[] = {
    {"0", "success"}, {"1", "a file cannot be written"}, {"2", "wrong usage, or a run that cannot be used"}, interrupted};
constexpr HelpEntry compare_statuses[] = {{"0", "no regression"},
                                          {"1", "regression: a point is slower, drifts, or fails now"},
                                          {"2", "wrong usage, or a run or list that cannot be read"},
                                          {"3", "no point in common; with --pairs or --bisect: no device matches"},
                                          {"5", "undecided: the line 'next:' has the command that decides"},
                                          interrupted};
constexpr HelpEntry judge_statuses[] = {
    {"0", "correct"}, {"1", "wrong, cheats or fails"}, wrong_usage, no_device, interrupted};
constexpr HelpEntry intake_statuses[] = {
    {"0", "all bundles are accepted"}, {"1", "some bundle is doubtful or refused"}, wrong_usage, no_device, interrupted};
constexpr HelpEntry device_statuses[] = {{"0", "success"}, {"1", "a device failed"}, wrong_usage, no_device, interrupted};

constexpr HelpEntry drivers = {"OCL_ICD_VENDORS", "folder of .icd files, or one library: the drivers to load"};
constexpr HelpEntry rusticl = {"RUSTICL_ENABLE", "llvmpipe gives rusticl a CPU device"};
constexpr HelpEntry pocl_cache = {"POCL_CACHE_DIR", "folder of the kernels that PoCL has compiled"};
constexpr HelpEntry program_cache = {"DWARFSWEEP_CACHE", "folder of compiled programs (default ~/.cache/dwarfsweep); off: none"};
constexpr HelpEntry best_points = {"DWARFSWEEP_BEST", "folder of the best points of this machine (default results/best)"};
constexpr HelpEntry energy = {"DWARFSWEEP_POWERCAP", "folder of the CPUs' energy counters (default /sys/class/powercap)"};
constexpr HelpEntry oclgrind = {"DWARFSWEEP_OCLGRIND", "path of liboclgrind-rt-icd.so, for --strategy carve"};
constexpr HelpEntry device_environment[] = {drivers, rusticl, pocl_cache};
constexpr HelpEntry measuring_environment[] = {drivers, rusticl, pocl_cache, program_cache, best_points, energy};
constexpr HelpEntry judge_environment[] = {drivers, rusticl, pocl_cache, program_cache, best_points,
                                           {"DWARFSWEEP_OCLGRIND", "path of liboclgrind-rt-icd.so, which looks for races"}};
constexpr HelpEntry tune_environment[] = {drivers, rusticl, pocl_cache, program_cache, best_points, energy, oclgrind};

// --- examples ---

constexpr HelpEntry devices_examples[] = {
    {"devices", "a line for each device, and why a platform has none"},
    {"devices --json > devices.json", "everything that the drivers report"},
    {"devices | grep -i gpu", "is there a GPU?"}};
constexpr HelpEntry list_examples[] = {{"list --dwarf sgemv", "variants, axes, sizes and problem keys of a dwarf"},
                                       {"list --plan full --size large", "how long would all points take?"},
                                       {"list --columns", "what do the columns of measurements.csv mean?"}};
constexpr HelpEntry run_examples[] = {
    {"run --dwarf lud --device gpu --problem n=1000", "the baseline on a GPU"},
    {"run --dwarf srad --set variant=fused,vector_width=8", "one setting, paired with the baseline"},
    {"run --dwarf lud --against my_kernels", "edited kernels, paired with the built-in ones"}};
constexpr HelpEntry sweep_examples[] = {{"sweep", "the default dwarfs on all devices, in three minutes"},
                                        {"sweep --dwarf all --device gpu --budget 30m", "every dwarf on the GPUs"},
                                        {"sweep --resume results/runs/NAME", "the points that are missing"}};
constexpr HelpEntry tune_examples[] = {
    {"tune --dwarf srad --budget 60s", "the best point of a dwarf, in a minute for all devices"},
    {"tune --dwarf lud --set variant=tiled --evaluations 200", "in one variant, with at most 200 points"},
    {"tune --replay results/runs/NAME --strategy random,auto", "how well do two strategies search?"}};
constexpr HelpEntry table_examples[] = {{"table results/runs/NAME", "the tables of a run"},
                                        {"table RUN1 RUN2 --format markdown", "two runs next to each other"},
                                        {"table results/runs/NAME --format t4", "the run for Kernel Tuner's tools"}};
constexpr HelpEntry report_examples[] = {{"report results/runs/NAME", "writes report.html"},
                                         {"report GPU_RUN CPU_RUN --out both.html", "two devices in one report"},
                                         {"report NEW --against OLD", "what changed since the old run?"}};
constexpr HelpEntry compare_examples[] = {
    {"compare OLD NEW --threshold 5%", "is a point slower by more than 5 %?"},
    {"compare OLD NEW --format markdown", "for a comment on a pull request"},
    {"compare --pairs OCL_ICD_VENDORS=/old OCL_ICD_VENDORS=/new", "two drivers, measured in one run"},
    {"compare --bisect drivers.txt --dwarf lud", "which of these drivers made lud slower, or wrong?"}};
constexpr HelpEntry judge_examples[] = {
    {"judge --dwarf lud --kernels my_kernels", "are these kernels right, and how fast?"},
    {"judge --dwarf sgemv --set variant=vec_manual --kernels DIR --json", "one variant, for a script"},
    {"judge --dwarf lud --kernels DIR --seconds 10 --seed 7", "quickly, with trials that can be repeated"}};
constexpr HelpEntry merge_examples[] = {{"merge shard1 shard2 shard3 --out whole", "the shards of a plan"},
                                        {"merge node*/run --out fleet", "the same plan on many machines"},
                                        {"report whole", "a merged run is a run like others"}};
constexpr HelpEntry share_examples[] = {
    {"share results/runs/NAME --out h200.dsb", "one file, without the names of host, user and folders"},
    {"share RUN1 RUN2 --out machine.dsb", "several runs of a machine"},
    {"share RUN --out run.dsb && tar tzvf run.dsb", "what is in a bundle?"}};
constexpr HelpEntry intake_examples[] = {
    {"intake friend.dsb", "what is wrong with it?"},
    {"intake accepted/*.dsb new.dsb", "does the new one agree with the others?"},
    {"intake new.dsb --json", "every finding, for a script"},
    {"intake bundles/*.dsb --summaries summaries", "summaries, from which 'atlas' makes its pages quickly"}};
constexpr HelpEntry atlas_examples[] = {
    {"atlas bundles/*.dsb --out site", "pages of all devices and dwarfs: open site/index.html"},
    {"atlas bundles/*.dsb results/runs/NAME --out site", "your run against the world"},
    {"atlas results/runs/NAME --out site", "pages of one run, and its best points as JSON"}};
constexpr HelpEntry selftest_examples[] = {{"selftest", "all devices"},
                                           {"selftest --device cpu --cpus 0-3", "PoCL on four CPUs of the host"},
                                           {"selftest --json", "numbers that a script can judge"}};
constexpr HelpEntry peaks_examples[] = {{"peaks", "all devices"},
                                        {"peaks --device gpu", "the GPUs"},
                                        {"peaks --json", "the same for a script"}};

constexpr Command all_commands[] = {
    {"devices", "devices [OPTIONS]", "list the OpenCL devices, and the platforms that have none", "", devices_options,
     devices_examples, devices_statuses, device_environment},
    {"list", "list [OPTIONS] [RUN...]", "show dwarfs, axes and sizes, or estimate a plan",
     "With --plan it runs each baseline once to estimate how long the plan takes.", list_options, list_examples,
     list_statuses, measuring_environment},
    {"run", "run --dwarf D [OPTIONS]", "run and verify one point, and measure it against the baseline", "", run_options,
     run_examples, run_statuses, measuring_environment},
    {"sweep", "sweep [OPTIONS] [RUN...]", "measure a plan of points on every device",
     "It writes CSV files, tables and a report into the run folder.", sweep_options, sweep_examples, sweep_statuses,
     measuring_environment},
    {"tune", "tune --dwarf D | --replay RUN,.. [OPTIONS]", "search for the best point of a dwarf",
     "With --replay it searches recorded spaces many times, and reports how near to the best each strategy comes.",
     tune_options, tune_examples, sweep_statuses, tune_environment},
    {"table", "table RUN... [OPTIONS]", "print the tables of runs, or export them for other tools", "", table_options,
     table_examples, file_statuses, {}},
    {"report", "report RUN... [OPTIONS]", "write an HTML report about runs",
     "The report is one file. It needs neither a script nor a network.", report_options, report_examples, file_statuses, {}},
    {"compare", "compare OLD NEW [OPTIONS]", "compare two runs, or two drivers, point by point",
     "It reports whether NEW is faster, slower or within noise. With --pairs it measures two environments in one run. "
     "With --bisect it finds the two environments of a list between which a point changed.",
     compare_options, compare_examples, compare_statuses, measuring_environment},
    {"judge", "judge --dwarf D --kernels DIR [OPTIONS]", "judge kernels that somebody else wrote: correct, wrong, cheats or fails",
     "It verifies timed runs, tries other shapes and inputs, and compares the time with the built-in kernels.",
     judge_options, judge_examples, judge_statuses, judge_environment},
    {"merge", "merge RUN... --out DIR", "join shards of a plan, or runs of many machines, into one run", "", merge_options,
     merge_examples, file_statuses, {}},
    {"share", "share RUN... --out FILE", "pack runs into one file for others, without private names",
     "It prints what the file says of the machine. Names of hosts, users, folders and files are removed.", share_options,
     share_examples, file_statuses, {}},
    {"intake", "intake FILE... [OPTIONS]", "check bundles that others have made",
     "It checks what can be checked and names every finding. That a time is true cannot be checked.", intake_options,
     intake_examples, intake_statuses, device_environment},
    {"atlas", "atlas FILE|RUN... --out DIR", "make static pages of many runs",
     "The pages need no server and load nothing. 'dwarfsweep intake' says which bundles to trust.", atlas_options,
     atlas_examples, file_statuses, {}},
    {"selftest", "selftest [OPTIONS]", "check whether timings on this machine can be trusted", "", selftest_options,
     selftest_examples, device_statuses, device_environment},
    {"peaks", "peaks [OPTIONS]", "measure the peak rates of the devices", "", peaks_options, peaks_examples,
     device_statuses, device_environment},
};
// clang-format on

}  // namespace option_table

using option_table::all_commands;

bool is_path(const CommandOption& option) {
  return option.name == operands || option.value == "DIR" || option.value == "FILE" ||
         option.value.starts_with("RUN");
}

const CommandOption* Command::find(std::string_view option) const {
  const auto found = std::ranges::find(options, option, &CommandOption::name);
  return found == options.end() ? nullptr : &*found;
}

std::span<const Command> commands() {
  return all_commands;
}

namespace {

// Letters to insert, remove or replace, until one word is the other.
std::size_t edits_between(std::string_view one, std::string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

const Command& find_command(std::string_view name) {
  const auto found = std::ranges::find(all_commands, name, &Command::name);
  if (found != std::end(all_commands)) return *found;
  const auto edits = [&](const Command& command) { return edits_between(name, command.name); };
  const auto nearest = std::ranges::min_element(all_commands, {}, edits);
  if (3 * edits(*nearest) <= name.size())
    throw UsageError(fmt::format("there is no command '{}'; did you mean '{}'?", name, nearest->name));
  std::vector<std::string_view> known;
  for (const Command& command : all_commands) known.push_back(command.name);
  throw UsageError(fmt::format("there is no command '{}'; there are {}", name, fmt::join(known, ", ")));
}

std::vector<std::string_view> commands_with(std::string_view option) {
  std::vector<std::string_view> names;
  for (const Command& command : all_commands) {
    if (command.find(option) != nullptr) names.push_back(command.name);
  }
  return names;
}

}  // namespace dwarfsweep
