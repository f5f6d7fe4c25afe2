#include "suite/output/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "harness/error.hpp"
#include "harness/quantile.hpp"
#include "suite/output/document.hpp"
#include "suite/output/table_cells.hpp"
#include "suite/output/table_model.hpp"

namespace dwarfsweep {
namespace {

constexpr std::array<std::string_view, 6> change_names = {"slower", "failing",      "faster",
                                                          "mended", "within noise", "incomparable"};

// Points of one run as they are held against those of another. An axis that the other does not know, since
// the dwarf got it later, is left out where it has the value that the variant mostly has: that is the variant
// as it was.
class Points {
 public:
  Points(const RunData& run, const RunData& other) {
    std::set<std::string> known;
    for (const MeasurementRow& row : other.measurements) {
      const ValueMap settings = ValueMap::parse(row.options);
      for (const auto& [axis, value] : settings.entries()) known.insert(row.dwarf + "|" + axis);
      known.insert(row.dwarf);
    }
    std::map<std::string, std::map<std::string, int>> counts;
    for (const MeasurementRow& row : run.measurements) {
      if (!known.contains(row.dwarf)) continue;
      const ValueMap settings = ValueMap::parse(row.options);
      for (const auto& [axis, value] : settings.entries()) {
        if (known.contains(row.dwarf + "|" + axis)) continue;
        ++counts[variant_axis(row, axis)][value.to_string()];
        unknown_.insert(fmt::format("{} of {}", axis, row.dwarf));
      }
    }
    for (const auto& [axis, values] : counts) {
      usual_[axis] = std::max_element(values.begin(), values.end(), [](const auto& a, const auto& b) {
                       return a.second < b.second;
                     })->first;
    }
  }

  [[nodiscard]] std::string text(RowIdentity row, const std::string& device_id) const {
    ValueMap options;
    const ValueMap settings = ValueMap::parse(row.options);
    for (const auto& [axis, value] : settings.entries()) {
      const auto usual = usual_.find(variant_axis(row, axis));
      if (usual == usual_.end() || usual->second != value.to_string()) options = options.with(axis, value);
    }
    row.options = options.to_string();
    return fmt::format("{}|{}|{}|{}", device_id, row.dwarf, row.problem, config_text(row));
  }

  /// Axes that the other run does not know: "sync of srad".
  [[nodiscard]] const std::set<std::string>& unknown() const { return unknown_; }

 private:
  static std::string variant_axis(const RowIdentity& row, const std::string& axis) {
    return fmt::format("{}|{}|{}", row.dwarf, row.variant, axis);
  }

  std::map<std::string, std::string> usual_;  // the value that a variant mostly has of an axis
  std::set<std::string> unknown_;
};

struct Device {
  std::string name, driver, host;
  auto operator<=>(const Device&) const = default;
};

std::map<std::string, Device> devices_of(const RunData& run) {
  std::map<std::string, Device> devices;
  for (const MeasurementRow& row : run.measurements)
    devices[row.device_id] = {row.device, row.driver, row.host};
  return devices;
}

// Device of the new run -> device of the old run.
std::map<std::string, std::string> match_devices(const std::map<std::string, Device>& before,
                                                 const std::map<std::string, Device>& after) {
  std::map<std::string, std::string> matches;
  for (const auto& [id, device] : after) {
    if (before.contains(id)) {
      matches[id] = id;
      continue;
    }
    std::vector<std::string> same_name;
    for (const auto& [old_id, old_device] : before) {
      if (old_device.name == device.name && !after.contains(old_id)) same_name.push_back(old_id);
    }
    if (same_name.size() == 1) matches[id] = same_name.front();
    if (before.size() == 1 && after.size() == 1) matches[id] = before.begin()->first;
  }
  return matches;
}

using Blocks = std::vector<std::vector<double>>;

std::map<std::string, Blocks> blocks_of(const RunData& run, const Points& points,
                                        const std::map<std::string, std::string>& names) {
  std::map<std::string, std::map<std::int64_t, std::vector<double>>> found;
  for (const SampleRow& sample : run.samples) {
    if (sample.kernel != "total" || sample.role != "variant" || !sample.fault.empty() || !sample.ns) continue;
    const auto name = names.find(sample.device_id);
    if (name != names.end()) found[points.text(sample, name->second)][sample.block].push_back(*sample.ns);
  }
  std::map<std::string, Blocks> blocks;
  for (auto& [point, visits] : found) {
    for (auto& [number, values] : visits) blocks[point].push_back(std::move(values));
  }
  return blocks;
}

// By dwarf, problem and configuration.
std::map<std::string, std::string> setting_labels(const std::vector<MeasurementRow>& rows) {
  std::map<std::string, std::string> labels;
  for (const SettingTable& table : arrange(rows).tables) {
    for (const Setting& setting : table.settings) {
      labels[table.dwarf + "|" + table.problem + "|" + setting.config] = setting.label;
    }
  }
  return labels;
}

class Comparer {
 public:
  Comparer(const RunData& before, const RunData& after)
      : before_(before), after_(after), old_points_(before, after), new_points_(after, before) {
    const auto old_devices = devices_of(before);
    const auto new_devices = devices_of(after);
    new_names_ = match_devices(old_devices, new_devices);
    for (const auto& [id, device] : old_devices) old_names_[id] = id;
    tell_differences(old_devices, new_devices);
  }

