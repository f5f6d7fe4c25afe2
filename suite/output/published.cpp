#include "suite/output/published.hpp"

#include <fmt/format.h>

#include <system_error>

#include "suite/output/published_figure.hpp"
#include "suite/output/published_rows.hpp"
#include "suite/output/published_settings.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

fs::path find_published() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  std::vector<fs::path> places = {program.parent_path().parent_path() / "share" / "dwarfsweep" / "published"};
  // Up from build/<preset>/dwarfsweep, and from the tests one folder deeper.
  fs::path folder = program.parent_path();
  for (int i = 0; i < 4; ++i, folder = folder.parent_path())
    places.push_back(folder / "results" / "published");
  for (const fs::path& place : places) {
    if (fs::is_directory(place, error)) return place;
  }
  return {};
}

Document published_tables(const TableModel& model, const fs::path& folder) {
  const std::vector<PublishedRow> rows = read_published(folder);
  Document document;
  std::vector<bool> done(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (done[i]) continue;
    std::vector<PublishedRow> figure;
    for (std::size_t j = i; j < rows.size(); ++j) {
      if (!same_figure(rows[i], rows[j])) continue;
      done[j] = true;
      figure.push_back(rows[j]);
    }
    for (const SettingTable& ours : model.tables) {
      if (ours.dwarf != rows[i].dwarf || ours.kernel != rows[i].kernel ||
          !is_published_problem(rows[i].size, ours))
        continue;
      auto table = figure_table(model, ours, figure);
      if (!table) continue;
      document.push_back(subheading(
          fmt::format("{}, {}: {} {}, {}", rows[i].source, rows[i].figure, rows[i].dwarf, rows[i].kernel,
                      rows[i].size.empty() ? "size not told, here " + ours.problem : rows[i].size)));
      document.push_back(std::move(*table));
    }
  }
  if (document.empty()) return document;
  document.insert(
      document.begin(),
      {heading("Published figures beside ours"),
       paragraph(
           "Times and speedups as printed, then what was measured here with the same setting. Speedups "
           "are over the figure's own first setting; * marks a ratio of medians, unpaired. Over CPU threads "
           "times include the transfers, here as published, and ours are over one or all threads of this "
           "host, ? where these were not measured (--cpu-reference). Sources and devices: "
           "results/published/README.md.")});
  return document;
}

}  // namespace dwarfsweep
