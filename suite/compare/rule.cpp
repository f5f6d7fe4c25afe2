#include "suite/compare/rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "harness/statistics/statistics.hpp"

namespace dwarfsweep {
namespace {

std::vector<double> stretched(const std::vector<double>& values, double inflation) {
  const double middle = median(values);
  const double factor = std::sqrt(inflation);
  std::vector<double> wider;
  for (const double value : values) wider.push_back(middle + factor * (value - middle));
  return wider;
}

std::vector<double> differences(const BlockLogs& logs) {
  std::vector<double> all;
  for (std::size_t i = 0; i < std::min(logs.before.size(), logs.after.size()); ++i)
    all.push_back(logs.before[i] - logs.after[i]);
  return all;
}

bool is_date(const std::string& text) {
  constexpr std::string_view form = "0000-00-00";
  const bool has_form = std::equal(
      text.begin(), text.end(), form.begin(), form.end(),
      [](char c, char expected) { return expected == '0' ? c >= '0' && c <= '9' : c == expected; });
  if (!has_form) return false;
  const int month = std::stoi(text.substr(5, 2));
  const int day = std::stoi(text.substr(8, 2));
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

AllowedPoint parse_line(const std::string& file, int number, const std::string& line) {
  const auto fail = [&](const std::string& what) {
    return InputError(file, fmt::format("line {}", number), what);
  };
  std::string until, points, reason;
  std::istringstream words(line);
  words >> until >> points;
  std::getline(words, reason);
  reason = trimmed(reason);
  if (!is_date(until))
    throw fail(fmt::format(
        "'{}' is no date; a line begins with the last day on which it holds, as 2027-03-31", until));
  if (points.empty()) throw fail("a regular expression of the points' names must follow the date");
  if (reason.empty()) throw fail(fmt::format("a reason must follow '{}'", points));
  try {
    return {number, until, points, reason, PointPattern(points)};
  } catch (const UsageError& error) {
    throw fail(error.what());
  }
}

// /dev/zero and its like have no end.
std::string read_list(const std::string& file) {
  constexpr std::size_t most = 1 << 20;
  constexpr const char* expected = "--allow names a file with a line for each known regression";
  std::error_code error;
  const auto kind = std::filesystem::status(file, error).type();
  if (error || kind == std::filesystem::file_type::not_found)
    throw InputError(file, "", fmt::format("cannot be read; {}", expected));
  if (kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::fifo)
    throw InputError(file, "", fmt::format("is neither a file nor a pipe; {}", expected));
  return read_text(file, most);
}

}  // namespace

std::optional<Speedup> ratio_at(const BlockLogs& logs, double confidence) {
  if (logs.before.empty() || logs.after.empty()) return std::nullopt;
  if (logs.paired) {
    const std::vector<double> each = differences(logs);
    return speedup_of_logs(median(each), median_interval(stretched(each, logs.inflation_before), confidence));
  }
  return speedup_of_logs(median(logs.before) - median(logs.after),
                         median_difference_interval(stretched(logs.before, logs.inflation_before),
                                                    stretched(logs.after, logs.inflation_after), confidence));
}

Change judge(const Speedup& ratio, double threshold) {
  const double slow = 1 / (1 + threshold);
  const double fast = 1 + threshold;
  if (ratio.high < slow) return Change::slower;
  if (ratio.low > fast) return Change::faster;
  // Without a threshold an estimate is below 1 for every second unchanged point.
  const bool seems_slower = threshold > 0 && ratio.ratio < slow;
  const bool unbounded = std::isinf(ratio.high);
  return seems_slower || unbounded ? Change::undecided : Change::within_noise;
}

Decision decide(const std::vector<BlockLogs>& points, double threshold, bool adjust) {
  Decision decision;
  decision.adjusted = adjust;
  std::vector<bool> changed(points.size(), false);
  std::size_t left = points.size();
  for (bool more = true; more;) {
    if (adjust) decision.confidence = 1 - family_error / static_cast<double>(std::max<std::size_t>(1, left));
    decision.ratios.clear();
    more = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
      decision.ratios.push_back(*ratio_at(points[i], decision.confidence));
      const Change change = judge(decision.ratios.back(), threshold);
      if (changed[i] || (change != Change::slower && change != Change::faster)) continue;
      changed[i] = true;
      --left;
      more = adjust;
    }
  }
  return decision;
}

std::size_t blocks_to_decide(const Speedup& ratio, double threshold, std::size_t blocks, double confidence) {
  constexpr double most = 1000;
  // With fewer blocks an interval of this confidence goes beyond all values
  // (harness/statistics/interval.cpp).
  const double least = std::max(5.0, std::ceil(1 + std::log2(1 / (1 - confidence))));
  if (std::isinf(ratio.high)) return static_cast<std::size_t>(least);
  const double gap = std::abs(std::log(ratio.ratio) + std::log1p(threshold));
  const double reach = std::log(ratio.high / ratio.ratio);
  if (gap * std::sqrt(most) <= reach) return static_cast<std::size_t>(most);
  // Half as many again, since the estimate will not stay exactly.
  const double wanted = 1.5 * static_cast<double>(blocks) * std::pow(reach / gap, 2);
  return static_cast<std::size_t>(std::clamp(std::ceil(wanted), least, most));
}

std::vector<const AllowedPoint*> AllowList::matches(const std::string& point) const {
  std::vector<const AllowedPoint*> found;
  for (const AllowedPoint& entry : entries) {
    if (entry.pattern.matches(point)) found.push_back(&entry);
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
  return parse_allow_list(file, read_list(file), today);
}

}  // namespace dwarfsweep
