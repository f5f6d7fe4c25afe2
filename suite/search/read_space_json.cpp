// Kernel Tuner's cache files: {"tune_params_keys": [..], "cache": {"16,1": {"block_size_x": 16, ..,
// "time": 3.9},
// ..}}, where a time that is no number names a failure; and the T4 schema: {"results": [{"configuration":
// {..}, "invalidity": "correct", "measurements": [{"name": "time", "value": 3.9}]}, ..]}.
#include <fmt/format.h>

#include <cmath>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/search/read_space.hpp"

namespace dwarfsweep {
namespace {

Value value_of(const Json& json) {
  if (json.is_boolean()) return static_cast<int>(json.get<bool>());
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.is_string() ? json.get<std::string>() : json.dump();
}

// Kernel Tuner marks failures by a name instead of a number, or by 1e20.
std::optional<double> time_of(const Json& json) {
  constexpr double failed = 1e15;
  if (!json.is_number()) return std::nullopt;
  const double time = json.get<double>();
  return time > 0 && time < failed ? std::optional(time) : std::nullopt;
}

RecordedTable table_of_cache(const std::string& name, const Json& json) {
  RecordedTable table{name, json.at("tune_params_keys").get<std::vector<std::string>>(), {}};
  const std::string objective = json.value("objective", "time");
  for (const Json& entry : json.at("cache")) {
    RecordedTable::Row row;
    for (const std::string& parameter : table.parameters) row.values.push_back(value_of(entry.at(parameter)));
    row.time = time_of(entry.value(objective, Json()));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::optional<double> time_of_result(const Json& result) {
  if (result.at("invalidity") != "correct") return std::nullopt;
  const std::string objective = result.value("objectives", Json::array({"time"})).at(0).get<std::string>();
  for (const Json& measurement : result.at("measurements")) {
    if (measurement.at("name") == objective) return time_of(measurement.at("value"));
  }
  return std::nullopt;
}

RecordedTable table_of_results(const std::string& name, const Json& json) {
  RecordedTable table{name, {}, {}};
  for (const Json& result : json.at("results")) {
    const Json& configuration = result.at("configuration");
    if (table.parameters.empty()) {
      for (const auto& [parameter, value] : configuration.items()) table.parameters.push_back(parameter);
    }
    RecordedTable::Row row;
    for (const std::string& parameter : table.parameters)
      row.values.push_back(value_of(configuration.at(parameter)));
    row.time = time_of_result(result);
    table.rows.push_back(std::move(row));
  }
  return table;
}

// A cache is appended to as points are measured, and closed only at the end of a tuning.
Json parse_closed_or_not(const std::string& file, std::string text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_discarded()) return json;
  text.erase(text.find_last_not_of(" \t\r\n,") + 1);
  json = Json::parse(text + "}}", nullptr, false);
  if (json.is_discarded()) throw InputError(file, "", "is not JSON");
  return json;
}

}  // namespace

RecordedTable parse_space_json(const std::string& name, const std::string& file, const std::string& text) {
  const Json json = parse_closed_or_not(file, text);
  if (!json.contains("cache") && !json.contains("results")) {
    throw InputError(file, "",
                     "is no recorded space: expected Kernel Tuner's 'cache' or the T4 schema's 'results'");
  }
  try {
    RecordedTable table = json.contains("cache") ? table_of_cache(name, json) : table_of_results(name, json);
    if (table.rows.empty()) throw InputError(file, "", "has no points");
    return table;
  } catch (const Json::exception& error) {
    throw InputError(file, "", fmt::format("is no recorded space: {}", error.what()));
  }
}

}  // namespace dwarfsweep
