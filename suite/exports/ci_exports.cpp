// The formats of what follows benchmarks over time: Google Benchmark, github-action-benchmark, LNT, ReFrame.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/exports/exports.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

Json benchmark(const ExportRow& row, const char* run_type, std::size_t repetitions) {
  const std::string name = benchmark_name(row, true);
  return {{"name", name},
          {"run_name", name},
          {"run_type", run_type},
          {"repetitions", repetitions},
          {"threads", 1}};
}

void add_times(Json& entry, double ns, double iterations) {
  entry["iterations"] = static_cast<std::int64_t>(iterations);
  entry["real_time"] = ns;
  entry["cpu_time"] = ns;  // of the device; compare.py wants both
  entry["time_unit"] = "ns";
}

void add_failure(Json& list, const ExportRow& row) {
  Json entry = benchmark(row, "iteration", 1);
  entry["repetition_index"] = 0;
  entry["error_occurred"] = true;
  entry["error_message"] = row.reason();
  add_times(entry, 0, 0);
  list.push_back(std::move(entry));
}

void add_benchmarks(Json& list, const ExportRow& row) {
  for (std::size_t i = 0; i < row.samples.size(); ++i) {
    const SampleRow& sample = *row.samples[i];
    Json entry = benchmark(row, "iteration", row.samples.size());
    entry["repetition_index"] = i;
    add_times(entry, *sample.ns, static_cast<double>(sample.launches));
    if (row.row->bytes) entry["bytes_per_second"] = *row.row->bytes / *sample.ns * 1e9;
    if (row.row->items) entry["items_per_second"] = *row.row->items / *sample.ns * 1e9;
    list.push_back(std::move(entry));
  }
  const auto aggregate = [&](const char* name, const Number& ns) {
    if (!ns) return;
    Json entry = benchmark(row, "aggregate", row.samples.size());
    entry["name"] = benchmark_name(row, true) + "_" + name;
    entry["aggregate_name"] = name;
    entry["aggregate_unit"] = "time";
    add_times(entry, *ns, static_cast<double>(row.samples.size()));
    list.push_back(std::move(entry));
  };
  aggregate("mean", row.row->mean_ns);
  aggregate("median", row.row->median_ns);
  aggregate("stddev", row.row->stddev_ns);
}

// What failed, one sentence; nothing where nothing did.
void note_failures(const ExportData& data, const char* what, std::vector<std::string>& notes) {
  std::size_t failed = 0;
  std::string first;
  for (const ExportRow& row : data.rows) {
    if (!row.is_point() || row.ok() || row.is_illegal()) continue;
    if (failed++ == 0) first = fmt::format("{}: {}", benchmark_name(row, false), row.reason());
  }
  if (failed > 0) notes.push_back(fmt::format("{} {}; the first: {}", failed, what, first));
}

// LNT's database has 256 letters for the name of a test.
std::string test_name(const ExportRow& row) {
  constexpr std::size_t max_length = 256;
  const std::string name = benchmark_name(row, false);
  if (name.size() <= max_length) return name;
  return fmt::format("{}~{:016x}", name.substr(0, max_length - 17), fnv1a(name));
}

Json lnt_test(const ExportRow& row) {
  constexpr int failed = 1;  // LNT's code of it
  Json test = {{"name", test_name(row)}};
  if (row.row->status == to_string(Status::build_failed)) test["compile_status"] = failed;
  if (!row.ok()) {
    test["execution_status"] = failed;
    return test;
  }
  Json seconds = Json::array();
  for (const SampleRow* sample : row.samples) seconds.push_back(*sample->ns / 1e9);
  if (seconds.empty()) seconds.push_back(*row.row->median_ns / 1e9);
  test["execution_time"] = std::move(seconds);
  if (row.row->build_ns) test["compile_time"] = *row.row->build_ns / 1e9;
  return test;
}

// "2026-01-02T03:04:05": LNT takes no zone.
std::string without_zone(std::string timestamp) {
  if (!timestamp.empty() && timestamp.back() == 'Z') timestamp.pop_back();
  return timestamp;
}

Json lnt_run(const ExportData& data) {
  std::string begin, end;
  for (const ExportRow& row : data.rows) {
    const std::string time = without_zone(row.row->timestamp);
    if (begin.empty() || time < begin) begin = time;
    end = std::max(end, time);
  }
  std::string revision = data.runs.back().revision;
  if (revision.empty()) revision = "unknown";
  return {{"llvm_project_revision", revision}, {"start_time", begin}, {"end_time", end}};
}

// One word: what takes apart by white space gets it whole.
std::string word_of(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const bool gap = static_cast<unsigned char>(c) <= 0x20U || c == 0x7f;
    if (!gap) {
      word += c;
    } else if (!word.empty() && word.back() != '_') {
      word += '_';
    }
  }
  return word.empty() ? "-" : word;
}

}  // namespace

