#include "tests/property/tally.hpp"

#include <fmt/format.h>

namespace dwarfsweep::property {
namespace {

std::string line_of(const std::string& name, const Tally& tally, std::size_t shapes,
                    std::size_t configurations) {
  return fmt::format("{:<10}{:>8}{:>8}{:>16}{:>10}{:>10}{:>11}{:>7}{:>10}\n", name, tally.trials, shapes,
                     configurations, tally.rejected, tally.declined, tally.timed_out, tally.known,
                     tally.failures);
}

}  // namespace

void Tally::count(const Trial& trial) {
  ++trials;
  shapes.insert(trial.problem.to_string());
  configurations.insert(trial.config.to_string());
}

std::string table_of(const std::map<std::string, Tally>& tallies) {
  std::string text =
      fmt::format("{:<10}{:>8}{:>8}{:>16}{:>10}{:>10}{:>11}{:>7}{:>10}\n", "dwarf", "trials", "shapes",
                  "configurations", "rejected", "declined", "timed_out", "known", "failures");
  Tally all;
  std::size_t shapes = 0, configurations = 0;
  for (const auto& [name, tally] : tallies) {
    text += line_of(name, tally, tally.shapes.size(), tally.configurations.size());
    all.trials += tally.trials;
    shapes += tally.shapes.size();
    configurations += tally.configurations.size();
    all.rejected += tally.rejected;
    all.declined += tally.declined;
    all.timed_out += tally.timed_out;
    all.known += tally.known;
    all.failures += tally.failures;
  }
  return text + line_of("all", all, shapes, configurations);
}

}  // namespace dwarfsweep::property
