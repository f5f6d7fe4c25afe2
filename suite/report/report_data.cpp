#include "harness/formats/file_bytes.hpp"
#include "suite/record/json.hpp"
#include "suite/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "suite/published/published.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/packed_file.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// The problem with all its keys; none where this program has no such dwarf or key.
std::optional<ValueMap> whole_problem(const std::string& dwarf, const std::string& problem) {
  try {
    const DwarfInfo& info = find_dwarf(dwarf).info();
    return make_problem(info.name, info.keys, {"", ValueMap::parse(problem)}).values;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void add_peers_of_file(const fs::path& file, std::vector<PeerTime>& all) {
  const CsvTable table = read_csv(file);
  const auto has = [&](const char* name) { return std::ranges::count(table.header, name) > 0; };
  // With `matrices` operands take turns: a comparison of clocks, not of what a library takes.
  if (has("matrices") || !has("peer_ns")) return;
  const std::size_t device = table.column("device");
  const std::size_t dwarf = table.column("dwarf");
  const std::size_t problem = table.column("problem");
  const std::size_t peer = table.column("peer");
  const std::size_t ns = table.column("peer_ns");
  for (const CsvTable::Row& row : table.rows) {
    if (row.cells[ns].empty()) continue;  // a goal without a library
    const Value time = Value::parse(row.cells[ns]);
    if (time.is_string() || !(time.real() > 0))
      throw InputError(file.string(), fmt::format("line {}", row.line),
                       fmt::format("peer_ns is '{}', but must be a number above 0", row.cells[ns]));
    all.push_back({row.cells[device], row.cells[dwarf], row.cells[problem], row.cells[peer], time.real()});
  }
}

Json read_description_of(const fs::path& file) {
  if (!fs::exists(file)) return Json::object();
  Json description = parse_json_if_valid(read_text(file));
  if (!description.is_object())
    throw InputError(file.string(), "", "is not a description of a run, a JSON object; restore or remove it");
  return description;
}

std::shared_ptr<const Json> described(Json description) {
  return std::make_shared<const Json>(std::move(description));
}

// "run" of "a/run/" as well.
std::string last_part(const fs::path& run) {
  const fs::path clean = fs::absolute(run).lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

struct CollectedBlock {
  ReportBlock block;
  std::map<std::int64_t, SamplePair> pairs;
};

std::map<std::string, std::vector<ReportBlock>> collect_blocks(const std::vector<SampleRow>& samples) {
  std::map<std::string, std::map<std::int64_t, CollectedBlock>> found;
  for (const SampleRow& sample : samples) {
    if (sample.kernel != "total" || !sample.fault.empty() || !sample.ns || !(*sample.ns > 0)) continue;
    CollectedBlock& collected = found[point_text(sample)][sample.block];
    collected.block.round = sample.round;
    collected.block.confirmation = sample.confirmation;
    SamplePair& pair = collected.pairs[sample.pair];
    if (sample.role == "variant") {
      collected.block.ns.push_back(*sample.ns);
      pair.variant_ns = *sample.ns;
    } else {
      pair.baseline_ns = *sample.ns;
    }
  }
  std::map<std::string, std::vector<ReportBlock>> blocks;
  for (auto& [point, of_point] : found) {
    for (auto& [number, collected] : of_point) {
      for (const auto& [pair, halves] : collected.pairs) {
        if (halves.baseline_ns > 0 && halves.variant_ns > 0) collected.block.pairs.push_back(halves);
      }
      blocks[point].push_back(std::move(collected.block));
    }
  }
  return blocks;
}

// The devices that runs describe, and their parts, by `device_key`.
std::vector<std::pair<std::string, const Json*>> described_devices(const std::vector<ReportRun>& runs) {
  std::vector<const Json*> parts;
  for (const ReportRun& run : runs) {
    parts.push_back(run.description.get());
    const auto more = run.description->find("parts");
    if (more == run.description->end() || !more->is_array()) continue;
    for (const Json& part : *more) parts.push_back(&part);
  }
  std::vector<std::pair<std::string, const Json*>> found;
  for (const Json* part : parts) {
    const auto devices = part->find("devices");
    if (devices == part->end() || !devices->is_array()) continue;
    for (const Json& device : *devices) {
      const auto info = device.find("info");
      if (info != device.end())
        found.emplace_back(text_of(*part, "run_id") + "|" + text_of(*info, "id"), &device);
    }
  }
  return found;
}

// Of a described device; NaN where it is not stated.
double number_of(const Json& device, const char* group, const char* name) {
  const auto found = device.find(group);
  if (found == device.end()) return NAN;
  const auto value = found->find(name);
  return value != found->end() && value->is_number() ? value->get<double>() : NAN;
}

// The n-th device of its name and number of cores within its run, by run and device id: ids differ between
// machines of a cloud that are alike, and are shared by devices of one run that are not.
std::map<std::string, std::string> column_keys(const ReportData& data) {
  std::map<std::string, std::string> keys;
  std::map<std::string, std::size_t> counts;
  std::map<std::string, double> cores;
  for (const auto& [key, device] : described_devices(data.runs))
    cores.emplace(key, number_of(*device, "info", "compute_units"));
  for (const MeasurementRow& row : data.rows) {
    if (is_cpu_reference(row) || keys.contains(device_key(row))) continue;
    const auto run = std::ranges::find_if(
        data.runs, [&](const ReportRun& each) { return each.run_ids.contains(row.run_id); });
    const std::string kind =
        fmt::format("{}|{}|{}|{}|{}|{}", run == data.runs.end() ? "" : run->label, row.host, row.platform,
                    row.device, row.driver, cores[device_key(row)]);
    keys[device_key(row)] = fmt::format("{}|{}", kind, counts[row.run_id + "|" + kind]++);
  }
  return keys;
}

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part))
    text.erase(at, part.size());
}

