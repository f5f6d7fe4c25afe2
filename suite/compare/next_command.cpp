#include "suite/compare/next_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/space/value.hpp"
#include "suite/compare/decision.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t max_commands = 5;

std::string with_commas(std::string text) {
  std::replace(text.begin(), text.end(), ';', ',');
  return text;
}

// A part of the name that chooses the device: a list of selectors is split at commas.
std::string selector_of(const MeasurementRow& row) {
  return row.device.substr(0, row.device.find(','));
}

std::string command_for(const ComparedPoint& point, const Comparison& comparison) {
  const MeasurementRow& row = *point.after;
  const std::size_t blocks =
      blocks_to_decide(*point.ratio, comparison.rule.threshold,
                       std::min(point.blocks_before, point.blocks_after), comparison.confidence);
  const bool named = row.size != "custom" && row.size != "file";
  const std::string what = fmt::format(
      "--dwarf {} {} --plan baseline", shell_quoted(row.dwarf),
      named ? "--size " + shell_quoted(row.size) : "--problem " + shell_quoted(with_commas(row.problem)));
  const std::string which = "--set " + shell_quoted(with_commas(config_text(row)));
  const std::string how = fmt::format("--blocks {} --rounds {} --budget 0", blocks, blocks);
  if (comparison.paired) return fmt::format("{} {} {} {}", comparison.pairs_command, what, which, how);
  constexpr const char* then =
      "--no-device-figures  # with the old driver and with the new one; then compare these two";
  // The dwarf as plain C++ is no point of a space.
  if (row.device_type == "host")
    return fmt::format("dwarfsweep sweep {} --cpu-reference {} {}", what, how, then);
  return fmt::format("dwarfsweep sweep --device {} {} {} {} {}", shell_quoted(selector_of(row)), what, which,
                     how, then);
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-=,./:").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> next_commands(const Comparison& comparison) {
  std::vector<std::string> commands;
  for (const ComparedPoint& point : comparison.points) {
    if (point.change != Change::undecided) continue;
    if (commands.size() == max_commands) {
      commands.push_back(fmt::format("# and {} more points, which need as much",
                                     comparison.count(Change::undecided) - max_commands));
      break;
    }
    commands.push_back(command_for(point, comparison));
  }
  return commands;
}

}  // namespace dwarfsweep
