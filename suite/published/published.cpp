#include "suite/published/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "suite/published/published_claims.hpp"
#include "suite/published/published_figure.hpp"
#include "suite/published/published_rows.hpp"
#include "suite/published/published_settings.hpp"

namespace dwarfsweep {

namespace fs = std::filesystem;

fs::path find_results(const std::string& name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  std::vector<fs::path> places = {program.parent_path().parent_path() / "share" / "dwarfsweep" / name};
  // Up from build/<preset>/dwarfsweep, and from the tests one folder deeper.
  fs::path folder = program.parent_path();
  for (int i = 0; i < 4; ++i, folder = folder.parent_path()) places.push_back(folder / "results" / name);
  for (const fs::path& place : places) {
    if (fs::is_directory(place, error)) return place;
  }
  return {};
}

fs::path find_published() {
  return find_results("published");
}

Document published_tables(const TableModel& model, const fs::path& folder) {
  Document document;
  const auto figures = group_by_figure(read_published(folder));
  for (const std::vector<PublishedRow>& figure : figures) {
    const PublishedRow& any = figure.front();
    for (const SettingTable& ours : model.tables) {
      if (ours.dwarf != any.dwarf || ours.kernel != any.kernel) continue;
      if (!is_published_problem(any.size, ours)) continue;
      auto table = figure_table(model, ours, figure);
      if (!table) continue;
      document.push_back(
          subheading(fmt::format("{}, {}: {} {}, {}", any.source, any.figure, any.dwarf, any.kernel,
                                 any.size.empty() ? "size not stated, here " + ours.problem : any.size)));
      document.push_back(std::move(*table));
    }
  }
  if (document.empty()) return document;
  document.insert(
      document.begin(),
      {heading("Published figures beside ours"),
       paragraph(
           "Times and speedups as printed, then what was measured here with the same setting, . where there "
           "is none of ours. Speedups are over the figure's own first setting; * marks a ratio of medians, "
           "unpaired. Speedups over CPU threads include the transfers, here as published, unless they are of "
           "a kernel alone, and ours are over one or four threads of this host, ? where these were not "
           "measured (--cpu-reference). Sources and devices: "
           "results/published/README.md.")});
  const Document claims = published_claims(model, figures);
  document.insert(document.begin(), claims.begin(), claims.end());
  return document;
}

}  // namespace dwarfsweep