Export to_google_benchmark(const ExportData& data) {
  Json json = {{"context", Json::object()}, {"benchmarks", Json::array()}};
  if (!data.runs.empty()) {
    const RunData& run = data.runs.front();
    json["context"] = {
        {"date", run.timestamp},   {"host_name", run.host},     {"executable", "dwarfsweep"},
        {"num_cpus", run.threads}, {"mhz_per_cpu", 0},          {"cpu_scaling_enabled", false},
        {"caches", Json::array()}, {"load_avg", Json::array()}, {"library_build_type", "release"},
        {"json_schema_version", 1}};
  }
  for (const ExportRow& row : data.rows) {
    if (row.is_illegal()) continue;  // its zero would make compare.py's geometric mean zero
    if (row.ok()) {
      add_benchmarks(json["benchmarks"], row);
    } else {
      add_failure(json["benchmarks"], row);
    }
  }
  if (json["benchmarks"].empty())
    throw UsageError("--format google-benchmark: no point of these runs was measured or has failed");
  Export made{{{"google-benchmark.json", json_text(json, 1) + "\n"}}, {}};
  note_failures(data, "points failed, which are entries with error_occurred", made.notes);
  return made;
}

Export to_github_action_benchmark(const ExportData& data) {
  Json list = Json::array();
  for (const ExportRow& row : data.rows) {
    if (!row.is_point() || !row.ok()) continue;
    const MeasurementRow& own = *row.row;
    Json entry = {{"name", benchmark_name(row, false)}, {"unit", "ns"}, {"value", *own.median_ns}};
    if (own.ci_low_ns && own.ci_high_ns && std::isfinite(*own.ci_high_ns - *own.ci_low_ns)) {
      entry["range"] = fmt::format("± {:.2g} %", 50 * (*own.ci_high_ns - *own.ci_low_ns) / *own.median_ns);
    }
    entry["extra"] = fmt::format("{}; {} samples; {}", own.size, row.samples.size(), own.timestamp);
    if (own.speedup && !own.baseline)
      entry["extra"] = fmt::format("{}; {:.3f}x over the baseline, {}", entry["extra"].get<std::string>(),
                                   *own.speedup, own.verdict);
    list.push_back(std::move(entry));
  }
  if (list.empty()) throw UsageError("--format github-action-benchmark: no point of these runs is ok");
  Export made{{{"github-action-benchmark.json", json_text(list, 1) + "\n"}}, {}};
  note_failures(data, "points failed and have no entry, since the format has none for them", made.notes);
  return made;
}

Export to_lnt(const ExportData& data) {
  Json tests = Json::array();
  std::set<std::string> hosts;
  for (const ExportRow& row : data.rows) {
    if (!row.is_point() || row.is_illegal()) continue;
    tests.push_back(lnt_test(row));
    hosts.insert(row.row->host);
  }
  if (tests.empty()) throw UsageError("--format lnt: no point of these runs was measured or has failed");
  if (hosts.size() > 1) {
    throw UsageError(
        fmt::format("--format lnt: a report is of one machine, and these runs are of {} hosts, "
                    "'{}' and '{}' among them; export them one by one",
                    hosts.size(), *hosts.begin(), *hosts.rbegin()));
  }
  const Json json = {{"format_version", "2"},
                     {"machine", {{"name", *hosts.begin()}}},
                     {"run", lnt_run(data)},
                     {"tests", std::move(tests)}};
  return {{{"lnt.json", json_text(json, 1) + "\n"}}, {}};
}

Export to_fom(const ExportData& data) {
  struct Best {
    const ExportRow* row = nullptr;
    const ExportRow* any = nullptr;
  };
  std::map<std::pair<std::string, std::string>, std::set<std::string>> problems;  // by dwarf and size
  std::vector<Best> lines;
  std::map<std::string, std::size_t> places;
  for (const ExportRow& row : data.rows) {
    const MeasurementRow& own = *row.row;
    if (!row.is_point() || row.is_illegal() || !gives_whole_result(own.dwarf, own.variant)) continue;
    problems[{own.dwarf, own.size}].insert(own.problem);
    const auto [place, is_new] = places.emplace(
        fmt::format("{}|{}|{}|{}", own.dwarf, own.size, own.problem, row.device), lines.size());
    if (is_new) lines.push_back({nullptr, &row});
    Best& best = lines[place->second];
    if (row.ok() && (best.row == nullptr || *own.median_ns < *best.row->row->median_ns)) best.row = &row;
  }
  Export made{{{"fom.txt", ""}}, {}};
  for (const Best& line : lines) {
    const MeasurementRow& own = *line.any->row;
    const std::string size = problems.at({own.dwarf, own.size}).size() > 1 ? own.problem : own.size;
    const std::string words =
        fmt::format("{} {} {}", word_of(own.dwarf), word_of(size), word_of(line.any->device));
    if (line.row == nullptr) {
      made.notes.push_back(fmt::format("no line for {}: no point of it is ok", words));
    } else {
      made.files.front().text += fmt::format("FOM {} {}\n", words, number_text(*line.row->row->median_ns));
    }
  }
  if (made.files.front().text.empty()) throw UsageError("--format fom: no point of these runs is ok");
  return made;
}

}  // namespace dwarfsweep
