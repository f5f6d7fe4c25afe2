// Recorded spaces from files: CSV, Kernel Tuner's caches, results in the T4 schema, each as it is or in gzip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"
#include "suite/record/packed_file.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/search/recorded_space.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// Fifty times the largest space that we have.
constexpr std::size_t max_bytes = std::size_t{256} << 20;

// "convolution-A100" of "spaces/convolution-A100.csv.gz".
std::string name_of(const fs::path& path) {
  fs::path name = path.filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

void require_distinct(const std::string& file, const std::string& place,
                      const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (!known.insert(name).second)
      throw InputError(file, place, fmt::format("'{}' is there twice; each name must be unique", name));
  }
}

// --- CSV ------------------------------------------------------------------------------------------------

constexpr std::pair<const char*, std::optional<double> RecordedFacts::*> fact_columns[] = {
    {"compile_ms", &RecordedFacts::compile_ms},   {"benchmark_ms", &RecordedFacts::benchmark_ms},
    {"verify_ms", &RecordedFacts::verify_ms},     {"count_ms", &RecordedFacts::count_ms},
    {"threads", &RecordedFacts::threads},         {"ir_instructions", &RecordedFacts::ir_instructions},
    {"regions", &RecordedFacts::regions},         {"registers", &RecordedFacts::registers},
    {"local_bytes", &RecordedFacts::local_bytes}, {"group_size", &RecordedFacts::group_size}};

// None for text, NaN and infinity.
std::optional<double> finite_number(const std::string& cell) {
  const Value value = Value::parse(cell);
  if (value.is_string() || !std::isfinite(value.real())) return std::nullopt;
  return value.real();
}

// A cell without a number, or with a negative one, counts as not recorded.
RecordedFacts facts_of(const std::vector<std::string>& header, const std::vector<std::string>& cells,
                       std::size_t first) {
  RecordedFacts facts;
  for (std::size_t i = first; i < header.size(); ++i) {
    for (const auto& [name, member] : fact_columns) {
      const std::optional<double> number = header[i] == name ? finite_number(cells[i]) : std::nullopt;
      if (number && *number >= 0) facts.*member = number;
    }
  }
  return facts;
}

// NaN is equal to nothing, so that as a number it would be no value of an axis.
Value parameter_value(const std::string& cell) {
  const Value value = Value::parse(cell);
  return value.is_real() && !std::isfinite(value.real()) ? Value(cell) : value;
}

// Columns that only a run's measurements.csv has.
bool is_run(const std::string& text) {
  const std::string header = text.substr(0, text.find('\n'));
  return header.starts_with("schema_version,") && header.find(",dwarf,") != std::string::npos;
}

// --- JSON -----------------------------------------------------------------------------------------------
//
// Kernel Tuner's cache files: {"tune_params_keys": [..], "cache": {"16,1": {"block_size_x": 16, ..,
// "time": 3.9}, ..}}, where a time that is no number names a failure; and the T4 schema: {"results":
// [{"configuration": {..}, "invalidity": "correct", "measurements": [{"name": "time", "value": 3.9}]}, ..]}.

Value value_of(const Json& json) {
  if (json.is_boolean()) return static_cast<int>(json.get<bool>());
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  return json.is_string() ? json.get<std::string>() : json_text(json);
}

// Writing text of a value needs memory of the stack for each level.
bool is_deeper_than(int levels, const Json& json) {
  if (!json.is_structured()) return false;
  const auto is_too_deep = [&](const Json& inner) { return is_deeper_than(levels - 1, inner); };
  return levels == 0 || std::any_of(json.begin(), json.end(), is_too_deep);
}

// Kernel Tuner marks failures by a name instead of a number, or by 1e20.
std::optional<double> time_of(const Json& json) {
  constexpr double failed = 1e15;
  if (!json.is_number()) return std::nullopt;
  const double time = json.get<double>();
  return time > 0 && time < failed ? std::optional(time) : std::nullopt;
}

class JsonSpace {
 public:
  JsonSpace(const std::string& name, const std::string& file, const std::string& text)
      : file_(file), table_{name, {}, {}}, json_(parse(text)) {}

  RecordedTable table() {
    if (json_.contains("cache")) {
      read_cache();
    } else if (json_.contains("results")) {
      read_results();
    } else {
      throw InputError(file_, "",
                       "is no recorded space: expected Kernel Tuner's 'cache' or the T4 schema's 'results'");
    }
    require_distinct(file_, "", table_.parameters);
    if (table_.rows.empty()) throw InputError(file_, "", "has no points");
    return std::move(table_);
  }

 private:
  // A cache is appended to as points are measured, and closed only at the end of a tuning.
  [[nodiscard]] Json parse(std::string text) const {
    std::size_t end = 0;
    try {
      return parse_json(text);
    } catch (const Json::parse_error& error) {
      end = std::min(error.byte, text.size());
    } catch (const Json::exception&) {  // a number out of range
      throw InputError(file_, "", "is not JSON: a number is too large");
    }
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    text.erase(text.find_last_not_of(" \t\r\n,") + 1);
    Json json = parse_json_if_valid(text + "}}");
    if (!json.is_discarded()) return json;
    throw InputError(file_, fmt::format("line {}", line),
                     "is not JSON; expected Kernel Tuner's cache or results in the T4 schema");
  }

