#include "suite/output/table_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/value.hpp"

namespace dwarfsweep {
namespace {

bool is_host(const MeasurementRow& row) {
  return row.device_type == "host";
}
std::string device_key(const MeasurementRow& row) {
  return row.run_id + "|" + row.device_id;
}

// What one table is about, but for the kernel.
struct ProblemKeyText {
  std::string dwarf, size, problem;
  auto operator<=>(const ProblemKeyText&) const = default;
};
ProblemKeyText problem_of(const MeasurementRow& row) {
  return {row.dwarf, row.size, row.problem};
}

std::string letter_of(std::size_t index) {
  std::string letter(1, static_cast<char>('A' + index % 26));
  return index < 26 ? letter : letter_of(index / 26 - 1) + letter;
}

std::vector<DeviceColumn> find_columns(const std::vector<MeasurementRow>& rows) {
  std::vector<DeviceColumn> columns;
  std::set<std::string> seen;
  for (const MeasurementRow& row : rows) {
    if (is_host(row) || !seen.insert(device_key(row)).second) continue;
    columns.push_back({letter_of(columns.size()), &row});
  }
  return columns;
}

// --- how configurations differ ---

using Difference = std::vector<std::pair<std::size_t, Value>>;  // place of the axis, value

// The values of `config` that `base` does not have, the variant left out.
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

bool value_less(const Value& a, const Value& b) {
  if (a.is_string() != b.is_string()) return b.is_string();
  return a.is_string() ? a.string() < b.string() : a.real() < b.real();
}

// Few differences first, then by axis and value: granularity 2, 4, 8 before unroll 2.
bool difference_less(const Difference& a, const Difference& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].first != b[i].first) return a[i].first < b[i].first;
    if (!(a[i].second == b[i].second)) return value_less(a[i].second, b[i].second);
  }
  return false;
}

std::string join(const Config& config, const Difference& difference) {
  std::string text;
  for (const auto& [place, value] : difference) {
    if (!text.empty()) text += ", ";
    text += config.entries()[place].first + "=" + value.to_string();
  }
  return text;
}

std::string variant_of(const Config& config) {
  const Value* const variant = config.find("variant");
  return variant == nullptr ? "" : variant->to_string();
}

// Where nothing else is known, a variant starts at the configuration that is nearest to the most frequent
// value of every axis: with the axes varied one at a time, that is the one they were varied from.
const Config* find_start(const std::vector<Config>& configs) {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  Config typical;
  for (const Config& config : configs) {
    for (const auto& [axis, value] : config.entries()) {
      const std::size_t count = ++counts[axis][value.to_string()];
      const Value* const best = typical.find(axis);
      if (best == nullptr || count > counts[axis][best->to_string()]) typical = typical.with(axis, value);
    }
  }
  return &*std::min_element(configs.begin(), configs.end(), [&](const Config& a, const Config& b) {
    return differences(a, typical).size() < differences(b, typical).size();
  });
}

// --- one problem of one dwarf ---

class ProblemTables {
 public:
  ProblemTables(const std::vector<const MeasurementRow*>& rows, const std::vector<DeviceColumn>& columns)
      : rows_(rows), columns_(columns) {
    for (const MeasurementRow* row : rows_) {
      if (is_host(*row)) continue;
      if (std::find(kernels_.begin(), kernels_.end(), row->kernel) == kernels_.end()) {
        kernels_.push_back(row->kernel);
      }
      kernels_of_variants_.insert({row->variant, row->kernel});
      cells_[{device_key(*row), config_text(*row), row->kernel}] = row;
    }
    std::stable_partition(kernels_.begin(), kernels_.end(),
                          [](const auto& kernel) { return kernel == "total"; });
    make_settings();
  }

  void append_to(std::vector<SettingTable>& tables) const {
    for (const std::string& kernel : kernels_) {
      const MeasurementRow& any = *rows_.front();
      SettingTable table{any.dwarf, any.size, any.problem, kernel, {}, starts_, host_times()};
      for (const Setting& setting : settings_) {
        Setting filled = setting;
        for (const DeviceColumn& column : columns_)
          filled.cells.push_back(find(column, setting.config, kernel));
        // Another variant has other kernels.
        const bool any_cell = std::any_of(filled.cells.begin(), filled.cells.end(),
                                          [](const MeasurementRow* cell) { return cell != nullptr; });
        if (any_cell) table.settings.push_back(std::move(filled));
      }
      tables.push_back(std::move(table));
    }
  }

