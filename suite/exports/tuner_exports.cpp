// The formats of auto-tuners: T4 and Kernel Tuner's cache. Both count in milliseconds, and name a failure by
// Kernel Tuner's words in the place of a time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/space/error.hpp"
#include "suite/exports/exports.hpp"
#include "suite/record/json.hpp"
#include "suite/search/search_space.hpp"

namespace dwarfsweep {
namespace {

Json runtimes_ms(const ExportRow& point) {
  Json times = Json::array();
  if (!point.ok()) return times;
  for (const SampleRow* sample : point.samples) times.push_back(*sample->ns / 1e6);
  return times;
}

double build_ms(const ExportRow& point) {
  return point.row->build_ns.value_or(0) / 1e6;
}

// The schema has five values for failures; a status without its own becomes "runtime".
const char* invalidity_of(const std::string& status) {
  static const std::map<std::string, const char*> names = {
      {"ok", "correct"},           {"rejected", "constraints"},  {"unsupported", "constraints"},
      {"build_failed", "compile"}, {"launch_failed", "runtime"}, {"wrong_result", "correctness"},
      {"timed_out", "timeout"},    {"crashed", "runtime"},       {"out_of_memory", "runtime"}};
  const auto found = names.find(status);
  return found == names.end() ? "runtime" : found->second;
}

const char* error_of(const ExportRow& point) {
  if (point.is_illegal()) return "InvalidConfig";
  return point.row->status == to_string(Status::build_failed) ? "CompilationFailedConfig"
                                                              : "RuntimeFailedConfig";
}

Json measurements_of(const ExportRow& point) {
  Json measurements = Json::array();
  if (!point.ok()) {
    measurements.push_back({{"name", "time"}, {"value", error_of(point)}, {"unit", ""}});
    return measurements;
  }
  const auto measure = [&](const char* name, const Number& value, const char* unit) {
    if (value && std::isfinite(*value))
      measurements.push_back({{"name", name}, {"value", *value}, {"unit", unit}});
  };
  const auto ms = [](const Number& ns) { return ns ? Number(*ns / 1e6) : ns; };
  measure("time", ms(point.row->median_ns), "ms");
  measure("wall_time", ms(point.row->wall_ns), "ms");
  measure("bandwidth", point.row->gb_per_s, "GB/s");
  measure("throughput", point.row->gop_per_s, "Gop/s");
  return measurements;
}

// Nothing is searched for in a sweep, and a tuner's own time is in its trace.csv: the two zeros say that none
// is charged to the point.
Json t4_times(const ExportRow& point) {
  return {{"compilation", build_ms(point)},
          {"compilation_time", build_ms(point)},
          {"benchmark", benchmark_ms(point)},
          {"validation", point.verification_ms},
          {"framework", 0},
          {"search_algorithm", 0},
          {"runtimes", runtimes_ms(point)}};
}

Json t4_result(const ExportRow& point) {
  const MeasurementRow& row = *point.row;
  Json configuration = {
      {"device", point.device}, {"dwarf", row.dwarf}, {"size", row.size}, {"problem", row.problem}};
  const Config config = Config::parse(point.config());
  for (const auto& [axis, value] : config.entries()) configuration[axis] = value;
  return {{"timestamp", row.timestamp},
          {"configuration", std::move(configuration)},
          {"times", t4_times(point)},
          {"invalidity", invalidity_of(row.status)},
          {"correctness", point.ok() ? 1 : 0},
          {"measurements", measurements_of(point)},
          {"objectives", {"time"}}};
}

// --- Kernel Tuner ---

// A product of axes with more points than this is not filled up: the file would be mostly of what nobody
// measured.
constexpr double max_product = 20'000;

struct Cache {
  const ExportRow* first = nullptr;
  std::vector<std::string> axes;
  std::vector<std::vector<Value>> values;  ///< by axis, in order
  std::map<std::string, Json> entries;
  std::size_t left_out = 0;  ///< points with other axes
};

// As Kernel Tuner makes it of a list of values.
std::string cache_key(const std::vector<Value>& values) {
  std::string key;
  for (const Value& value : values) key += (key.empty() ? "" : ",") + value.to_string();
  return key;
}

Json cache_entry(const Cache& cache, const std::vector<Value>& values, const ExportRow* point) {
  Json entry = Json::object();
  for (std::size_t i = 0; i < cache.axes.size(); ++i) entry[cache.axes[i]] = values[i];
  entry["times"] = point != nullptr ? runtimes_ms(*point) : Json::array();
  entry["time"] = point == nullptr ? Json("InvalidConfig")
                  : point->ok()    ? Json(*point->row->median_ns / 1e6)
                                   : Json(error_of(*point));
  entry["compile_time"] = point != nullptr ? build_ms(*point) : 0;
  entry["benchmark_time"] = point != nullptr ? benchmark_ms(*point) : 0;
  entry["verification_time"] = point != nullptr ? point->verification_ms : 0;
  entry["strategy_time"] = 0;
  entry["framework_time"] = 0;
  if (point == nullptr) {
    entry["status"] = "not in this run";
  } else if (!point->ok()) {
    entry["status"] = point->reason();
  }
  if (point != nullptr) entry["timestamp"] = point->row->timestamp;
  return entry;
}

void add_to_cache(Cache& cache, const ExportRow& point) {
  const Config config = Config::parse(point.config());
  std::vector<std::string> axes;
  std::vector<Value> values;
  for (const auto& [axis, value] : config.entries()) {
    axes.push_back(axis);
    values.push_back(value);
  }
  if (cache.first == nullptr) {
    cache.first = &point;
    cache.axes = axes;
    cache.values.resize(axes.size());
  }
  if (axes != cache.axes) {
    ++cache.left_out;
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::ranges::find(cache.values[i], values[i]) == cache.values[i].end())
      cache.values[i].push_back(values[i]);
  }
  cache.entries[cache_key(values)] = cache_entry(cache, values, &point);
}

double product_of(const Cache& cache) {
  double product = 1;
  for (const auto& values : cache.values) product *= static_cast<double>(values.size());
  return product;
}

void fill_up(Cache& cache) {
  std::vector<std::size_t> places(cache.axes.size());
  for (;;) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < places.size(); ++i) values.push_back(cache.values[i][places[i]]);
    const std::string key = cache_key(values);
    if (!cache.entries.contains(key)) cache.entries[key] = cache_entry(cache, values, nullptr);
    std::size_t axis = 0;
    while (axis < places.size() && ++places[axis] == cache.values[axis].size()) places[axis++] = 0;
    if (axis == places.size()) return;
  }
}