  Comparison compare() {
    const auto old_blocks = blocks_of(before_, old_points_, old_names_);
    const auto new_blocks = blocks_of(after_, new_points_, new_names_);
    std::map<std::string, std::string> settings = setting_labels(before_.measurements);
    std::map<std::string, const MeasurementRow*> now;
    for (const MeasurementRow& row : after_.measurements) {
      const auto name = new_names_.find(row.device_id);
      if (row.kernel != "total") continue;
      ++result_.only_after;
      if (name != new_names_.end()) now[new_points_.text(row, name->second)] = &row;
    }
    for (const MeasurementRow& row : before_.measurements) {
      if (row.kernel != "total") continue;
      const std::string key = old_points_.text(row, row.device_id);
      const auto found = now.find(key);
      if (found == now.end()) {
        ++result_.only_before;
        continue;
      }
      --result_.only_after;
      const std::string setting = settings[row.dwarf + "|" + row.problem + "|" + config_text(row)];
      add({Change::incomparable, &row, found->second, setting, {}}, old_blocks, new_blocks, key);
    }
    if (result_.points.empty()) {
      throw UsageError(fmt::format("'{}' and '{}' have no point in common", before_.name, after_.name));
    }
    std::stable_sort(result_.points.begin(), result_.points.end(),
                     [](const auto& a, const auto& b) { return a.change < b.change; });
    return std::move(result_);
  }

 private:
  void add(ComparedPoint point, const std::map<std::string, Blocks>& old_blocks,
           const std::map<std::string, Blocks>& new_blocks, const std::string& key) {
    const bool was_ok = point.before->status == "ok";
    const bool is_ok = point.after->status == "ok";
    const auto untried = [](const MeasurementRow& row) {
      return row.status == "rejected" && row.stop_reason == "budget";
    };
    if (untried(*point.before) || untried(*point.after)) {
      point.change = Change::incomparable;
    } else if (was_ok && !is_ok) {
      point.change = Change::failing;
    } else if (!was_ok && is_ok) {
      point.change = Change::mended;
    } else if (was_ok && is_ok && point.before->timer == point.after->timer) {
      const auto before = old_blocks.find(key);
      const auto after = new_blocks.find(key);
      if (before != old_blocks.end() && after != new_blocks.end()) {
        point.ratio = unpaired_ratio(before->second, after->second);
      }
      if (point.ratio) point.change = change_of(point.ratio->verdict);
    }
    result_.points.push_back(point);
  }

  static Change change_of(Verdict verdict) {
    return verdict == Verdict::faster   ? Change::faster
           : verdict == Verdict::slower ? Change::slower
                                        : Change::within_noise;
  }

  void tell_differences(const std::map<std::string, Device>& old_devices,
                        const std::map<std::string, Device>& new_devices) {
    std::set<std::string> told;
    const auto tell = [&](const std::string& what, const std::string& before, const std::string& after) {
      if (before == after) return;
      std::string line = fmt::format("{}: '{}' before, '{}' now", what, before, after);
      if (told.insert(line).second) result_.differences.push_back(std::move(line));
    };
    tell("host", before_.host, after_.host);
    tell("revision of program and kernels", before_.revision, after_.revision);
    for (const auto& [id, old_id] : new_names_) {
      const Device& before = old_devices.at(old_id);
      const Device& after = new_devices.at(id);
      tell("device", before.name, after.name);
      tell(fmt::format("driver of {}", after.name), before.driver, after.driver);
    }
    for (const std::string& axis : old_points_.unknown()) tell("axis " + axis, "known", "unknown");
    for (const std::string& axis : new_points_.unknown()) tell("axis " + axis, "unknown", "known");
  }