 private:
  // A point that failed has one row, which speaks for all kernels of its variant.
  const MeasurementRow* find(const DeviceColumn& column, const std::string& config,
                             const std::string& kernel) const {
    const std::string device = device_key(*column.any);
    if (const auto cell = cells_.find({device, config, kernel}); cell != cells_.end()) return cell->second;
    const auto total = cells_.find({device, config, "total"});
    if (total == cells_.end() || total->second->status == "ok") return nullptr;
    return kernels_of_variants_.contains({total->second->variant, kernel}) ? total->second : nullptr;
  }

  void make_settings() {
    std::string baseline;
    std::vector<std::string> variants;
    std::map<std::string, std::vector<Config>> configs;
    std::set<std::string> seen;
    for (const MeasurementRow* row : rows_) {
      if (is_host(*row)) continue;
      const std::string text = config_text(*row);
      if (row->baseline && baseline.empty()) baseline = text;
      if (!seen.insert(text).second) continue;
      Config config = Config::parse(text);
      const std::string variant = variant_of(config);
      if (!configs.contains(variant)) variants.push_back(variant);
      configs[variant].push_back(std::move(config));
    }
    const std::string first = variant_of(Config::parse(baseline));
    std::stable_partition(variants.begin(), variants.end(),
                          [&](const auto& variant) { return variant == first; });
    for (const std::string& variant : variants) {
      const bool of_baseline = !baseline.empty() && variant == first;
      const Config start = of_baseline ? Config::parse(baseline) : *find_start(configs[variant]);
      add_variant(variant, start, configs[variant], of_baseline);
    }
  }

  void add_variant(const std::string& variant, const Config& start, std::vector<Config>& configs,
                   bool of_baseline) {
    std::stable_sort(configs.begin(), configs.end(), [&](const Config& a, const Config& b) {
      return difference_less(differences(a, start), differences(b, start));
    });
    for (const Config& config : configs) {
      const std::string difference = join(config, differences(config, start));
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
      settings_.push_back(std::move(setting));
    }
    const std::string values = join(start, differences(start, {}));
    const std::string tail = values.empty() ? "" : (of_baseline ? ", " : ": ") + values;
    starts_.push_back(fmt::format("{}variant={}{}", of_baseline ? "baseline: " : "", variant, tail));
  }

  HostTimes host_times() const {
    HostTimes times;
    for (const DeviceColumn& column : columns_) {
      const auto of_run = [&](const char* variant) {
        const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const MeasurementRow* r) {
          return is_host(*r) && r->variant == variant && r->run_id == column.any->run_id && r->median_ns;
        });
        return row == rows_.end() ? nullptr : *row;
      };
      times.one_thread.push_back(of_run("serial"));
      times.all_threads.push_back(of_run("openmp"));
    }
    return times;
  }

  struct CellKey {
    std::string device, config, kernel;
    auto operator<=>(const CellKey&) const = default;
  };

  const std::vector<const MeasurementRow*>& rows_;
  const std::vector<DeviceColumn>& columns_;
  std::vector<std::string> kernels_;
  std::set<std::pair<std::string, std::string>> kernels_of_variants_;
  std::map<CellKey, const MeasurementRow*> cells_;
  std::vector<Setting> settings_;  ///< without cells
  std::vector<std::string> starts_;
};

}  // namespace

std::string config_text(const RowIdentity& row) {
  const std::pair<const char*, const std::string&> axes[] = {
      {"variant", row.variant},           {"work_group", row.work_group}, {"granularity", row.granularity},
      {"vector_width", row.vector_width}, {"unroll", row.unroll},         {"padding", row.padding}};
  std::string text;
  for (const auto& [name, value] : axes) {
    if (!value.empty()) text += std::string(text.empty() ? "" : ";") + name + "=" + value;
  }
  if (!row.options.empty()) text += (text.empty() ? "" : ";") + row.options;
  return text;
}

TableModel arrange(const std::vector<MeasurementRow>& rows) {
  TableModel model;
  model.columns = find_columns(rows);
  std::vector<ProblemKeyText> order;
  std::map<ProblemKeyText, std::vector<const MeasurementRow*>> groups;
  for (const MeasurementRow& row : rows) {
    auto& group = groups[problem_of(row)];
    if (group.empty()) order.push_back(problem_of(row));
    group.push_back(&row);
  }
  // Dwarf by dwarf, even where several runs took turns.
  std::vector<std::string> dwarfs;
  for (const auto& key : order) {
    if (std::find(dwarfs.begin(), dwarfs.end(), key.dwarf) == dwarfs.end()) dwarfs.push_back(key.dwarf);
  }
  for (const std::string& dwarf : dwarfs) {
    for (const auto& key : order) {
      if (key.dwarf == dwarf) ProblemTables(groups.at(key), model.columns).append_to(model.tables);
    }
  }
  return model;
}

}  // namespace dwarfsweep