// Adds text that distinguishes columns of the same name.
void make_unique(std::vector<std::string>& names, const std::vector<DeviceColumn>& columns,
                 const std::function<std::string(const DeviceColumn&)>& extra) {
  const std::vector<std::string> given = names;
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t other = 0; other < names.size(); ++other) {
      if (given[i] != given[other] || extra(columns[i]) == extra(columns[other])) continue;
      names[i] += ", " + extra(columns[i]);
      break;
    }
  }
}

void name_columns(ReportData& data) {
  for (std::size_t i = 0; i < data.model.columns.size(); ++i) {
    const MeasurementRow& row = *data.model.columns[i].any;
    const double cores = device_number(data, i, "info", "compute_units");
    std::string name = short_device_name(row, std::isfinite(cores) ? static_cast<int>(cores) : 0);
    for (const ReportRun& run : data.runs) {
      if (run.label.empty() || !run.run_ids.contains(row.run_id)) continue;
      const auto devices = std::ranges::count_if(data.model.columns, [&](const DeviceColumn& column) {
        return run.run_ids.contains(column.any->run_id);
      });
      name = devices > 1 ? run.label + ", " + name : run.label;
    }
    data.names.push_back(name);
  }
  make_unique(data.names, data.model.columns, [](const DeviceColumn& column) { return column.any->driver; });
  make_unique(data.names, data.model.columns, [](const DeviceColumn& column) { return column.any->host; });
  make_unique(data.names, data.model.columns, [](const DeviceColumn& column) { return column.any->device; });
  make_unique(data.names, data.model.columns, [](const DeviceColumn& column) { return column.letter; });
}

template <typename Row>
void move_to(std::vector<Row>& all, std::vector<Row> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<PeerTime> read_peers(const fs::path& folder) {
  std::vector<PeerTime> all;
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return all;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".csv") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) add_peers_of_file(file, all);
  return all;
}

std::vector<PeerTime> peers_of(const std::vector<PeerTime>& peers, const MeasurementRow& row) {
  std::vector<PeerTime> found;
  std::optional<ValueMap> problem;
  for (const PeerTime& each : peers) {
    if (each.device != row.device || each.dwarf != row.dwarf) continue;
    if (!problem) problem = whole_problem(row.dwarf, row.problem);
    if (!problem || whole_problem(each.dwarf, each.problem) != problem) continue;
    const auto known = std::ranges::find(found, each.peer, &PeerTime::peer);
    if (known == found.end()) {
      found.push_back(each);
    } else {
      known->ns = std::min(known->ns, each.ns);
    }
  }
  std::ranges::stable_sort(found, {}, &PeerTime::ns);
  return found;
}

std::string point_text(const RowIdentity& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}", row.run_id, row.device_id, row.dwarf, row.size, row.problem,
                     config_text(row));
}

ReportData make_report_data(std::vector<ReportRun> runs, std::vector<MeasurementRow> rows,
                            const std::vector<SampleRow>& samples) {
  ReportData data;
  data.runs = std::move(runs);
  data.rows = std::move(rows);
  const std::map<std::string, std::string> keys = column_keys(data);
  data.model = arrange(data.rows, [&](const MeasurementRow& row) { return keys.at(device_key(row)); });
  for (const auto& [device, key] : keys) {
    const auto column = std::ranges::find(data.model.columns, key, &DeviceColumn::key);
    data.device_columns[device] = static_cast<std::size_t>(column - data.model.columns.begin());
  }
  data.blocks = collect_blocks(samples);
  name_columns(data);
  return data;
}

