#include "suite/report/peer_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// The problem with all its keys; none where this program has no such dwarf or key.
std::optional<ValueMap> whole_problem(const std::string& dwarf, const std::string& problem) {
  try {
    const DwarfInfo& info = find_dwarf(dwarf).info();
    return make_problem(info.name, info.keys, {"", ValueMap::parse(problem)}).values;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void add_peers_of_file(const fs::path& file, std::vector<PeerTime>& all) {
  const CsvTable table = read_csv(file);
  const auto has = [&](const char* name) {
    return std::find(table.header.begin(), table.header.end(), name) != table.header.end();
  };
  // With `matrices` operands take turns: a comparison of clocks, not of what a library takes.
  if (has("matrices") || !has("peer_ns")) return;
  const std::size_t device = table.column("device");
  const std::size_t dwarf = table.column("dwarf");
  const std::size_t problem = table.column("problem");
  const std::size_t peer = table.column("peer");
  const std::size_t ns = table.column("peer_ns");
  for (const CsvTable::Row& row : table.rows) {
    if (row.cells[ns].empty()) continue;  // a goal without a library
    const Value time = Value::parse(row.cells[ns]);
    if (time.is_string() || !(time.real() > 0))
      throw InputError(file.string(), fmt::format("line {}", row.line),
                       fmt::format("peer_ns is '{}', but must be a number above 0", row.cells[ns]));
    all.push_back({row.cells[device], row.cells[dwarf], row.cells[problem], row.cells[peer], time.real()});
  }
}

}  // namespace

std::vector<PeerTime> read_peers(const fs::path& folder) {
  std::vector<PeerTime> all;
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return all;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) add_peers_of_file(file, all);
  return all;
}

std::vector<PeerTime> peers_of(const std::vector<PeerTime>& peers, const MeasurementRow& row) {
  std::vector<PeerTime> found;
  std::optional<ValueMap> problem;
  for (const PeerTime& each : peers) {
    if (each.device != row.device || each.dwarf != row.dwarf) continue;
    if (!problem) problem = whole_problem(row.dwarf, row.problem);
    if (!problem || whole_problem(each.dwarf, each.problem) != problem) continue;
    const auto known = std::find_if(found.begin(), found.end(),
                                    [&](const PeerTime& other) { return other.peer == each.peer; });
    if (known == found.end()) {
      found.push_back(each);
    } else {
      known->ns = std::min(known->ns, each.ns);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const PeerTime& a, const PeerTime& b) { return a.ns < b.ns; });
  return found;
}

}  // namespace dwarfsweep
