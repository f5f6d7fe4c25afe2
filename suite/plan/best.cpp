#include "suite/plan/best.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "dwarfs/registry.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "suite/plan/atlas_points.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"
#include "suite/record/standard_error.hpp"
#include "suite/record/stored_file.hpp"

namespace dwarfsweep {

extern const char* const best_table;

namespace {

// Each column once, for reading and for writing: a text or a number.
struct Column {
  const char* name;
  std::string BestPoint::*text = nullptr;
  Number BestPoint::*number = nullptr;
  bool may_lack = false;
};
constexpr Column columns_of_best[] = {{"device", &BestPoint::device},
                                      {"device_type", &BestPoint::device_type},
                                      {"platform", &BestPoint::platform},
                                      {"dwarf", &BestPoint::dwarf},
                                      {"size", &BestPoint::size},
                                      {"problem", &BestPoint::problem},
                                      {"config", &BestPoint::config},
                                      {"run_id", &BestPoint::run_id},
                                      {"median_ns", nullptr, &BestPoint::median_ns},
                                      {"speedup", nullptr, &BestPoint::speedup},
                                      {"compute_units", nullptr, &BestPoint::compute_units, true},
                                      {"float_lanes", nullptr, &BestPoint::float_lanes, true},
                                      {"device_id", &BestPoint::device_id, nullptr, true},
                                      {"driver", &BestPoint::driver, nullptr, true},
                                      {"timer", &BestPoint::timer, nullptr, true},
                                      {"compared", nullptr, &BestPoint::compared, true}};

std::string cell_of(const BestPoint& point, const Column& column) {
  if (column.text != nullptr) return csv_cell(point.*column.text);
  const Number& number = point.*column.number;
  return number ? number_text(*number) : "";
}

void read_cell(BestPoint& point, const Column& column, const std::string& cell, const std::string& name,
               int line) {
  if (column.text != nullptr) {
    point.*column.text = cell;
  } else if (!cell.empty()) {
    const Value value = Value::parse(cell);
    if (value.is_string() || !(value.real() >= 0))
      throw InputError(name, fmt::format("line {}", line),
                       fmt::format("{} is '{}', but must be a number from 0", column.name, cell));
    point.*column.number = value.real();
  }
}

bool has_column(const CsvTable& table, const char* name) {
  return std::ranges::find(table.header, name) != table.header.end();
}

}  // namespace

const std::vector<BestPoint>& best_points() {
  static const std::vector<BestPoint> points = parse_best("best.csv", best_table);
  return points;
}

double whole_run_ns(const MeasurementRow& row) {
  return row.schema_version == 1 && row.wall_ns ? *row.wall_ns : *row.median_ns;
}

namespace {

// Of two rows of the same schema. What was re-measured counts more than what was not: the fastest of many is
// biased.
bool is_better(const MeasurementRow& row, const MeasurementRow& other) {
  const auto rank = [](const MeasurementRow& each) {
    return std::pair(each.schema_version > 1 && each.stop_reason == confirmed ? 0 : 1, whole_run_ns(each));
  };
  return rank(row) < rank(other);
}

// The best rows of one dwarf, problem and device.
struct Candidates {
  const MeasurementRow* latest = nullptr;
  const MeasurementRow* old = nullptr;  // of schema 1

  void add(const MeasurementRow& row) {
    const MeasurementRow*& best = row.schema_version == 1 ? old : latest;
    if (best == nullptr || is_better(row, *best)) best = &row;
  }

