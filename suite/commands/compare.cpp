// `compare`: two runs, point by point; with --pairs two environments, measured alternately in one run; with
// --bisect a ladder of environments (bisect.cpp).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/documents.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/compare/compare.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/json.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/sweep/paired_sweep.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

constexpr int nothing_in_common = 3;

CompareRule read_rule(const CommandLine& line) {
  CompareRule rule;
  const std::string threshold = line.text("threshold");
  if (threshold != "0" && threshold != "0%") rule.threshold = line.percentage("threshold", 0);
  if (line.text("adjust") == "holm") rule.adjust = CompareRule::Adjust::holm;
  if (line.text("adjust") == "none") rule.adjust = CompareRule::Adjust::none;
  rule.min_count = static_cast<std::size_t>(line.integer("min-count", 1, 1, 1'000'000));
  rule.only_best = line.text("only") == "best";
  rule.filter = line.text("filter");
  if (line.has("allow")) rule.allowed = read_allow_list(line.text("allow"), utc_now().substr(0, 10));
  return rule;
}

void print_comparison(const Comparison& comparison, const CommandLine& line) {
  const std::string format = line.has("json") ? "json" : line.text("format");
  // Names of devices may be anything.
  const auto as_json = [&] { return json_text(to_json_report(comparison), 2) + "\n"; };
  fmt::print("{}", format == "json"       ? as_json()
                   : format == "junit"    ? to_junit(comparison)
                   : format == "markdown" ? to_markdown(comparison)
                                          : to_text(comparison));
}

int compare_folders(const CommandLine& line, const CompareRule& rule) {
  const std::vector<std::string> runs = line.operands();
  if (runs.size() != 2) {
    throw UsageError(fmt::format("'compare' needs two folders of runs, old and new; {} given", runs.size()));
  }
  const RunData before = read_run(runs[0]);
  const RunData after = read_run(runs[1]);
  Comparison comparison = compare_runs(before, after, rule);
  if (line.has("history"))
    comparison.drifts = find_drifts(keep_in_history(line.text("history"), past_run_of(after)), rule);
  print_comparison(comparison, line);
  return comparison.exit_status();
}

int compare_pairs(const CommandLine& line, const CompareRule& rule) {
  const Options options = measuring_options(line);
  catch_interrupts();
  std::vector<std::string> environments = line.operands();
  environments.insert(environments.begin(), line.text("pairs"));
  const PairedSides sides = find_sides(environments, options.devices);
  std::vector<PairedGroup> groups = plan_pairs(options, sides);
  Inventory inventory;
  for (const PairedSide& side : sides) inventory.devices.push_back(side.device);
  RunRecord here = new_run(line, inventory);
  const std::filesystem::path folder = new_folder(line.text("out"), here);
  const RunLog log = measure_pairs(options, folder, here, sides, groups);
  write_results(folder, log);
  const RunData run = run_data_of(log, folder.string());
  Comparison comparison = compare_devices(run, sides[0].id, sides[1].id, rule);
  comparison.differences.insert(
      comparison.differences.begin(),
      fmt::format("environment: '{}' before, '{}' now", sides[0].text, sides[1].text));
  comparison.pairs_command = fmt::format("dwarfsweep compare --pairs {} {}", shell_quoted(sides[0].text),
                                         shell_quoted(sides[1].text));
  if (!options.devices.empty())
    comparison.pairs_command +=
        " --device " + shell_quoted(fmt::format("{}", fmt::join(options.devices, ",")));
  comparison.next = next_commands(comparison);
  print_comparison(comparison, line);
  print_stderr("run folder: {}\n", folder.string());
  return comparison.exit_status();
}

}  // namespace

int command_compare(const CommandLine& line) {
  try {
    if (line.has("bisect")) return compare_ladder(line);
    const CompareRule rule = read_rule(line);
    return line.has("pairs") ? compare_pairs(line, rule) : compare_folders(line, rule);
  } catch (const NothingInCommon& nothing) {
    print_stderr("dwarfsweep: {}\n", nothing.what());
    return nothing_in_common;
  }
}

}  // namespace dwarfsweep
