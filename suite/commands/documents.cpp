#include "suite/commands/documents.hpp"

#include <nlohmann/json.hpp>

#include "suite/output/summary.hpp"
#include "suite/output/tables.hpp"
#include "suite/published/published.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/stored_file.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

namespace {

// The rows of the other files. A run may have millions of samples: their rows go to the file one by one.
RunRows write_samples(const fs::path& path, const RunLog& log) {
  DraftFile file(path);
  file.write(csv_header<SampleRow>());
  RunRows rows = make_rows(log, [&](const SampleRow& row) { file.write(to_csv_line(row)); });
  file.finish();
  return rows;
}

}  // namespace

std::vector<MeasurementRow> write_results(const fs::path& folder, const RunLog& log) {
  write_file(folder / "run.json", json_text(describe_run(log), 2) + "\n");
  RunRows made = write_samples(folder / "samples.csv", log);
  write_file(folder / "speedups.csv", to_csv(made.speedups));
  write_file(folder / "measurements.csv", to_csv(made.measurements));
  if (const std::string trace = search_trace(log); !trace.empty()) write_file(folder / "trace.csv", trace);
  std::vector<MeasurementRow> rows = as_read(std::move(made.measurements));
  write_file(folder / "tables.md", make_tables(rows, with_published(TableFormat::markdown)));
  return rows;
}

}  // namespace dwarfsweep
