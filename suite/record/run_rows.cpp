#include "suite/record/run_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "dwarfs/registry.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/space/error.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/host_info.hpp"
#include "suite/record/json.hpp"
#include "suite/record/packed_file.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// --- rows of an earlier version ---

bool names_same_point(const RowIdentity& a, const RowIdentity& b) {
  return a.dwarf == b.dwarf && a.problem == b.problem && a.variant == b.variant && a.options == b.options &&
         config_text(a) == config_text(b);
}

const Dwarf* known(const RowIdentity& row) {
  const Dwarf* const dwarf = known_dwarf(row.dwarf);
  if (!dwarf) return nullptr;
  const std::vector<Value>& variants = dwarf->space().find("variant").values;
  return std::ranges::find(variants, Value(row.variant)) == variants.end() ? nullptr : dwarf;
}

// `given` in the order of `names`, with what it lacks; what has no such name comes behind.
ValueMap completed(const ValueMap& given, const ValueMap& all) {
  ValueMap result;
  for (const auto& [name, value] : all.entries())
    result = result.with(name, given.has(name) ? given.at(name) : value);
  for (const auto& [name, value] : given.entries()) result = result.with(name, value);
  return result;
}

ValueMap presets(const std::vector<ProblemKey>& keys) {
  ValueMap all;
  for (const ProblemKey& key : keys) all = all.with(key.name, key.preset);
  return all;
}

// What is no list of settings stays as it is.
RowIdentity completed(const RowIdentity& row, const Dwarf& dwarf) try {
  PointKey key;
  key.config = completed(Config::parse(config_text(row)), dwarf.space().baseline()).to_string();
  RowIdentity whole = identify(row.run_id, key);
  whole.problem = completed(ValueMap::parse(row.problem), presets(dwarf.info().keys)).to_string();
  return whole;
} catch (const UsageError&) {
  return row;
}

void set_point(RowIdentity& row, const RowIdentity& from) {
  row.problem = from.problem;
  row.work_group = from.work_group;
  row.granularity = from.granularity;
  row.vector_width = from.vector_width;
  row.unroll = from.unroll;
  row.padding = from.padding;
  row.options = from.options;
}

template <typename Row>
std::vector<Row> completed(std::vector<Row> rows) {
  RowCompletion completion;
  for (Row& row : rows) completion.complete(row);
  return rows;
}

// --- folders of runs ---

void require_folder_with_run(const fs::path& run) {
  if (!fs::exists(run)) {
    throw UsageError(fmt::format("there is no run '{}'; expected the folder of a run or its measurements.csv",
                                 run.string()));
  }
  if (fs::is_directory(run) && !find_in_run(run, "measurements.csv") && !fs::exists(run / log_name)) {
    throw UsageError(fmt::format("'{}' contains neither measurements.csv nor {}", run.string(), log_name));
  }
}

// Calls `use` with the content of a run.json. Throws InputError naming the file.
template <typename Use>
void with_description(const fs::path& file, const Use& use) {
  const std::string text = read_text(file);
  try {
    use(parse_json(text));
  } catch (const std::exception& error) {
    throw InputError(file.string(), "",
                     fmt::format("is not a description of a run: {}", plain_message(error)));
  }
}

void describe(RunData& data, const std::string& run_id, const std::string& revision,
              const std::string& timestamp, const std::string& host, unsigned threads) {
  data.run_id = run_id;
  data.revision = revision;
  data.timestamp = timestamp;
  data.host = host;
  data.threads = threads;
}

void add_devices(const Json& part, std::vector<DeviceInfo>& devices) {
  for (const Json& entry : part.at("devices")) devices.push_back(entry.at("info").get<DeviceInfo>());
}

// A run also records the host's own code as a device; no kernel is built for that.
bool is_opencl_device(const DeviceInfo& device) {
  return device.type != "host";
}

Json parse_device_file(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) throw UsageError(fmt::format("cannot read the file of devices '{}'", file.string()));
  try {
    return parse_json(read_text(file));
  } catch (const std::exception& error) {
    throw UsageError(
        fmt::format("the file of devices '{}' is not JSON: {}", file.string(), plain_message(error)));
  }
}

}  // namespace

void RowCompletion::complete(RowIdentity& row) {
  if (!names_same_point(row, last_)) {
    last_ = row;
    const Dwarf* const dwarf = known(row);
    completed_ = dwarf == nullptr || row.problem.empty() ? row : completed(row, *dwarf);
  }
  set_point(row, completed_);
}

std::vector<MeasurementRow> as_read(std::vector<MeasurementRow> rows) {
  for (MeasurementRow& row : rows) row.reason = one_line(row.reason);
  return completed(std::move(rows));
}

std::vector<MeasurementRow> read_run_measurements(const fs::path& run) {
  require_folder_with_run(run);
  if (!fs::is_directory(run)) return completed(read_measurements(run));
  if (const auto file = find_in_run(run, "measurements.csv")) return completed(read_measurements(*file));
  // A sweep that was killed before it wrote anything but its log.
  return as_read(make_rows(read_log(run), [](const SampleRow&) {}).measurements);
}

