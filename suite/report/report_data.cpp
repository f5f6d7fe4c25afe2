#include "suite/report/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "harness/space/error.hpp"
#include "suite/output/results.hpp"
#include "suite/published/published.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

Json read_description_of(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) return Json::object();
  try {
    return Json::parse(stream);
  } catch (const Json::exception& error) {
    throw InputError(file.string(), "", fmt::format("is not a description of a run: {}", error.what()));
  }
}

// "run" of "a/run/" as well.
std::string last_part(const fs::path& run) {
  const fs::path clean = fs::absolute(run).lexically_normal();
  return (clean.has_filename() ? clean : clean.parent_path()).filename().string();
}

struct HalvesOfPair {
  double baseline_ns = 0;
  double variant_ns = 0;
};
struct CollectedBlock {
  ReportBlock block;
  std::map<std::int64_t, HalvesOfPair> pairs;
};

std::map<std::string, std::vector<ReportBlock>> collect_blocks(const std::vector<SampleRow>& samples) {
  std::map<std::string, std::map<std::int64_t, CollectedBlock>> found;
  for (const SampleRow& sample : samples) {
    if (sample.kernel != "total" || !sample.fault.empty() || !sample.ns || !(*sample.ns > 0)) continue;
    CollectedBlock& collected = found[point_text(sample)][sample.block];
    collected.block.round = sample.round;
    collected.block.confirmation = sample.confirmation;
    HalvesOfPair& pair = collected.pairs[sample.pair];
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
        if (halves.baseline_ns > 0 && halves.variant_ns > 0)
          collected.block.pairs.push_back({halves.baseline_ns, halves.variant_ns});
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

ReportData read_report_data(const std::vector<fs::path>& folders) {
  std::vector<ReportRun> runs;
  std::vector<MeasurementRow> rows;
  std::vector<SampleRow> samples;
  for (const fs::path& folder : folders) {
    ReportRun run{last_part(folder), Json::object()};
    move_to(rows, read_run_measurements(folder));
    if (fs::is_directory(folder)) {
      move_to(samples, read_run_samples(folder));
      const bool only_log = !fs::exists(folder / "samples.csv") && fs::exists(folder / log_name);
      run.description = only_log ? describe_run(read_log(folder)) : read_description_of(folder / "run.json");
    }
    runs.push_back(std::move(run));
  }
  ReportData data = make_report_data(std::move(runs), std::move(rows), samples);
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

std::size_t index_of(const ReportData& data, const MeasurementRow& row) {
  return static_cast<std::size_t>(&row - data.rows.data());
}

bool is_transfer(const ReportData& data, const DeviceColumn& column) {
  for (const ReportRun& run : data.runs) {
    if (run.description.value("run_id", "") != column.any->run_id) continue;
    const auto arguments = run.description.find("arguments");
    return arguments != run.description.end() &&
           std::find(arguments->begin(), arguments->end(), Json("transfer")) != arguments->end();
  }
  return false;
}

const Json* device_description(const ReportData& data, const DeviceColumn& column) {
  for (const ReportRun& run : data.runs) {
    if (run.description.value("run_id", "") != column.any->run_id) continue;
    const auto devices = run.description.find("devices");
    if (devices == run.description.end() || !devices->is_array()) continue;
    for (const Json& device : *devices) {
      const auto info = device.find("info");
      if (info != device.end() && info->value("id", "") == column.any->device_id) return &device;
    }
  }
  return nullptr;
}

}  // namespace dwarfsweep
