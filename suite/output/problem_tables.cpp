#include "suite/output/problem_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "suite/output/config_difference.hpp"

namespace dwarfsweep {
namespace {

// A cell of the tables of one problem.
struct CellKey {
  std::string device, config, kernel;
  auto operator<=>(const CellKey&) const = default;
};

// The rows of one problem by device, configuration and kernel.
class CellIndex {
 public:
  explicit CellIndex(const std::vector<const MeasurementRow*>& rows) {
    for (const MeasurementRow* row : rows) {
      if (is_cpu_reference(*row)) continue;
      if (std::find(kernels_.begin(), kernels_.end(), row->kernel) == kernels_.end()) {
        kernels_.push_back(row->kernel);
      }
      kernels_of_variants_.insert({row->variant, row->kernel});
      cells_[{device_key(*row), config_text(*row), row->kernel}] = row;
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
  std::stable_sort(configs.begin(), configs.end(),
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
                           const std::vector<DeviceColumn>& columns) {
  CpuReference found;
  for (const DeviceColumn& column : columns) {
    const auto of_run = [&](const char* variant) {
      const auto row = std::find_if(rows.begin(), rows.end(), [&](const MeasurementRow* r) {
        return is_cpu_reference(*r) && r->variant == variant && r->run_id == column.any->run_id &&
               r->median_ns;
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

void add_problem_tables(const std::vector<const MeasurementRow*>& rows,
                        const std::vector<DeviceColumn>& columns, std::vector<SettingTable>& tables) {
  const CellIndex index(rows);
  const Labels labels = label(collect(rows));
  const MeasurementRow& any = *rows.front();
  for (const std::string& kernel : index.kernels()) {
    SettingTable table{
        any.dwarf, any.size, any.problem, kernel, {}, labels.default_configs, cpu_reference(rows, columns)};
    for (Setting setting : labels.settings) {
      for (const DeviceColumn& column : columns)
        setting.cells.push_back(index.find(device_key(*column.any), setting.config, kernel));
      // Another variant has other kernels.
      const bool any_cell = std::any_of(setting.cells.begin(), setting.cells.end(),
                                        [](const MeasurementRow* cell) { return cell != nullptr; });
      if (any_cell) table.settings.push_back(std::move(setting));
    }
    tables.push_back(std::move(table));
  }
}

}  // namespace dwarfsweep
