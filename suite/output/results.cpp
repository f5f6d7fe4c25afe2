#include "suite/output/results.hpp"

#include <fmt/format.h>

#include "suite/output/search_summary.hpp"
#include "suite/output/tables.hpp"
#include "suite/published/published.hpp"
#include "suite/record/draft_file.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

void write_whole(const fs::path& path, const std::string& text) {
  DraftFile file(path);
  file.write(text);
  file.finish();
}

// The rows of the other files. A run may have millions of samples: their rows go to the file one by one.
RunRows write_samples(const fs::path& path, const RunLog& log) {
  DraftFile file(path);
  file.write(samples_csv_header());
  RunRows rows = make_rows(log, [&](const SampleRow& row) { file.write(to_csv_line(row)); });
  file.finish();
  return rows;
}

std::string make_run_json(const RunLog& log) {
  return describe_run(log).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Json describe_part(const RunLog& log) {
  Json json = log.run;
  json["schema_version"] = log.run.schema;
  json["warnings"] = Json::array();
  if (const std::string warning = load_warning(log.run.host.cpus); !warning.empty())
    json["warnings"].push_back(warning);
  json["devices"] = Json::array();
  for (const auto& [id, device] : log.devices) {
    Json entry = device;
    if (const auto peaks = log.peaks.find(id); peaks != log.peaks.end())
      entry["peaks"] = peaks->second.values;
    if (const auto test = log.self_tests.find(id); test != log.self_tests.end()) {
      entry["selftest"] = test->second.values;
      if (!test->second.failure.empty()) entry["selftest"] = {{"failure", test->second.failure}};
    }
    json["devices"].push_back(std::move(entry));
  }
  if (!log.sizes.empty()) json["sizes"] = Json::array();
  for (const auto& [key, size] : log.sizes) json["sizes"].push_back(size);
  if (!log.known_points.empty()) json["known_points"] = Json::array();
  for (const auto& [key, known] : log.known_points) json["known_points"].push_back(known);
  std::map<std::string, int> statuses;
  for (const auto& [key, point] : log.points) ++statuses[std::string(to_string(point.preparation.status))];
  json["points"] = statuses;
  return json;
}

Json describe_run(const RunLog& log) {
  const std::vector<const RunLog*> parts = parts_of(log);
  Json json = describe_part(*parts.front());
  json["log_truncated"] = log.truncated;
  for (std::size_t i = 1; i < parts.size(); ++i) json["parts"].push_back(describe_part(*parts[i]));
  return json;
}

void write_results(const fs::path& folder, const RunLog& log) {
  write_whole(folder / "run.json", make_run_json(log));
  const RunRows rows = write_samples(folder / "samples.csv", log);
  write_whole(folder / "speedups.csv", to_csv(rows.speedups));
  write_whole(folder / "measurements.csv", to_csv(rows.measurements));
  if (const std::string trace = search_trace(log); !trace.empty()) write_whole(folder / "trace.csv", trace);
  write_whole(folder / "tables.md", make_tables_of_runs({folder}, {TableFormat::markdown, find_published()}));
}

}  // namespace dwarfsweep
