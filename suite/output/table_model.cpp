#include "suite/output/table_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/space/value.hpp"

namespace dwarfsweep {

// --- how configurations of a dwarf differ ---

namespace {

using Difference =
    std::vector<std::pair<std::size_t, Value>>;  // index of the axis in the configuration, value

bool value_less(const Value& a, const Value& b) {
  if (a.is_string() != b.is_string()) return b.is_string();
  return a.is_string() ? a.string() < b.string() : a.real() < b.real();
}

Difference differences(const Config& config, const Config& base) {
  Difference found;
  for (std::size_t i = 0; i < config.entries().size(); ++i) {
    const auto& [name, value] = config.entries()[i];
    if (name == "variant") continue;
    const Value* const other = base.find(name);
    if (other == nullptr || !(*other == value)) found.emplace_back(i, value);
  }
  return found;
}

// "granularity=2, unroll=4": the values of `config` that `base` does not have; the axis `variant` is left
// out.
std::string difference_text(const Config& config, const Config& base) {
  std::string text;
  for (const auto& [axis, value] : differences(config, base)) {
    if (!text.empty()) text += ", ";
    text += config.entries()[axis].first + "=" + value.to_string();
  }
  return text;
}

// The order of a table's rows: few differences from `base` first, then by axis and value (granularity 2, 4,
// 8 before unroll 2).
bool difference_less(const Config& a, const Config& b, const Config& base) {
  const Difference left = differences(a, base);
  const Difference right = differences(b, base);
  if (left.size() != right.size()) return left.size() < right.size();
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].first != right[i].first) return left[i].first < right[i].first;
    if (!(left[i].second == right[i].second)) return value_less(left[i].second, right[i].second);
  }
  return false;
}

// The value of the axis `variant`; empty where there is none.
std::string variant_of(const Config& config) {
  const Value* const variant = config.find("variant");
  return variant == nullptr ? "" : variant->to_string();
}

// The configuration, of at least one, that is nearest to the most frequent value of every axis. In a plan
// that varies one axis at a time that is the default configuration of the variant, which rows do not name.
const Config& most_typical(const std::vector<Config>& configs) {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  Config typical;
  for (const Config& config : configs) {
    for (const auto& [axis, value] : config.entries()) {
      const std::size_t count = ++counts[axis][value.to_string()];
      const Value* const best = typical.find(axis);
      if (best == nullptr || count > counts[axis][best->to_string()]) typical = typical.with(axis, value);
    }
  }
  return *std::ranges::min_element(configs, [&](const Config& a, const Config& b) {
    return differences(a, typical).size() < differences(b, typical).size();
  });
}

// --- the tables of one problem ---

// A cell of the tables of one problem.
struct CellKey {
  std::string device, config, kernel;
  auto operator<=>(const CellKey&) const = default;
};

// The rows of one problem by device, configuration and kernel.
class CellIndex {
 public:
  CellIndex(const std::vector<const MeasurementRow*>& rows, const ColumnKey& key) {
    for (const MeasurementRow* row : rows) {
      if (is_cpu_reference(*row)) continue;
      if (std::ranges::find(kernels_, row->kernel) == kernels_.end()) {
        kernels_.push_back(row->kernel);
      }
      kernels_of_variants_.insert({row->variant, row->kernel});
      const MeasurementRow*& cell = cells_[{key(*row), config_text(*row), row->kernel}];
      if (cell == nullptr || is_timed(row) || !is_timed(cell)) cell = row;
    }
    std::stable_partition(kernels_.begin(), kernels_.end(),
                          [](const auto& kernel) { return kernel == "total"; });
  }

  // "total" first.
  [[nodiscard]] const std::vector<std::string>& kernels() const { return kernels_; }

  // A point that failed has one row, which stands for all kernels of its variant.
  [[nodiscard]] const MeasurementRow* find(const std::string& device, const std::string& config,
                                           const std::string& kernel) const {
    if (const auto cell = cells_.find({device, config, kernel}); cell != cells_.end()) return cell->second;
    const auto total = cells_.find({device, config, "total"});
    if (total == cells_.end() || total->second->status == "ok") return nullptr;
    return kernels_of_variants_.contains({total->second->variant, kernel}) ? total->second : nullptr;
  }

 private:
  std::vector<std::string> kernels_;
  std::set<std::pair<std::string, std::string>> kernels_of_variants_;
  std::map<CellKey, const MeasurementRow*> cells_;
};

// The configurations of one problem, by variant.
struct Configurations {
  std::string baseline;               // as text; empty where no row is the baseline
  std::vector<std::string> variants;  // that of the baseline first
  std::map<std::string, std::vector<Config>> of_variant;
};

Configurations collect(const std::vector<const MeasurementRow*>& rows) {
  Configurations found;
  std::set<std::string> seen;
  for (const MeasurementRow* row : rows) {
    if (is_cpu_reference(*row)) continue;
    const std::string text = config_text(*row);
    if (row->baseline && found.baseline.empty()) found.baseline = text;
    if (!seen.insert(text).second) continue;
    Config config = Config::parse(text);
    const std::string variant = variant_of(config);
    if (!found.of_variant.contains(variant)) found.variants.push_back(variant);
    found.of_variant[variant].push_back(std::move(config));
  }
  const std::string first = variant_of(Config::parse(found.baseline));
  std::stable_partition(found.variants.begin(), found.variants.end(),
                        [&](const auto& variant) { return variant == first; });
  return found;
}

// The rows' names of a problem's tables, in their order.
struct Labels {
  std::vector<Setting> settings;             // without cells
  std::vector<std::string> default_configs;  // what the names of a variant's settings are relative to
};

