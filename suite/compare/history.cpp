#include "suite/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/statistics/statistics.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "history.jsonl";

// With this many degrees of freedom, Student's factor is within 1 % of the Gaussian's.
constexpr double gaussian = 1000;

std::vector<PastRun> read_history(const fs::path& file) {
  std::vector<PastRun> runs;
  std::ifstream stream(file);
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    // A line that was not written to its end, as when the disk was full.
    if (stream.eof()) break;
    try {
      const Json json = parse_json(line);
      runs.push_back({json.at("run_id"), json.at("timestamp"), json.at("times")});
      for (const auto& [point, ns] : runs.back().times) {
        if (!(ns > 0) || !std::isfinite(ns)) throw std::domain_error("no time");
      }
    } catch (const std::exception&) {
      throw InputError(file.string(), fmt::format("line {}", number),
                       "is no run of a history; --history names a folder of its own");
    }
  }
  return runs;
}

void append(const fs::path& file, const PastRun& run) {
  const Json json = {{"run_id", run.run_id}, {"timestamp", run.timestamp}, {"times", run.times}};
  // What an earlier write left of a line would spoil this one.
  if (std::ifstream existing(file, std::ios::binary | std::ios::ate); existing && existing.tellg() > 0) {
    existing.seekg(-1, std::ios::end);
    if (existing.get() != '\n') throw InputError(file.string(), "", "ends within a line; remove that line");
  }
  std::ofstream stream(file, std::ios::app | std::ios::binary);
  stream << json_text(json) + "\n" << std::flush;
  if (!stream) throw UsageError(fmt::format("'{}' cannot be written", file.string()));
}

// The times of one point, from the last runs that have it.
std::vector<const PastRun*> runs_with(const std::vector<PastRun>& runs, const std::string& point) {
  std::vector<const PastRun*> with;
  for (const PastRun& run : runs) {
    if (run.times.contains(point)) with.push_back(&run);
  }
  if (with.size() > max_runs) with.erase(with.begin(), with.end() - static_cast<std::ptrdiff_t>(max_runs));
  return with;
}

// Of Kendall's S without a trend.
double variance_of_s(std::vector<double> values) {
  const auto term = [](double count) { return count * (count - 1) * (2 * count + 5) / 18; };
  double variance = term(static_cast<double>(values.size()));
  std::ranges::sort(values);
  for (std::size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && values[end] == values[begin]) ++end;
    variance -= term(static_cast<double>(end - begin));
  }
  return variance;
}

}  // namespace

PastRun past_run_of(const RunData& run) {
  PastRun past{run.run_id, run.timestamp, {}};
  for (const MeasurementRow& row : run.measurements) {
    if (row.kernel != "total" || row.status != "ok" || !row.median_ns) continue;
    past.times[point_name(row) + (row.timer == "host" ? ", by the host's clock" : "")] = *row.median_ns;
  }
  return past;
}

std::vector<PastRun> keep_in_history(const fs::path& folder, const PastRun& run) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    throw UsageError(fmt::format("--history '{}' is no folder, and none can be made", folder.string()));
  std::vector<PastRun> runs = read_history(folder / file_name);
  const bool known =
      std::ranges::any_of(runs, [&](const PastRun& each) { return each.run_id == run.run_id; });
  if (!known) {
    append(folder / file_name, run);
    runs.push_back(run);
  }
  std::ranges::stable_sort(runs, {}, &PastRun::timestamp);
  return runs;
}

std::optional<Growth> drift_of(const std::vector<double>& logs, double confidence) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    for (std::size_t j = i + 1; j < logs.size(); ++j)
      slopes.push_back((logs[j] - logs[i]) / static_cast<double>(j - i));
  }
  const double reach = student_factor(gaussian, confidence) * std::sqrt(variance_of_s(logs));
  const double depth = std::floor((static_cast<double>(slopes.size()) - reach) / 2);
  if (slopes.empty() || depth < 1) return std::nullopt;
  std::ranges::sort(slopes);
  const auto from_end = static_cast<std::size_t>(depth) - 1;
  const auto grown = [&](double slope) { return std::exp(slope * static_cast<double>(logs.size() - 1)); };
  return Growth{grown(median(slopes)),
                {grown(slopes[from_end]), grown(slopes[slopes.size() - 1 - from_end])}};
}

std::vector<Drift> find_drifts(const std::vector<PastRun>& runs, const CompareRule& rule) {
  if (runs.empty()) return {};
  std::optional<PointPattern> filter;
  if (!rule.filter.empty()) filter.emplace(rule.filter);
  const std::map<std::string, double>& last = runs.back().times;
  const double confidence = 1 - family_error / static_cast<double>(std::max<std::size_t>(1, last.size()));
  std::vector<Drift> drifts;
  for (const auto& [point, time] : last) {
    if (filter && !filter->matches(point)) continue;
    const std::vector<const PastRun*> with = runs_with(runs, point);
    std::vector<double> logs;
    for (const PastRun* run : with) logs.push_back(std::log(run->times.at(point)));
    const auto drift = drift_of(logs, confidence);
    if (!drift || drift->interval.low <= 1 + rule.threshold) continue;
    Drift found{point, drift->factor, with.size(), with.front()->timestamp, ""};
    for (const AllowedPoint* entry : rule.allowed.matches(point)) {
      if (!rule.allowed.has_expired(*entry)) found.allowed = entry->reason;
    }
    drifts.push_back(std::move(found));
  }
  return drifts;
}

}  // namespace dwarfsweep
