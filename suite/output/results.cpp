#include "suite/output/results.hpp"

#include <fmt/format.h>

#include "suite/output/search_summary.hpp"
#include "suite/output/tables.hpp"
#include "suite/published/published.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/stored_file.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// The rows of the other files. A run may have millions of samples: their rows go to the file one by one.
RunRows write_samples(const fs::path& path, const RunLog& log) {
  DraftFile file(path);
  file.write(csv_header<SampleRow>());
  RunRows rows = make_rows(log, [&](const SampleRow& row) { file.write(to_csv_line(row)); });
  file.finish();
  return rows;
}

std::string make_run_json(const RunLog& log) {
  return json_text(describe_run(log), 2) + "\n";
}

}  // namespace

void write_results(const fs::path& folder, const RunLog& log) {
  write_file(folder / "run.json", make_run_json(log));
  const RunRows rows = write_samples(folder / "samples.csv", log);
  write_file(folder / "speedups.csv", to_csv(rows.speedups));
  write_file(folder / "measurements.csv", to_csv(rows.measurements));
  if (const std::string trace = search_trace(log); !trace.empty()) write_file(folder / "trace.csv", trace);
  write_file(folder / "tables.md", make_tables_of_runs({folder}, {TableFormat::markdown, find_published()}));
}

}  // namespace dwarfsweep