  void read_cache() {
    const Json& names = field(json_, "", "tune_params_keys");
    for (const Json& name : names) table_.parameters.push_back(text(name, "tune_params_keys"));
    const std::string objective =
        json_.contains("objective") ? text(json_["objective"], "objective") : "time";
    for (const auto& [key, entry] : json_["cache"].items()) {
      const std::string place = fmt::format("entry '{}' of 'cache'", key);
      RecordedTable::Row row;
      for (const std::string& parameter : table_.parameters)
        row.values.push_back(value(entry, place, parameter));
      row.time = entry.contains(objective) ? time_of(entry[objective]) : std::nullopt;
      table_.rows.push_back(std::move(row));
    }
  }

  void read_results() {
    std::size_t number = 0;
    for (const Json& result : json_["results"]) {
      const std::string place = fmt::format("entry {} of 'results'", ++number);
      const Json& configuration = field(result, place, "configuration");
      if (table_.parameters.empty()) {
        for (const auto& [parameter, value] : configuration.items()) table_.parameters.push_back(parameter);
      }
      RecordedTable::Row row;
      for (const std::string& parameter : table_.parameters)
        row.values.push_back(value(configuration, place, parameter));
      row.time = time_of_result(result, place);
      table_.rows.push_back(std::move(row));
    }
  }

  [[nodiscard]] std::optional<double> time_of_result(const Json& result, const std::string& place) const {
    if (field(result, place, "invalidity") != "correct") return std::nullopt;
    std::string objective = "time";
    if (result.contains("objectives") && !result["objectives"].empty())
      objective = text(*result["objectives"].begin(), place);
    for (const Json& measurement : field(result, place, "measurements")) {
      if (field(measurement, place, "name") == objective) return time_of(field(measurement, place, "value"));
    }
    return std::nullopt;
  }

  [[nodiscard]] const Json& field(const Json& json, const std::string& place, const std::string& name) const {
    if (json.is_object() && json.contains(name)) return json[name];
    throw InputError(file_, place, fmt::format("is no recorded space: '{}' is missing", name));
  }

  [[nodiscard]] Value value(const Json& json, const std::string& place, const std::string& name) const {
    constexpr int levels = 10;
    const Json& found = field(json, place, name);
    if (is_deeper_than(levels, found))
      throw InputError(file_, place, fmt::format("'{}' has more than {} levels of lists", name, levels));
    return value_of(found);
  }

  [[nodiscard]] std::string text(const Json& json, const std::string& place) const {
    if (json.is_string()) return json.get<std::string>();
    throw InputError(file_, place, "is no recorded space: expected a name");
  }

  std::string file_;
  RecordedTable table_;
  const Json json_;
};

}  // namespace

RecordedTable parse_space_csv(const std::string& name, const std::string& file, const std::string& text) {
  const CsvTable csv = parse_csv(file, text);
  const auto found = std::ranges::find(csv.header, "time_ms");
  if (found == csv.header.begin() || found == csv.header.end()) {
    throw InputError(file, "line 1", "is no recorded space: expected the parameters' names, then 'time_ms'");
  }
  require_distinct(file, "line 1", csv.header);
  RecordedTable table{name, {csv.header.begin(), found}, {}};
  table.defaults_first = std::ranges::find(table.parameters, "variant") != table.parameters.end();
  const std::size_t time_column = table.parameters.size();
  for (const CsvTable::Row& line : csv.rows) {
    RecordedTable::Row row;
    for (std::size_t i = 0; i < time_column; ++i) row.values.push_back(parameter_value(line.cells[i]));
    if (const std::string& cell = line.cells[time_column]; !cell.empty()) {
      row.time = finite_number(cell);
      if (!row.time || *row.time <= 0) {
        throw InputError(
            file, fmt::format("line {}", line.line),
            fmt::format("time_ms is '{}', but must be above 0, or empty if the point failed", cell));
      }
    }
    row.facts = facts_of(csv.header, line.cells, time_column + 1);
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) throw InputError(file, "", "has no points below its header");
  return table;
}

std::vector<RecordedTable> read_spaces(const fs::path& path) {
  std::error_code error;  // another one than "not found" is reported by the reader
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    throw UsageError(
        fmt::format("there is no '{}'; expected the folder of a run, Kernel Tuner's cache (.json, .json.gz) "
                    "or a CSV (.csv, .csv.gz)",
                    path.string()));
  }
  if (fs::is_directory(status)) return spaces_of_run(read_run_measurements(path));
  const std::string text = read_unpacked(path, max_bytes);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{')
    return {JsonSpace(name_of(path), path.string(), text).table()};
  if (is_run(text)) return spaces_of_run(parse_measurements(path.string(), text));
  return {parse_space_csv(name_of(path), path.string(), text)};
}

}  // namespace dwarfsweep