// Names the settings of a variant by what differs from `base`, its default configuration.
void add_variant(Labels& labels, const std::string& variant, const Config& base, std::vector<Config> configs,
                 bool of_baseline) {
  std::ranges::stable_sort(configs,
                           [&](const Config& a, const Config& b) { return difference_less(a, b, base); });
  for (const Config& config : configs) {
    const std::string difference = difference_text(config, base);
    Setting setting;
    setting.config = config.to_string();
    setting.baseline = of_baseline && difference.empty();
    if (setting.baseline) {
      setting.label = "baseline";
    } else if (difference.empty()) {
      setting.label = fmt::format("variant={}", variant);
    } else {
      setting.label = of_baseline ? difference : variant + ": " + difference;
    }
    labels.settings.push_back(std::move(setting));
  }
  const std::string values = difference_text(base, {});
  const std::string tail = values.empty() ? "" : (of_baseline ? ", " : ": ") + values;
  labels.default_configs.push_back(
      fmt::format("{}variant={}{}", of_baseline ? "baseline: " : "", variant, tail));
}

Labels label(const Configurations& found) {
  Labels labels;
  const Config baseline = Config::parse(found.baseline);
  for (const std::string& variant : found.variants) {
    const std::vector<Config>& configs = found.of_variant.at(variant);
    const bool of_baseline = !found.baseline.empty() && variant == variant_of(baseline);
    add_variant(labels, variant, of_baseline ? baseline : most_typical(configs), configs, of_baseline);
  }
  return labels;
}

CpuReference cpu_reference(const std::vector<const MeasurementRow*>& rows,
                           const std::vector<DeviceColumn>& columns, const ColumnKey& key) {
  CpuReference found;
  for (const DeviceColumn& column : columns) {
    std::set<std::string> run_ids = {column.any->run_id};
    for (const MeasurementRow* row : rows) {
      if (!is_cpu_reference(*row) && key(*row) == column.key) run_ids.insert(row->run_id);
    }
    const auto of_run = [&](const char* variant) {
      const auto row = std::ranges::find_if(rows, [&](const MeasurementRow* r) {
        return is_cpu_reference(*r) && r->variant == variant && run_ids.contains(r->run_id) && r->median_ns;
      });
      return row == rows.end() ? nullptr : *row;
    };
    found.one_thread.push_back(of_run("serial"));
    found.four_threads.push_back(of_run("openmp_4"));
    found.all_threads.push_back(of_run("openmp"));
  }
  return found;
}

}  // namespace

std::string device_key(const MeasurementRow& row) {
  return row.run_id + "|" + row.device_id;
}

bool is_cpu_reference(const MeasurementRow& row) {
  return row.device_type == "host";
}

// `rows` are all those of one dwarf, size and problem, at least one. Appends the table of "total" first.
static void add_problem_tables(const std::vector<const MeasurementRow*>& rows,
                               const std::vector<DeviceColumn>& columns, const ColumnKey& key,
                               std::vector<SettingTable>& tables) {
  const CellIndex index(rows, key);
  const Labels labels = label(collect(rows));
  const MeasurementRow& any = *rows.front();
  for (const std::string& kernel : index.kernels()) {
    SettingTable table{any.dwarf,
                       any.size,
                       any.problem,
                       kernel,
                       {},
                       labels.default_configs,
                       cpu_reference(rows, columns, key)};
    for (Setting setting : labels.settings) {
      for (const DeviceColumn& column : columns)
        setting.cells.push_back(index.find(column.key, setting.config, kernel));
      // Another variant has other kernels.
      const bool any_cell =
          std::ranges::any_of(setting.cells, [](const MeasurementRow* cell) { return cell != nullptr; });
      if (any_cell) table.settings.push_back(std::move(setting));
    }
    tables.push_back(std::move(table));
  }
}

// --- all tables ---

namespace {

// What the tables of all kernels of a problem are about.
struct TableProblem {
  std::string dwarf, size, problem;
  auto operator<=>(const TableProblem&) const = default;
};
TableProblem problem_of(const MeasurementRow& row) {
  return {row.dwarf, row.size, row.problem};
}

std::string letter_of(std::size_t index) {
  std::string letter(1, static_cast<char>('A' + index % 26));
  return index < 26 ? letter : letter_of(index / 26 - 1) + letter;
}

std::vector<DeviceColumn> find_columns(const std::vector<MeasurementRow>& rows, const ColumnKey& key) {
  std::vector<DeviceColumn> columns;
  std::set<std::string> seen;
  for (const MeasurementRow& row : rows) {
    if (is_cpu_reference(row) || !seen.insert(key(row)).second) continue;
    columns.push_back({letter_of(columns.size()), &row, key(row)});
  }
  return columns;
}

}  // namespace

bool is_timed(const MeasurementRow* row) {
  return row != nullptr && row->status == "ok" && row->median_ns;
}

TableModel arrange(const std::vector<MeasurementRow>& rows, const ColumnKey& key) {
  TableModel model;
  model.columns = find_columns(rows, key);
  std::vector<TableProblem> order;
  std::map<TableProblem, std::vector<const MeasurementRow*>> groups;
  for (const MeasurementRow& row : rows) {
    auto& group = groups[problem_of(row)];
    if (group.empty()) order.push_back(problem_of(row));
    group.push_back(&row);
  }
  // Dwarf by dwarf, also where the rows of several runs come one after the other.
  std::vector<std::string> dwarfs;
  for (const auto& problem : order) {
    if (std::ranges::find(dwarfs, problem.dwarf) == dwarfs.end()) dwarfs.push_back(problem.dwarf);
  }
  for (const std::string& dwarf : dwarfs) {
    for (const auto& problem : order) {
      if (problem.dwarf == dwarf) add_problem_tables(groups.at(problem), model.columns, key, model.tables);
    }
  }
  return model;
}

}  // namespace dwarfsweep