Json problem_size_of(const MeasurementRow& row) {
  Json numbers = Json::array();
  const ValueMap problem = ValueMap::parse(row.problem);
  for (const auto& [key, value] : problem.entries()) {
    if (value.is_integer()) numbers.push_back(value.integer());
  }
  if (numbers.empty()) numbers.push_back(1);
  return numbers;
}

ExportFile cache_file(const std::string& name, Cache& cache) {
  for (auto& values : cache.values) std::ranges::sort(values, comes_before);
  if (product_of(cache) <= max_product) fill_up(cache);
  Json parameters = Json::object();
  for (std::size_t i = 0; i < cache.axes.size(); ++i) parameters[cache.axes[i]] = cache.values[i];
  const MeasurementRow& row = *cache.first->row;
  // Kernel Tuner appends to its files, and takes one for whole only where it ends with these lines.
  nlohmann::ordered_json json = {{"device_name", cache.first->device},
                                 {"kernel_name", row.dwarf},
                                 {"problem", row.problem},
                                 {"problem_size", problem_size_of(row)},
                                 {"tune_params_keys", cache.axes},
                                 {"tune_params", std::move(parameters)},
                                 {"objective", "time"},
                                 {"cache", cache.entries}};
  return {file_stem(name) + ".json", json.dump(0, ' ', false, Json::error_handler_t::replace) + "\n"};
}

void note_on(const std::string& name, const Cache& cache, std::size_t measured,
             std::vector<std::string>& notes) {
  if (cache.left_out > 0)
    notes.push_back(
        fmt::format("{}: {} points with other axes than the first are left out", name, cache.left_out));
  const double product = product_of(cache);
  if (product > max_product) {
    notes.push_back(
        fmt::format("{}: {} of the {:.0f} combinations of its values are in the run, and a simulation needs "
                    "`restrictions` that let these through alone",
                    name, measured, product));
  } else if (static_cast<double>(measured) < product) {
    notes.push_back(
        fmt::format("{}: {} of the {:.0f} combinations of its values are in the run; the others "
                    "are InvalidConfig, status 'not in this run'",
                    name, measured, product));
  }
}

}  // namespace

Export to_t4(const ExportData& data) {
  // The hub's files spell the unit like this.
  Json json = {
      {"schema_version", "1.0.0"}, {"results", Json::array()}, {"metadata", {{"timeunit", "miliseconds"}}}};
  for (const ExportRow& row : data.rows) {
    if (row.row->kernel == "total") json["results"].push_back(t4_result(row));
  }
  if (json["results"].empty()) throw UsageError("--format t4: no point of these runs was tried");
  return {{{"t4.json", json_text(json, 1) + "\n"}}, {}};
}

Export to_kernel_tuner(const ExportData& data) {
  std::map<std::string, Cache> caches;
  for (const ExportRow& row : data.rows) {
    if (!row.is_point()) continue;
    add_to_cache(caches[fmt::format("{}_{}_{}", row.row->dwarf, row.row->problem, row.device)], row);
  }
  if (caches.empty()) throw UsageError("--format kernel-tuner: no point of these runs was tried on a device");
  Export made;
  for (auto& [name, cache] : caches) {
    const std::size_t measured = cache.entries.size();
    made.files.push_back(cache_file(name, cache));
    note_on(name, cache, measured, made.notes);
  }
  return made;
}

}  // namespace dwarfsweep