ReportData read_report_data(const std::vector<fs::path>& folders, const std::vector<std::string>& labels) {
  std::vector<ReportRun> runs;
  std::vector<MeasurementRow> rows;
  std::vector<SampleRow> samples;
  for (const fs::path& folder : folders) {
    ReportRun run{last_part(folder), described(Json::object())};
    if (runs.size() < labels.size()) run.label = labels[runs.size()];
    std::vector<MeasurementRow> of_run = read_run_measurements(folder);
    for (const MeasurementRow& row : of_run) run.run_ids.insert(row.run_id);
    move_to(rows, std::move(of_run));
    if (fs::is_directory(folder)) {
      move_to(samples, read_run_samples(folder));
      const bool only_log = !find_in_run(folder, "samples.csv") && fs::exists(folder / log_name);
      run.description =
          described(only_log ? describe_run(read_log(folder)) : read_description_of(folder / "run.json"));
    }
    runs.push_back(std::move(run));
  }
  ReportData data = make_report_data(std::move(runs), std::move(rows), samples);
  data.peers = read_peers(find_results("peers"));
  return data;
}

ReportData make_report_data(const fs::path& folder, const RunLog& log) {
  const RunRows rows = make_rows(log);
  ReportRun run{last_part(folder), described(describe_run(log))};
  for (const MeasurementRow& row : rows.measurements) run.run_ids.insert(row.run_id);
  // As the CSV has them: a cell holds no line break.
  ReportData data = make_report_data({std::move(run)},
                                     parse_measurements(log_name, to_csv(rows.measurements)), rows.samples);
  data.peers = read_peers(find_results("peers"));
  return data;
}

std::vector<ReportBlock> round_blocks(const ReportData& data, const MeasurementRow& row) {
  const auto found = data.blocks.find(point_text(row));
  if (found == data.blocks.end()) return {};
  std::vector<ReportBlock> rounds;
  std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(rounds),
               [](const ReportBlock& block) { return !block.confirmation; });
  return rounds.empty() ? found->second : rounds;
}

std::string text_of(const Json& description, const char* name) {
  const auto found = description.find(name);
  return found == description.end() || !found->is_string() ? "" : found->get<std::string>();
}

std::size_t index_of(const ReportData& data, const MeasurementRow& row) {
  return static_cast<std::size_t>(&row - data.rows.data());
}

std::optional<std::size_t> column_of(const ReportData& data, const MeasurementRow& row) {
  const auto found = data.device_columns.find(device_key(row));
  return found == data.device_columns.end() ? std::nullopt : std::optional(found->second);
}

bool is_transfer(const ReportData& data, const MeasurementRow& row) {
  return std::ranges::any_of(data.runs, [&](const ReportRun& run) {
    const auto arguments = run.description->find("arguments");
    return run.run_ids.contains(row.run_id) && arguments != run.description->end() &&
           std::find(arguments->begin(), arguments->end(), Json("transfer")) != arguments->end();
  });
}

double device_number(const ReportData& data, std::size_t column, const char* group, const char* name) {
  for (const auto& [key, device] : described_devices(data.runs)) {
    const auto place = data.device_columns.find(key);
    if (place == data.device_columns.end() || place->second != column) continue;
    const double value = number_of(*device, group, name);
    if (std::isfinite(value)) return value;
  }
  return NAN;
}

std::string short_device_name(const MeasurementRow& row, int cores) {
  const bool pocl = row.platform == "Portable Computing Language";
  std::string name = row.device;
  // "cpu-skylake-avx512-AMD EPYC"
  for (std::size_t at = name.find('-'); pocl && at != std::string::npos; at = name.find('-', at + 1)) {
    if (at + 1 >= name.size() || std::isupper(static_cast<unsigned char>(name[at + 1])) == 0) continue;
    name.erase(0, at + 1);
    break;
  }
  name = name.substr(0, name.find(" @ "));
  for (const char* const part : {"(R)", "(TM)", "(tm)", " Processor", " CPU", "NVIDIA ", "Intel ", "AMD "})
    erase_all(name, part);
  if (name.empty()) name = row.device;
  if (cores > 0 && row.device_type == "cpu") name += fmt::format(" {} core{}", cores, cores == 1 ? "" : "s");
  if (row.device_type != "cpu") return name;
  const std::string platform = pocl ? "PoCL" : row.platform.substr(0, row.platform.find_first_of("( "));
  std::string driver = row.driver.substr(0, row.driver.find_first_of("+ "));
  driver = driver.substr(0, driver.find('.', driver.find('.') + 1));  // two numbers of it
  return fmt::format("{}, {} {}", name, platform, driver);
}

}  // namespace dwarfsweep
