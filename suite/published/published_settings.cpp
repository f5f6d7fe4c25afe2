#include "suite/published/published_settings.hpp"

#include <algorithm>

#include "suite/output/table_cells.hpp"

namespace dwarfsweep {
namespace {

// A direction says what a granularity applies to, so it has no effect while the granularity is 1.
bool has_no_effect(const std::string& axis, const Config& config) {
  const Value* const granularity = config.find("granularity");
  return axis == "direction" && granularity != nullptr && *granularity == Value(1);
}

}  // namespace

bool is_published_problem(const std::string& size, const SettingTable& ours) {
  if (size.empty()) return ours.size == "paper";
  const Config published = Config::parse(size);
  const Config problem = Config::parse(ours.problem);
  return std::all_of(published.entries().begin(), published.entries().end(), [&](const auto& entry) {
    const Value* const value = problem.find(entry.first);
    return value != nullptr && *value == entry.second;
  });
}

SettingFinder::SettingFinder(const SettingTable& table) : table_(table) {
  for (const Setting& setting : table.settings) {
    if (setting.baseline) baseline_ = Config::parse(setting.config);
  }
}

const Setting* SettingFinder::find(const Config& changes) const {
  // A row that changes nothing is of a library, say, or of a search: nothing of ours, our baseline included.
  if (changes.entries().empty()) return nullptr;
  const Setting* best = nullptr;
  std::size_t fewest = changes.has("variant") ? baseline_.entries().size() : 1;
  for (const Setting& setting : table_.settings) {
    const Config config = Config::parse(setting.config);
    if (!has_changes(config, changes)) continue;
    const std::size_t others = other_changes(config, changes);
    if (others >= fewest) continue;
    fewest = others;
    best = &setting;
  }
  return best;
}

const Setting* SettingFinder::find_fastest(const Config& changes, std::size_t column) const {
  const Setting* fastest = nullptr;
  for (const Setting& setting : table_.settings) {
    if (!is_timed(setting.cells[column]) || !has_changes(Config::parse(setting.config), changes)) continue;
    if (fastest == nullptr || *setting.cells[column]->median_ns < *fastest->cells[column]->median_ns)
      fastest = &setting;
  }
  return fastest;
}

// Ours may name a direction together with its kernel: internal_x where the figure is about `internal` and
// says x.
bool SettingFinder::same_value(const Value& ours, const Value& theirs) const {
  return ours == theirs ||
         (ours.is_string() && theirs.is_string() && ours.string() == table_.kernel + "_" + theirs.string());
}

bool SettingFinder::has_changes(const Config& config, const Config& changes) const {
  return std::all_of(changes.entries().begin(), changes.entries().end(), [&](const auto& change) {
    const Value* const value = config.find(change.first);
    return value != nullptr && (same_value(*value, change.second) || has_no_effect(change.first, config));
  });
}

std::size_t SettingFinder::other_changes(const Config& config, const Config& changes) const {
  const auto& entries = config.entries();
  return static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), [&](const auto& entry) {
    if (changes.has(entry.first)) return false;
    const Value* const before = baseline_.find(entry.first);
    return before == nullptr || !(*before == entry.second);
  }));
}

}  // namespace dwarfsweep