std::vector<SampleRow> read_run_samples(const fs::path& run) {
  if (const auto file = find_in_run(run, "samples.csv")) return completed(read_samples(*file));
  if (fs::exists(run / log_name)) return completed(make_rows(read_log(run)).samples);
  return {};
}

std::vector<DeviceInfo> read_run_devices(const fs::path& run) {
  require_folder_with_run(run);
  const fs::path folder = fs::is_directory(run) ? run : run.parent_path();
  std::vector<DeviceInfo> devices;
  if (fs::exists(folder / "run.json")) {
    with_description(folder / "run.json", [&](const Json& json) {
      add_devices(json, devices);
      for (const Json& part : json.value("parts", Json::array())) add_devices(part, devices);
    });
  } else if (fs::is_directory(run) && fs::exists(run / log_name)) {
    const RunLog log = read_log(run);
    for (const RunLog* part : parts_of(log)) {
      for (const auto& [id, device] : part->devices) devices.push_back(device.info);
    }
  }
  return devices;
}

RunData read_run(const fs::path& run) {
  require_folder_with_run(run);
  if (!fs::is_directory(run)) throw UsageError(fmt::format("'{}' is not the folder of a run", run.string()));
  RunData data;
  data.name = run.string();
  const auto measurements = find_in_run(run, "measurements.csv");
  const auto samples = find_in_run(run, "samples.csv");
  if (measurements && samples) {
    data.measurements = completed(read_measurements(*measurements));
    data.samples = completed(read_samples(*samples));
    if (!fs::exists(run / "run.json")) return data;  // the CSV files are sufficient for a comparison
    with_description(run / "run.json", [&](const Json& json) {
      const Json& host = json.at("host");
      describe(data, json.at("run_id"), json.at("revision"), json.at("timestamp"), host.at("name"),
               host.at("threads").get<unsigned>());
    });
    return data;
  }
  if (!fs::exists(run / log_name)) {
    throw UsageError(
        fmt::format("'{}' has neither samples.csv nor {}; one of them is needed", run.string(), log_name));
  }
  return run_data_of(read_log(run), run.string());
}

RunData run_data_of(const RunLog& log, const std::string& name) {
  RunData data;
  data.name = name;
  RunRows rows = make_rows(log);
  data.measurements = as_read(std::move(rows.measurements));
  data.samples = completed(std::move(rows.samples));
  const RunRecord& begun = parts_of(log).front()->run;
  describe(data, begun.run_id, begun.revision, begun.timestamp, begun.host.name, begun.host.threads);
  return data;
}

Json describe_part(const RunLog& log) {
  Json json = log.run;
  json["schema_version"] = log.run.schema;
  json["warnings"] = Json::array();
  if (const std::string warning = load_warning(log.run.host.cpus); !warning.empty())
    json["warnings"].push_back(warning);
  json["devices"] = Json::array();
  for (const auto& [id, device] : log.devices) {
    Json entry = device;
    if (const auto peaks = log.peaks.find(id); peaks != log.peaks.end())
      entry["peaks"] = peaks->second.values;
    if (const auto test = log.self_tests.find(id); test != log.self_tests.end()) {
      entry["selftest"] = test->second.values;
      if (!test->second.failure.empty()) entry["selftest"] = {{"failure", test->second.failure}};
    }
    json["devices"].push_back(std::move(entry));
  }
  if (!log.sizes.empty()) json["sizes"] = Json::array();
  for (const auto& [key, size] : log.sizes) json["sizes"].push_back(size);
  if (!log.known_points.empty()) json["known_points"] = Json::array();
  for (const auto& [key, known] : log.known_points) json["known_points"].push_back(known);
  std::map<std::string, int> statuses;
  for (const auto& [key, point] : log.points) ++statuses[std::string(to_string(point.preparation.status))];
  json["points"] = statuses;
  return json;
}

Json describe_run(const RunLog& log) {
  const std::vector<const RunLog*> parts = parts_of(log);
  Json json = describe_part(*parts.front());
  json["log_truncated"] = log.truncated;
  for (std::size_t i = 1; i < parts.size(); ++i) json["parts"].push_back(describe_part(*parts[i]));
  return json;
}

Inventory read_device_file(const fs::path& file) {
  const Json json = parse_device_file(file);
  const Json devices = json.is_object() && json.contains("devices") ? json["devices"] : Json::array({json});
  if (!devices.is_array())
    throw UsageError(fmt::format("'devices' in the file '{}' is not a list", file.string()));
  Inventory inventory;
  std::size_t number = 0;
  for (const Json& entry : devices) {
    ++number;
    try {
      auto device = (entry.contains("info") ? entry["info"] : entry).get<DeviceInfo>();
      // Dwarfs divide work among them.
      device.capabilities.compute_units = std::max(1U, device.capabilities.compute_units);
      if (is_opencl_device(device)) inventory.devices.push_back(device);
    } catch (const std::exception& error) {
      throw UsageError(fmt::format("device {} of the file '{}' is not as 'devices --json' prints it: {}",
                                   number, file.string(), plain_message(error)));
    }
  }
  if (inventory.devices.empty())
    throw UsageError(fmt::format("the file of devices '{}' has none", file.string()));
  return inventory;
}

}  // namespace dwarfsweep