  // Between the two the wall time decides, which both have.
  [[nodiscard]] const MeasurementRow& best() const {
    if (latest == nullptr || old == nullptr) return latest == nullptr ? *old : *latest;
    const bool older_is_faster = old->wall_ns && latest->wall_ns && *old->wall_ns < *latest->wall_ns;
    return older_is_faster ? *old : *latest;
  }
};

}  // namespace

std::vector<BestPoint> find_best(const std::vector<MeasurementRow>& rows) {
  std::vector<Candidates> candidates;
  std::map<std::string, std::size_t> place;
  for (const MeasurementRow& row : rows) {
    if (row.kernel != "total" || row.status != "ok" || !row.median_ns || row.device_type == "host") continue;
    if (!gives_whole_result(row.dwarf, row.variant)) continue;
    const std::string key = fmt::format("{}|{}|{}", row.device, row.dwarf, row.problem);
    const auto [found, is_new] = place.emplace(key, candidates.size());
    if (is_new) candidates.emplace_back();
    candidates[found->second].add(row);
  }
  std::vector<BestPoint> points;
  for (const Candidates& each : candidates) {
    const MeasurementRow& row = each.best();
    points.push_back({row.device, row.device_type, row.platform, row.dwarf, row.size, row.problem,
                      config_text(row), whole_run_ns(row), row.speedup, row.run_id, std::nullopt,
                      std::nullopt, row.device_id, row.driver, row.timer});
  }
  return points;
}

std::string to_csv(const std::vector<BestPoint>& points) {
  std::string text;
  const auto end_cell = [&](const Column& column) {
    text += &column == &std::end(columns_of_best)[-1] ? '\n' : ',';
  };
  for (const Column& column : columns_of_best) {
    text += column.name;
    end_cell(column);
  }
  for (const BestPoint& point : points) {
    for (const Column& column : columns_of_best) {
      text += cell_of(point, column);
      end_cell(column);
    }
  }
  return text;
}

std::vector<BestPoint> parse_best(const std::string& name, const std::string& text) {
  const CsvTable table = parse_csv(name, text);
  std::vector<BestPoint> points(table.rows.size());
  for (const Column& column : columns_of_best) {
    if (column.may_lack && !has_column(table, column.name)) continue;
    const std::size_t place = table.column(column.name);
    for (std::size_t i = 0; i < points.size(); ++i)
      read_cell(points[i], column, table.rows[i].cells[place], name, table.rows[i].line);
  }
  return points;
}

namespace {

namespace fs = std::filesystem;

void warn_about(const fs::path& path, const char* done, const std::exception& error) {
  const auto* const system = dynamic_cast<const fs::filesystem_error*>(&error);
  print_stderr("dwarfsweep: warning: {}: the best points of this machine are not {}: {}\n", path.string(),
               done, system != nullptr ? system->code().message() : error.what());
}

std::vector<BestPoint> read_points(const fs::path& path) {
  if (!fs::exists(path)) return {};
  return parse_best(path.string(), read_text(path));
}

bool same_place(const BestPoint& left, const BestPoint& right) {
  return left.device_id == right.device_id && left.driver == right.driver && left.dwarf == right.dwarf &&
         left.problem == right.problem;
}

bool replaces(const BestPoint& point, const BestPoint& known) {
  if (point.timer != known.timer || point.config == known.config || !known.median_ns) return true;
  return point.median_ns && *point.median_ns < *known.median_ns;
}

void add(std::vector<BestPoint>& all, const BestPoint& point) {
  const auto known =
      std::ranges::find_if(all, [&](const BestPoint& other) { return same_place(point, other); });
  if (known == all.end()) {
    all.push_back(point);
  } else if (replaces(point, *known)) {
    *known = point;
  }
}

}  // namespace

fs::path own_best_folder() {
  const char* const given = std::getenv("DWARFSWEEP_BEST");
  return given != nullptr && *given != '\0' ? fs::path(given) : fs::path("results") / "best";
}

Json best_json(const BestPoint& point) {
  Json json = Json::object();
  for (const Column& column : columns_of_best) {
    if (column.text != nullptr) {
      json[column.name] = point.*column.text;
    } else if (point.*column.number) {
      json[column.name] = *(point.*column.number);
    }
  }
  return json;
}

BestPoint best_from_json(const Json& json) {
  BestPoint point;
  for (const Column& column : columns_of_best) {
    if (!json.contains(column.name)) continue;
    if (column.text != nullptr) {
      json.at(column.name).get_to(point.*column.text);
    } else {
      point.*column.number = json.at(column.name).get<double>();
    }
  }
  return point;
}

std::vector<BestPoint> read_atlas(const fs::path& atlas) {
  const fs::path folder = atlas / "devices";
  if (!fs::is_directory(folder))
    throw UsageError(fmt::format(
        "'{}' is not an atlas: it has no folder 'devices'; 'dwarfsweep atlas' makes one", atlas.string()));
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<BestPoint> points;
  for (const fs::path& file : files) {
    try {
      const Json json = parse_json(read_text(file));
      for (const Json& each : json.at("points")) {
        points.push_back(best_from_json(each));
        points.back().file = file.string();
      }
    } catch (const Json::exception& error) {
      throw InputError(file.string(), "", "is not a device's file of an atlas: " + plain_message(error));
    }
  }
  return points;
}

void set_figures(BestPoint& point, const DeviceInfo& device) {
  if (device.capabilities.compute_units > 0) point.compute_units = device.capabilities.compute_units;
  const std::uint32_t float_lanes = device.capabilities.float_lanes;
  if (float_lanes > 0) point.float_lanes = float_lanes;
}

void set_figures(std::vector<BestPoint>& points, const std::vector<DeviceInfo>& devices) {
  for (BestPoint& point : points) {
    const auto device = std::ranges::find(devices, point.device_id, &DeviceInfo::id);
    if (device != devices.end()) set_figures(point, *device);
  }
}

BestPoint make_best_point(const DeviceInfo& device, const std::string& dwarf, const Problem& problem,
                          const Config& config) {
  BestPoint point;
  point.device = device.name;
  point.device_type = device.type;
  point.platform = device.platform;
  point.dwarf = dwarf;
  point.size = problem.size;
  point.problem = problem.values.to_string();
  point.config = config.to_string();
  set_figures(point, device);
  point.device_id = device.id;
  point.driver = device.driver;
  return point;
}

std::vector<BestPoint> read_own_best(const fs::path& path) {
  try {
    return read_points(path);
  } catch (const std::exception& error) {
    warn_about(path, "used", error);
    return {};
  }
}

void keep_best_points(const std::vector<BestPoint>& points, const fs::path& path) {
  if (points.empty()) return;
  try {
    update_file(path, [&](const std::string& text) {
      std::vector<BestPoint> all = text.empty() ? std::vector<BestPoint>() : parse_best(path.string(), text);
      for (const BestPoint& point : points) add(all, point);
      return to_csv(all);
    });
  } catch (const std::exception& error) {
    warn_about(path, "kept", error);
  }
}

}  // namespace dwarfsweep
