// `compare --pairs`: two environments, measured by turns in one run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suite/commands/compare_output.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/compare/next_command.hpp"
#include "suite/output/results.hpp"
#include "suite/sweep/paired_sweep.hpp"

namespace dwarfsweep {

int compare_pairs(const Options& options, const CompareRule& rule) {
  catch_interrupts();
  const PairedSides sides = find_sides(options);
  std::vector<PairedGroup> groups = plan_pairs(options, sides);
  Inventory inventory;
  for (const PairedSide& side : sides) inventory.devices.push_back(side.device);
  const RunRecord here = new_run(options, inventory);
  const std::filesystem::path folder = new_folder(options, here.run_id);
  PairedSweep sweep(options, folder, here, sides);
  sweep.run(groups);
  write_results(folder, sweep.log());
  const RunData run = read_run(folder);
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
  fmt::print(stderr, "everything: {}\n", folder.string());
  return comparison.exit_status();
}

}  // namespace dwarfsweep