  const RunData& before_;
  const RunData& after_;
  Points old_points_;
  Points new_points_;
  std::map<std::string, std::string> old_names_;
  std::map<std::string, std::string> new_names_;
  Comparison result_;
};

std::string words(std::size_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string summary(const Comparison& comparison) {
  const auto count = [&](Change change) { return comparison.count(change); };
  std::string text = fmt::format(
      "{} in both runs: {} slower, {} failing now, {} faster, {} mended, {} within noise, {} incomparable.",
      words(comparison.points.size(), "point"), count(Change::slower), count(Change::failing),
      count(Change::faster), count(Change::mended), count(Change::within_noise), count(Change::incomparable));
  if (comparison.only_before + comparison.only_after > 0) {
    text += fmt::format(" {} only in the old run, {} only in the new one.", comparison.only_before,
                        comparison.only_after);
  }
  std::vector<double> ratios;
  for (const ComparedPoint& point : comparison.points) {
    if (point.ratio) ratios.push_back(point.ratio->ratio);
  }
  if (ratios.empty()) return text;
  // A 95 % interval misses on either side in one case of forty. What shifts a whole run, no interval within
  // it sees.
  return text + fmt::format(
                    " By chance alone about {:.1f} would be told slower and as many faster. The median of "
                    "all ratios is {}: the machine as a whole may have been that much faster or slower.",
                    static_cast<double>(ratios.size()) / 40, ratio_text(median(ratios), 0));
}

std::vector<Cell> point_row(const ComparedPoint& point) {
  const auto time = [](const MeasurementRow& row) {
    return Cell{{row.status == "ok" && row.median_ns ? time_text(*row.median_ns) : row.status}, ""};
  };
  Cell ratio{{"", "", ""}, ""};
  if (point.ratio) {
    const double width = point.ratio->high - point.ratio->low;
    ratio.parts = {ratio_text(point.ratio->ratio, width) + "x",
                   interval_text(point.ratio->low, point.ratio->high), ""};
  }
  return {{{std::string(to_string(point.change))}, ""},
          {{point.before->dwarf}, ""},
          {{point.before->problem}, ""},
          {{point.setting}, ""},
          time(*point.before),
          time(*point.after),
          ratio};
}

}  // namespace

std::string_view to_string(Change change) {
  return change_names.at(static_cast<std::size_t>(change));
}

std::size_t Comparison::count(Change change) const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const auto& point) { return point.change == change; }));
}

Comparison compare_runs(const RunData& before, const RunData& after) {
  return Comparer(before, after).compare();
}

std::string to_text(const Comparison& comparison) {
  Document document;
  if (!comparison.differences.empty()) {
    document.push_back(paragraph("The runs differ in more than time:"));
    document.push_back(items(comparison.differences));
  }
  std::map<std::string, Block> tables;  // by device
  for (const ComparedPoint& point : comparison.points) {
    if (point.change == Change::within_noise || point.change == Change::incomparable) continue;
    Block& table = tables[point.after->device];
    table.kind = Block::Kind::table;
    table.header = {"change", "dwarf", "problem", "setting", "before", "now", "before / now"};
    table.leading = 4;
    table.rows.push_back(point_row(point));
  }
  for (auto& [name, table] : tables) {
    document.push_back(subheading(name));
    document.push_back(std::move(table));
  }
  document.push_back(paragraph(summary(comparison)));
  return to_plain_text(document);
}

Json to_json_report(const Comparison& comparison) {
  Json report;
  report["differences"] = comparison.differences;
  report["only_before"] = comparison.only_before;
  report["only_after"] = comparison.only_after;
  report["worse"] = comparison.is_worse();
  for (std::size_t i = 0; i < change_names.size(); ++i) {
    report["counts"][std::string(change_names[i])] = comparison.count(static_cast<Change>(i));
  }
  report["points"] = Json::array();
  for (const ComparedPoint& point : comparison.points) {
    Json entry = {{"change", to_string(point.change)},
                  {"device", point.after->device},
                  {"dwarf", point.after->dwarf},
                  {"problem", point.after->problem},
                  {"setting", point.setting},
                  {"configuration", config_text(*point.after)},
                  {"status_before", point.before->status},
                  {"status_now", point.after->status}};
    if (point.before->median_ns) entry["before_ns"] = *point.before->median_ns;
    if (point.after->median_ns) entry["now_ns"] = *point.after->median_ns;
    if (point.ratio) {
      entry["ratio"] = point.ratio->ratio;
      entry["low"] = point.ratio->low;
      entry["high"] = point.ratio->high;  // null where one visit allows no bound
    }
    report["points"].push_back(std::move(entry));
  }
  return report;
}

}  // namespace dwarfsweep
