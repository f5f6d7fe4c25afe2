// That no published row is without a dwarf in silence: what is left for later is listed, with the reason.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dwarfs/registry.hpp"
#include "suite/published/published.hpp"
#include "suite/published/published_rows.hpp"
#include "suite/record/csv.hpp"
#include "tests/catch.hpp"

namespace dwarfsweep {
namespace {

/// System -> why it has no dwarf yet.
std::map<std::string, std::string> left_for_later() {
  const CsvTable table = read_csv(find_published() / "later" / "systems.csv");
  std::map<std::string, std::string> reasons;
  for (const CsvTable::Row& row : table.rows)
    reasons[row.cells[table.column("dwarf")]] = row.cells[table.column("reason")];
  return reasons;
}

bool is_a_dwarf(const std::string& name) {
  return std::any_of(built_in_dwarfs().begin(), built_in_dwarfs().end(),
                     [&](const Dwarf* dwarf) { return dwarf->info().name == name; });
}

/// The systems of published rows that are neither dwarfs nor in the list.
std::set<std::string> passed_over(const std::vector<PublishedRow>& rows,
                                  const std::map<std::string, std::string>& later) {
  std::set<std::string> names;
  for (const PublishedRow& row : rows)
    if (!is_a_dwarf(row.dwarf) && later.count(row.dwarf) == 0) names.insert(row.dwarf);
  return names;
}

/// The rows about a setting of ours whose kernel no measurement of ours has: `table` would pass over them.
std::set<std::string> without_a_kernel(const std::vector<PublishedRow>& rows) {
  std::set<std::string> where;
  for (const PublishedRow& row : rows) {
    if (row.changes.entries().empty() || row.kernel == "total" || !is_a_dwarf(row.dwarf)) continue;
    const std::vector<std::string>& kernels = find_dwarf(row.dwarf).info().kernels;
    if (std::find(kernels.begin(), kernels.end(), row.kernel) == kernels.end())
      where.insert(row.source + ", " + row.figure + ": " + row.dwarf + " " + row.kernel);
  }
  return where;
}

}  // namespace

TEST_CASE("published rows about a setting of ours name a kernel that is measured", "[published]") {
  std::vector<PublishedRow> rows = read_published(find_published());
  CHECK(without_a_kernel(rows) == std::set<std::string>{});
  const auto tiled = std::find_if(rows.begin(), rows.end(),
                                  [](const PublishedRow& row) { return !row.changes.entries().empty(); });
  REQUIRE(tiled != rows.end());
  tiled->kernel = "application";
  CHECK(without_a_kernel(rows).size() == 1);
}

TEST_CASE("published rows are of a dwarf, or of a system that is left for later with the reason",
          "[published]") {
  const std::vector<PublishedRow> rows = read_published(find_published());
  const auto later = left_for_later();
  CHECK(passed_over(rows, later) == std::set<std::string>{});
  for (const auto& system : later) {  // clang 14 has no lambda that captures structured bindings
    INFO(system.first);
    CHECK(system.second.size() > 10);
    CHECK(std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.dwarf == system.first; }));
  }
}

TEST_CASE("a published row without a dwarf that nobody listed is seen", "[published]") {
  std::vector<PublishedRow> rows = read_published(find_published());
  rows.push_back(rows.front());
  rows.back().dwarf = "ray_tracing";
  CHECK(passed_over(rows, left_for_later()) == std::set<std::string>{"ray_tracing"});
}

}  // namespace dwarfsweep
