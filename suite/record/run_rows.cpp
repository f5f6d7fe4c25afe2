#include "suite/record/run_rows.hpp"

#include <fmt/format.h>

#include <fstream>

#include "harness/space/error.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_completion.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

void require_folder_with_run(const fs::path& run) {
  if (!fs::exists(run)) {
    throw UsageError(fmt::format("there is no run '{}'; expected the folder of a run or its measurements.csv",
                                 run.string()));
  }
  if (fs::is_directory(run) && !fs::exists(run / "measurements.csv") && !fs::exists(run / log_name)) {
    throw UsageError(fmt::format("'{}' contains neither measurements.csv nor {}", run.string(), log_name));
  }
}

void read_description(const fs::path& file, RunData& data) {
  std::ifstream stream(file);
  if (!stream) return;  // the CSV files are sufficient for a comparison
  try {
    const Json json = Json::parse(stream);
    data.revision = json.at("revision").get<std::string>();
    data.run_id = json.at("run_id").get<std::string>();
    data.timestamp = json.at("timestamp").get<std::string>();
    data.host = json.at("host").at("name").get<std::string>();
    data.threads = json.at("host").at("threads").get<unsigned>();
  } catch (const Json::exception& error) {
    throw InputError(file.string(), "", fmt::format("is not a description of a run: {}", error.what()));
  }
}

void add_devices(const Json& part, std::vector<DeviceInfo>& devices) {
  for (const Json& entry : part.at("devices")) devices.push_back(entry.at("info").get<DeviceInfo>());
}

std::vector<DeviceInfo> described_devices(const fs::path& file) {
  std::vector<DeviceInfo> devices;
  try {
    std::ifstream stream(file);
    const Json json = Json::parse(stream);
    add_devices(json, devices);
    for (const Json& part : json.value("parts", Json::array())) add_devices(part, devices);
  } catch (const Json::exception& error) {
    throw InputError(file.string(), "", fmt::format("is not a description of a run: {}", error.what()));
  }
  return devices;
}

template <typename Row>
std::vector<Row> completed(std::vector<Row> rows) {
  RowCompletion completion;
  for (Row& row : rows) completion.complete(row);
  return rows;
}

std::vector<MeasurementRow> rows_as_written(const fs::path& run) {
  if (!fs::is_directory(run)) return read_measurements(run);
  if (fs::exists(run / "measurements.csv")) return read_measurements(run / "measurements.csv");
  // A sweep that was killed before it wrote anything but its log.
  return parse_measurements((run / log_name).string(), to_csv(make_rows(read_log(run)).measurements));
}

}  // namespace

std::vector<MeasurementRow> read_run_measurements(const fs::path& run) {
  require_folder_with_run(run);
  return completed(rows_as_written(run));
}

std::vector<SampleRow> read_run_samples(const fs::path& run) {
  if (fs::exists(run / "samples.csv")) return completed(read_samples(run / "samples.csv"));
  if (fs::exists(run / log_name)) return completed(make_rows(read_log(run)).samples);
  return {};
}

std::vector<DeviceInfo> read_run_devices(const fs::path& run) {
  require_folder_with_run(run);
  const fs::path folder = fs::is_directory(run) ? run : run.parent_path();
  if (fs::exists(folder / "run.json")) return described_devices(folder / "run.json");
  std::vector<DeviceInfo> devices;
  if (!fs::is_directory(run) || !fs::exists(run / log_name)) return devices;
  const RunLog log = read_log(run);
  for (const RunLog* part : parts_of(log)) {
    for (const auto& [id, device] : part->devices) devices.push_back(device.info);
  }
  return devices;
}

RunData read_run(const fs::path& run) {
  require_folder_with_run(run);
  if (!fs::is_directory(run)) throw UsageError(fmt::format("'{}' is not the folder of a run", run.string()));
  RunData data;
  data.name = run.string();
  if (fs::exists(run / "measurements.csv") && fs::exists(run / "samples.csv")) {
    data.measurements = completed(read_measurements(run / "measurements.csv"));
    data.samples = completed(read_samples(run / "samples.csv"));
    read_description(run / "run.json", data);
    return data;
  }
  if (!fs::exists(run / log_name)) {
    throw UsageError(
        fmt::format("'{}' has neither samples.csv nor {}; one of them is needed", run.string(), log_name));
  }
  const RunLog log = read_log(run);
  RunRows rows = make_rows(log);
  data.measurements = completed(std::move(rows.measurements));
  data.samples = completed(std::move(rows.samples));
  const RunRecord& begun = parts_of(log).front()->run;
  data.run_id = begun.run_id;
  data.revision = begun.revision;
  data.timestamp = begun.timestamp;
  data.host = begun.host.name;
  data.threads = begun.host.threads;
  return data;
}

}  // namespace dwarfsweep
