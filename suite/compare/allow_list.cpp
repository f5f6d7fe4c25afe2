#include "suite/compare/allow_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/compare/point_pattern.hpp"

namespace dwarfsweep {
namespace {

bool is_date(const std::string& text) {
  static const std::regex form("\\d{4}-(\\d{2})-(\\d{2})");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) return false;
  const int month = std::stoi(parts[1]);
  const int day = std::stoi(parts[2]);
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

AllowedPoint parse_line(const std::string& file, int number, const std::string& line) {
  const auto fail = [&](const std::string& what) {
    throw InputError(file, fmt::format("line {}", number), what);
  };
  AllowedPoint entry;
  entry.line = number;
  std::istringstream words(line);
  words >> entry.until >> entry.points;
  std::getline(words, entry.reason);
  entry.reason = trimmed(entry.reason);
  if (!is_date(entry.until))
    fail(fmt::format("'{}' is no date; a line begins with the last day on which it holds, as 2027-03-31",
                     entry.until));
  if (entry.points.empty()) fail("a regular expression of the points' names must follow the date");
  if (entry.reason.empty()) fail(fmt::format("a reason must follow '{}'", entry.points));
  try {
    (void)PointPattern(entry.points);
  } catch (const UsageError& error) {
    fail(error.what());
  }
  return entry;
}

}  // namespace

std::vector<const AllowedPoint*> AllowList::matches(const std::string& point) const {
  std::vector<const AllowedPoint*> found;
  for (const AllowedPoint& entry : entries) {
    if (PointPattern(entry.points).matches(point)) found.push_back(&entry);
  }
  std::stable_partition(found.begin(), found.end(), [&](const auto* entry) { return !has_expired(*entry); });
  return found;
}

AllowList parse_allow_list(const std::string& file, const std::string& text, const std::string& today) {
  AllowList list{file, {}, today};
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line = trimmed(line);
    if (!line.empty() && line[0] != '#') list.entries.push_back(parse_line(file, number, line));
  }
  return list;
}

AllowList read_allow_list(const std::string& file, const std::string& today) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw InputError(file, "", "cannot be read; --allow names a file with a line for each known regression");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) throw InputError(file, "", "cannot be read as a file");
  return parse_allow_list(file, text, today);
}

}  // namespace dwarfsweep
