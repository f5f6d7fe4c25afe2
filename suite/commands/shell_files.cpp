#include "suite/commands/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string_view>
#include <vector>

#include "revision.hpp"

namespace dwarfsweep {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// --- man page ---

std::string roff(std::string_view text) {
  std::string escaped = replaced(replaced(std::string(text), "\\", "\\e"), "-", "\\-");
  if (escaped.starts_with('.') || escaped.starts_with('\'')) escaped.insert(0, "\\&");
  return escaped + "\n";
}

std::string roff_entry(std::string_view term, std::string_view meaning) {
  return ".TP\n.B " + roff(term) + roff(meaning);
}

// Each once, from all commands.
std::string roff_environment() {
  std::map<std::string_view, std::string_view> variables;
  for (const Command& command : commands()) {
    for (const HelpEntry& each : command.environment) variables.insert({each.term, each.meaning});
  }
  std::string text = ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : variables) text += roff_entry(name, meaning);
  return text;
}

std::string man_page() {
  std::string text = fmt::format(
      ".TH DWARFSWEEP 1 \"\" \"dwarfsweep {}\" \"User Commands\"\n"
      ".SH NAME\ndwarfsweep \\- OpenCL benchmark suite and autotuner\n"
      ".SH SYNOPSIS\n",
      DWARFSWEEP_VERSION);
  for (const Command& command : commands())
    text += fmt::format(".B dwarfsweep\n{}.br\n", roff(command.usage));
  text +=
      ".SH DESCRIPTION\n" +
      roff(
          "dwarfsweep measures which optimisation pays off for which computational pattern on which device. "
          "It verifies every result before it is timed, and reports every speedup with a 95 % interval.") +
      ".PP\n" +
      roff(
          "Each command takes -h for a list of its options, --help for all of this about it, and -V "
          "for version and revision.");
  for (const Command& command : commands()) {
    text += ".SH " + roff(command.name) + roff(fmt::format("{} {}", summary_of(command), command.details));
    for (const CommandOption& option : command.options)
      text += roff_entry(term_of(option), meaning_of(option));
    text += ".SS Examples of " + roff(command.name);
    for (const HelpEntry& each : command.examples)
      text += roff_entry(fmt::format("dwarfsweep {}", each.term), each.meaning);
    text += ".SS Exit statuses of " + roff(command.name);
    for (const HelpEntry& each : command.exit_statuses) text += roff_entry(each.term, each.meaning);
  }
  return text + roff_environment();
}

// --- bash ---

std::string options_for_bash(const Command& command) {
  std::string words = "-h --help -V --version";
  for (const CommandOption& option : command.options) {
    if (option.name != operands) words += fmt::format(" --{}", option.name);
  }
  return words;
}

// "    sweep--dwarf | run--dwarf) words='...' ;;": the values of options, equal ones in one line.
std::string values_for_bash() {
  std::map<std::string, std::vector<std::string>> places;  // of each action
  for (const Command& command : commands()) {
    for (const CommandOption& option : command.options) {
      if (option.value.empty()) continue;
      const std::string action =
          is_path(option) ? "files=1" : fmt::format("words='{}'", with_names(option.words));
      places[action].push_back(fmt::format("{}--{}", command.name, option.name));
    }
  }
  std::string text;
  for (const auto& [action, names] : places)
    text += fmt::format("    {}) {} ;;\n", fmt::join(names, " | "), action);
  return text;
}

std::string bash_completion() {
  std::vector<std::string_view> names;
  std::string options;
  std::string with_runs;
  for (const Command& command : commands()) {
    names.push_back(command.name);
    const bool takes_runs = command.find(operands) != nullptr;
    options += fmt::format("    {}{}*) words='{}' ;;\n", command.name, takes_runs ? "-" : "",
                           options_for_bash(command));
    if (takes_runs) with_runs += fmt::format("{}{}*", with_runs.empty() ? "" : " | ", command.name);
  }
  return fmt::format(R"(# Made by 'dwarfsweep help --bash'.
_dwarfsweep() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} words='' files='' part='' each
  # The shell splits --option=value into three words.
  [ "$previous" != = ] || previous=${{COMP_WORDS[COMP_CWORD-2]}}
  [ "$word" != = ] || word=''
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='{0} help --help --version'
  elif [ "${{COMP_WORDS[1]}}" = help ]; then
    words='{0}'
  else case "${{COMP_WORDS[1]}}$previous" in
{2}    *) case "${{COMP_WORDS[1]}}$word" in
{1}    {3}) files=1 ;;
    esac ;;
  esac fi
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    words=$(compgen -f -- "$word")
  else
    # Lists: the last value is completed.
    [[ $word != *,* ]] || part=${{word%,*}},
    words=$(compgen -W "$words" -- "${{word##*,}}")
  fi
  while IFS= read -r each; do
    [ -z "$each" ] || COMPREPLY+=("$part$each")
  done <<<"$words"
}}
complete -F _dwarfsweep dwarfsweep
)",
                     fmt::join(names, " "), options, values_for_bash(), with_runs);
}

// --- zsh ---

// In single quotes, within the brackets or parentheses of a specification.
std::string zsh_text(std::string_view text) {
  return replaced(replaced(replaced(std::string(text), "'", "'\\''"), "[", "("), "]", ")");
}

std::string zsh_option(const CommandOption& option) {
  if (option.name == operands) return " \\\n        '*:run:_files'";
  const bool repeats = option.values == CommandOption::Values::repeated;
  const std::string head = fmt::format(" \\\n        '{}--{}", repeats ? "*" : "", option.name);
  const std::string meaning = zsh_text(with_names(option.brief));
  if (option.value.empty()) return fmt::format("{}[{}]'", head, meaning);
  const std::string words = with_names(option.words);
  const std::string action = is_path(option)                                 ? "_files"
                             : words.empty()                                 ? " "
                             : option.value.find(",..") != option.value.npos ? "_sequence compadd - " + words
                                                                             : "(" + words + ")";
  return fmt::format("{}=[{}]:{}:{}'", head, meaning, option.value, action);
}

std::string zsh_completion() {
  std::string names;
  std::string options;
  for (const Command& command : commands()) {
    names += fmt::format("      '{}:{}'\n", command.name, zsh_text(command.summary));
    options += fmt::format(
        "    {})\n      _arguments '(- *)'{{-h,--help}}'[help]' '(- *)'{{-V,--version}}'[version]'",
        command.name);
    for (const CommandOption& option : command.options) options += zsh_option(option);
    options += " ;;\n";
  }
  return fmt::format(R"(#compdef dwarfsweep
# Made by 'dwarfsweep help --zsh'.
_dwarfsweep() {{
  if (( CURRENT == 2 )); then
    local -a names=(
{}      'help:show the help of a command')
    _describe command names
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
{}  esac
}}
_dwarfsweep "$@"
)",
                     names, options);
}

}  // namespace

std::optional<std::string> shell_file(const std::string& kind) {
  if (kind == "--man") return man_page();
  if (kind == "--bash") return bash_completion();
  if (kind == "--zsh") return zsh_completion();
  return std::nullopt;
}

}  // namespace dwarfsweep
