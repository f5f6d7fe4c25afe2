#include "suite/commands/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/commands/new_run.hpp"
#include "suite/search/strategy.hpp"

namespace dwarfsweep {
namespace {

constexpr std::size_t help_width = 80;
constexpr std::size_t help_column = 24;  // where the meanings begin

// "  term   text": the text in a column of its own, or below the term if that is long.
std::string entry(const std::string& term, const std::string& text, std::size_t column = help_column) {
  std::string result;
  std::string line = term.empty() ? "" : "  " + term;
  if (line.size() + 1 > column && column > 0) {
    result = line + "\n";
    line.clear();
  }
  line.resize(column, ' ');
  std::istringstream words(text);
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    if (!is_first && line.size() + 1 + word.size() > help_width) {
      result += line + "\n";
      line.assign(column, ' ');
      is_first = true;
    }
    line += (is_first ? "" : " ") + word;
  }
  return result + line + "\n";
}

constexpr const char* question =
    "dwarfsweep: which optimisation pays off for which computational pattern on which device?";

std::string overview() {
  std::string text = fmt::format("{}\n\nusage: dwarfsweep COMMAND [OPTIONS]\n\n", question);
  for (const Command& command : commands())
    text += entry(std::string(command.name), std::string(command.summary), 12);
  text +=
      "\n'dwarfsweep COMMAND -h' lists the options of a command, --help explains them.\n"
      "-V prints version and revision. Exit statuses: 0 success, 1 some point failed,\n"
      "2 wrong usage, 3 no device, 130 interrupted.\n";
  return text;
}

std::string short_help(const Command& command) {
  std::string text =
      fmt::format("usage: dwarfsweep {}\n\n{}\n", command.usage, entry("", summary_of(command), 0));
  for (const CommandOption& option : command.options)
    text += entry(term_of(option), with_names(option.brief));
  return text + entry("-h, --help", "this list; --help explains the options, with examples") +
         entry("-V, --version", "version and revision");
}

std::string entries(const char* title, std::span<const HelpEntry> list, std::size_t column) {
  if (list.empty()) return "";
  std::string text = fmt::format("\n{}:\n", title);
  for (const HelpEntry& each : list) text += entry(std::string(each.term), std::string(each.meaning), column);
  return text;
}

std::string long_help(const Command& command) {
  std::string text = fmt::format("usage: dwarfsweep {}\n\n", command.usage) +
                     entry("", fmt::format("{} {}", summary_of(command), command.details), 0);
  std::vector<std::string_view> groups;
  for (const CommandOption& option : command.options) {
    if (std::ranges::count(groups, option.group) == 0) groups.push_back(option.group);
  }
  for (const std::string_view group : groups) {
    text += fmt::format("\n{}:\n", group);
    for (const CommandOption& option : command.options) {
      if (option.group == group) text += entry(term_of(option), meaning_of(option));
    }
  }
  text += "\nExamples:\n";
  for (const HelpEntry& each : command.examples)
    text += fmt::format("  dwarfsweep {}\n      {}\n", each.term, each.meaning);
  return text + entries("Exit statuses", command.exit_statuses, 8) +
         entries("Environment variables", command.environment, help_column);
}

}  // namespace

std::string summary_of(const Command& command) {
  std::string text = fmt::format("{}.", command.summary);
  text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string term_of(const CommandOption& option) {
  if (option.name == operands) return fmt::format("{}...", operands);
  return fmt::format("--{}{}{}", option.name, option.value.empty() ? "" : " ", option.value);
}

std::string with_names(std::string_view text) {
  const auto joined = [](const std::vector<const Dwarf*>& dwarfs, const char* separator) {
    std::vector<std::string> names;
    for (const Dwarf* dwarf : dwarfs) names.push_back(dwarf->info().name);
    return fmt::format("{}", fmt::join(names, separator));
  };
  std::string result(text);
  for (const auto& [place, names] :
       {std::pair{"{default_dwarfs}", joined(all_dwarfs(), ", ")},
        std::pair{"{all_dwarfs}", joined(built_in_dwarfs(), " ")},
        std::pair{"{strategies}", fmt::format("{}", fmt::join(strategy_names(), ", "))},
        std::pair{"{strategy_words}", fmt::format("{}", fmt::join(strategy_names(), " "))}}) {
    if (const std::size_t at = result.find(place); at != std::string::npos)
      result.replace(at, std::string_view(place).size(), names);
  }
  return result;
}

std::string meaning_of(const CommandOption& option) {
  return with_names(option.details.empty() ? std::string(option.brief)
                                           : fmt::format("{}. {}", option.brief, option.details));
}

std::optional<std::string> requested_text(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  const auto given = [&](const char* option) { return std::find(arguments.begin(), end, option) != end; };
  if (given("-V") || given("--version")) return version_text() + "\n";
  const bool is_short = given("-h");
  const bool is_help = !arguments.empty() && arguments.front() == "help";
  if (!arguments.empty() && !is_help && !is_short && !given("--help")) return std::nullopt;
  if (is_help && arguments.size() == 2) {
    if (const auto text = shell_file(arguments[1])) return text;
  }
  const auto topic = std::find_if(arguments.begin() + (is_help ? 1 : 0), end,
                                  [](const std::string& each) { return !each.starts_with('-'); });
  if (topic == end) return overview();
  const Command& command = find_command(*topic);
  return is_short ? short_help(command) : long_help(command);
}

}  // namespace dwarfsweep
