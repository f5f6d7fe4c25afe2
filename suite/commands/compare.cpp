// `compare`: two runs, point by point; with --pairs two environments, measured by turns in one run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/space/error.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/documents.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/compare/compare.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/json.hpp"
#include "suite/sweep/paired_sweep.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

constexpr int nothing_in_common = 3;

CompareRule rule_of(const CompareOptions& options) {
  CompareRule rule;
  rule.threshold = options.threshold;
  if (options.adjust == "holm") rule.adjust = CompareRule::Adjust::holm;
  if (options.adjust == "none") rule.adjust = CompareRule::Adjust::none;
  rule.min_count = options.min_count;
  rule.only_best = options.only_best;
  rule.filter = options.filter;
  if (!options.allow.empty()) rule.allowed = read_allow_list(options.allow, utc_now().substr(0, 10));
  return rule;
}

void print_comparison(const Comparison& comparison, const std::string& format) {
  // Names of devices may be anything.
  const auto as_json = [&] { return json_text(to_json_report(comparison), 2) + "\n"; };
  fmt::print("{}", format == "json"       ? as_json()
                   : format == "junit"    ? to_junit(comparison)
                   : format == "markdown" ? to_markdown(comparison)
                                          : to_text(comparison));
}

int compare_folders(const Options& options, const CompareRule& rule) {
  if (options.runs.size() != 2) {
    throw UsageError(
        fmt::format("'compare' needs two folders of runs, old and new; {} given", options.runs.size()));
  }
  const RunData before = read_run(options.runs[0]);
  const RunData after = read_run(options.runs[1]);
  Comparison comparison = compare_runs(before, after, rule);
  if (!options.compare.history.empty())
    comparison.drifts = find_drifts(keep_in_history(options.compare.history, past_run_of(after)), rule);
  print_comparison(comparison, options.format);
  return comparison.exit_status();
}

int compare_pairs(const Options& options, const CompareRule& rule) {
  catch_interrupts();
  const PairedSides sides = find_sides(options);
  std::vector<PairedGroup> groups = plan_pairs(options, sides);
  Inventory inventory;
  for (const PairedSide& side : sides) inventory.devices.push_back(side.device);
  RunRecord here = new_run(options, inventory);
  const std::filesystem::path folder = new_folder(options, here);
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
  print_comparison(comparison, options.format);
  fmt::print(stderr, "run folder: {}\n", folder.string());
  return comparison.exit_status();
}

}  // namespace

int command_compare(const Options& options) {
  try {
    const CompareRule rule = rule_of(options.compare);
    return options.compare.pairs.empty() ? compare_folders(options, rule) : compare_pairs(options, rule);
  } catch (const NothingInCommon& nothing) {
    fmt::print(stderr, "dwarfsweep: {}\n", nothing.what());
    return nothing_in_common;
  }
}

}  // namespace dwarfsweep
