#include "suite/output/results.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "suite/output/published.hpp"
#include "suite/output/tables.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

void write_whole(const fs::path& path, const std::string& text) {
  const fs::path draft = path.string() + ".part";
  std::FILE* const file = std::fopen(draft.c_str(), "wb");
  bool written = file != nullptr;
  int reason = errno;
  if (written) {
    written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    reason = errno;
    if (std::fclose(file) != 0 && written) {
      written = false;
      reason = errno;
    }
  }
  if (written) {
    if (std::rename(draft.c_str(), path.c_str()) == 0) return;
    reason = errno;
  }
  std::error_code ignored;
  fs::remove(draft, ignored);
  throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(reason)));
}

std::string make_run_json(const RunLog& log) {
  Json json = log.run;
  json["schema_version"] = log.run.schema;
  json["log_truncated"] = log.truncated;
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
  std::map<std::string, int> statuses;
  for (const auto& [key, point] : log.points) ++statuses[std::string(to_string(point.preparation.status))];
  json["points"] = statuses;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void write_results(const fs::path& folder, const RunLog& log) {
  const RunRows rows = make_rows(log);
  write_whole(folder / "run.json", make_run_json(log));
  write_whole(folder / "samples.csv", to_csv(rows.samples));
  write_whole(folder / "speedups.csv", to_csv(rows.speedups));
  write_whole(folder / "measurements.csv", to_csv(rows.measurements));
  const TableOptions options{TableFormat::markdown, find_published()};
  write_whole(folder / "tables.md", make_tables(read_measurements(folder / "measurements.csv"), options));
}

}  // namespace dwarfsweep
