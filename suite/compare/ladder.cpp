#include "suite/compare/ladder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

constexpr const char* ladder_form =
    "a line is a name and variables, such as 23.1 OCL_ICD_VENDORS=/opt/driver-23.1";
constexpr std::size_t max_rungs = 1000;

// ASCII alone, whatever the locale.
bool all_of(const std::string& text, const char* punctuation) {
  return std::ranges::all_of(text, [&](unsigned char c) {
    return (c < 128 && std::isalnum(c) != 0) ||
           (c != 0 && std::string_view(punctuation).find(static_cast<char>(c)) != std::string_view::npos);
  });
}

// As the message shows it.
std::string shown(const std::string& word) {
  constexpr std::size_t most = 60;
  return as_utf8(word.size() <= most ? word : word.substr(0, most) + "...");
}

Rung parse_rung(const std::string& line) {
  std::istringstream words(line);
  Rung rung;
  words >> rung.name;
  if (rung.name.find('=') != std::string::npos)
    throw UsageError(fmt::format("'{}' has no name before it; {}", shown(rung.name), ladder_form));
  if (!all_of(rung.name, "._+-") || rung.name[0] == '.')
    throw UsageError(
        fmt::format("the name '{}' must have letters, digits and ._+- only, and must not begin with a dot",
                    shown(rung.name)));
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos)
      throw UsageError(
          fmt::format("'{}' has no '='; {}, and values have no blanks", shown(word), ladder_form));
    if (name.empty() || !all_of(name, "_") || std::isdigit(static_cast<unsigned char>(name[0])) != 0)
      throw UsageError(
          fmt::format("'{}' is no name of an environment variable; {}", shown(name), ladder_form));
    if (std::ranges::any_of(word, [](unsigned char c) { return c < ' ' || c == 127; }))
      throw UsageError(fmt::format("the value of {} has a control character", name));
    rung.environment += (rung.environment.empty() ? "" : " ") + word;
  }
  if (rung.environment.empty())
    throw UsageError(fmt::format("the rung '{}' has no variable; {}", rung.name, ladder_form));
  return rung;
}

std::size_t index_of(const std::vector<Rung>& ladder, const char* option, const std::string& name) {
  const auto found = std::ranges::find(ladder, name, &Rung::name);
  if (found != ladder.end()) return static_cast<std::size_t>(found - ladder.begin());
  std::vector<std::string> names;
  for (const Rung& rung : ladder) names.push_back(rung.name);
  throw UsageError(fmt::format("{} is '{}', which is no rung of the ladder; it has {}", option, name,
                               fmt::join(names, ", ")));
}

}  // namespace

std::vector<Rung> parse_ladder(const std::string& file, const std::string& text) {
  std::vector<Rung> ladder;
  std::map<std::string, int> lines_of_names;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    const auto fail = [&](const std::string& what) {
      throw InputError(file, fmt::format("line {}", number), what);
    };
    try {
      ladder.push_back(parse_rung(line));
    } catch (const UsageError& error) {
      fail(error.what());
    }
    const auto [known, is_new] = lines_of_names.emplace(ladder.back().name, number);
    if (!is_new) fail(fmt::format("line {} has the name '{}' already", known->second, known->first));
    if (ladder.size() > max_rungs) fail(fmt::format("a ladder has at most {} rungs", max_rungs));
  }
  if (ladder.size() < 2)
    throw InputError(
        file, "",
        fmt::format("a ladder needs at least two rungs, and this has {}; {}", ladder.size(), ladder_form));
  return ladder;
}

std::vector<Rung> read_ladder(const std::string& file) {
  constexpr std::size_t max_bytes = 1 << 20;
  return parse_ladder(file, read_text(file, max_bytes));
}

std::vector<Rung> part_of_ladder(const std::vector<Rung>& ladder, const std::string& good,
                                 const std::string& bad) {
  const std::size_t first = good.empty() ? 0 : index_of(ladder, "--good", good);
  const std::size_t last = bad.empty() ? ladder.size() - 1 : index_of(ladder, "--bad", bad);
  if (first == last)
    throw UsageError(fmt::format("'{}' is both the good and the bad rung; name two", ladder[first].name));
  std::vector<Rung> part(ladder.begin() + static_cast<std::ptrdiff_t>(std::min(first, last)),
                         ladder.begin() + static_cast<std::ptrdiff_t>(std::max(first, last)) + 1);
  if (first > last) std::ranges::reverse(part);
  return part;
}

}  // namespace dwarfsweep
