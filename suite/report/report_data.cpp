#include "suite/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
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
  std::ifstream stream(file);
  if (!stream) return Json::object();
  Json description = Json::parse(stream, nullptr, false);
  if (!description.is_object())
    throw InputError(file.string(), "", "is not a description of a run, a JSON object; restore or remove it");
  return description;
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
  data.model = arrange(data.rows);
  data.blocks = collect_blocks(samples);
  return data;
}

ReportData read_report_data(const std::vector<fs::path>& folders, const std::vector<std::string>& labels) {
  std::vector<ReportRun> runs;
  std::vector<MeasurementRow> rows;
  std::vector<SampleRow> samples;
  for (const fs::path& folder : folders) {
    ReportRun run{runs.size() < labels.size() ? labels[runs.size()] : last_part(folder), Json::object()};
    move_to(rows, read_run_measurements(folder));
    if (fs::is_directory(folder)) {
      move_to(samples, read_run_samples(folder));
      const bool only_log = !find_in_run(folder, "samples.csv") && fs::exists(folder / log_name);
      run.description = only_log ? describe_run(read_log(folder)) : read_description_of(folder / "run.json");
    }
    runs.push_back(std::move(run));
  }
  ReportData data = make_report_data(std::move(runs), std::move(rows), samples);
  data.peers = read_peers(find_results("peers"));
  return data;
}

ReportData make_report_data(const fs::path& folder, const RunLog& log) {
  const RunRows rows = make_rows(log);
  // As the CSV has them: a cell holds no line break.
  ReportData data = make_report_data({{last_part(folder), describe_run(log)}},
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

bool is_transfer(const ReportData& data, const DeviceColumn& column) {
  for (const ReportRun& run : data.runs) {
    if (text_of(run.description, "run_id") != column.any->run_id) continue;
    const auto arguments = run.description.find("arguments");
    return arguments != run.description.end() &&
           std::find(arguments->begin(), arguments->end(), Json("transfer")) != arguments->end();
  }
  return false;
}

const Json* device_description(const ReportData& data, const DeviceColumn& column) {
  for (const ReportRun& run : data.runs) {
    if (text_of(run.description, "run_id") != column.any->run_id) continue;
    const auto devices = run.description.find("devices");
    if (devices == run.description.end() || !devices->is_array()) continue;
    for (const Json& device : *devices) {
      const auto info = device.find("info");
      if (info != device.end() && text_of(*info, "id") == column.any->device_id) return &device;
    }
  }
  return nullptr;
}

double device_number(const Json* device, const char* group, const char* name) {
  if (device == nullptr) return NAN;
  const auto found = device->find(group);
  if (found == device->end() || !found->is_object()) return NAN;
  const auto value = found->find(name);
  return value == found->end() || !value->is_number() ? NAN : value->get<double>();
}

}  // namespace dwarfsweep
