#include "suite/merge/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/merge/merge_host.hpp"
#include "suite/output/results.hpp"
#include "suite/output/tables.hpp"
#include "suite/published/published.hpp"
#include "suite/record/draft_file.hpp"
#include "suite/record/json.hpp"
#include "suite/record/log_line.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// What a host adds to the files.
struct HostText {
  std::string log, samples, speedups, measurements;
  std::vector<std::string> descriptions;  // of its parts, as JSON
  MergeReport report;
};

template <typename Record>
void add_line(std::string& text, const Record& record) {
  text += log_line(record);
}

// In the order in which a sweep would have written it.
void add_log(std::string& text, const RunLog& part, bool first) {
  if (first) {
    add_line(text, part.run);
  } else {
    add_line(text, PartRecord{part.run});
  }
  for (const auto& [id, device] : part.devices) add_line(text, device);
  for (const auto& [id, peaks] : part.peaks) add_line(text, peaks);
  for (const auto& [id, test] : part.self_tests) add_line(text, test);
  for (const auto& [key, size] : part.sizes) add_line(text, size);
  for (const auto& [key, known] : part.known_points) add_line(text, known);
  for (const PointKey& point : part.order) {
    const std::string key = point.text();
    add_line(text, part.points.at(key));
    if (const auto blocks = part.blocks.find(key); blocks != part.blocks.end()) {
      for (const BlockRecord& block : blocks->second) add_line(text, block);
    }
    if (const auto energy = part.energies.find(key); energy != part.energies.end())
      add_line(text, energy->second);
    if (const auto end = part.ends.find(key); end != part.ends.end()) add_line(text, end->second);
  }
}

HostText make_text(const HostInputs& host, bool several_hosts, bool first) {
  HostText text;
  for (const RunLog& part : merge_host(host, several_hosts)) {
    add_log(text.log, part, first && text.log.empty());
    const RunRows rows = make_rows(part, [&](const SampleRow& row) { text.samples += to_csv_line(row); });
    for (const MeasurementRow& row : rows.measurements) text.measurements += to_csv_line(row);
    for (const SpeedupRow& row : rows.speedups) text.speedups += to_csv_line(row);
    text.descriptions.push_back(describe_part(part).dump(2, ' ', false, Json::error_handler_t::replace));
    text.report.add(part);
  }
  return text;
}

// The files of the run, written host by host.
class MergedFiles {
 public:
  explicit MergedFiles(const fs::path& folder)
      : folder_(folder),
        log_(folder / log_name),
        samples_(folder / "samples.csv"),
        speedups_(folder / "speedups.csv"),
        measurements_(folder / "measurements.csv"),
        description_(folder / "run.json") {
    samples_.write(samples_csv_header());
    speedups_.write(to_csv(std::vector<SpeedupRow>()));
    measurements_.write(to_csv(std::vector<MeasurementRow>()));
  }

  void write(const HostText& text) {
    log_.write(text.log);
    samples_.write(text.samples);
    speedups_.write(text.speedups);
    measurements_.write(text.measurements);
    for (const std::string& part : text.descriptions) write_description(part);
  }

  void finish() {
    description_.write(parts_ > 1 ? "]\n}\n" : "\n}\n");
    for (DraftFile* file : {&log_, &samples_, &speedups_, &measurements_, &description_}) file->finish();
    DraftFile tables(folder_ / "tables.md");
    tables.write(make_tables_of_runs({folder_}, {TableFormat::markdown, find_published()}));
    tables.finish();
  }

 private:
  // The first one is the run, and has the others in its list of parts; all of them at once would not fit into
  // memory.
  void write_description(const std::string& part) {
    if (parts_ == 0) {
      description_.write(part.substr(0, part.rfind("\n}")) + ",\n  \"log_truncated\": false");
    } else {
      description_.write(parts_ == 1 ? ",\n  \"parts\": [" : ",\n");
      description_.write(part);
    }
    ++parts_;
  }

  fs::path folder_;
  DraftFile log_, samples_, speedups_, measurements_, description_;
  std::size_t parts_ = 0;
};

fs::path make_draft(const fs::path& out) {
  if (fs::exists(out) && (!fs::is_directory(out) || !fs::is_empty(out)))
    throw UsageError(fmt::format("'{}' has something in it; choose another --out", out.string()));
  const fs::path draft = out.string() + ".part";
  std::error_code error;
  fs::remove_all(draft, error);
  fs::create_directories(draft, error);
  if (error) throw UsageError(fmt::format("cannot write into '{}': {}", draft.string(), error.message()));
  return draft;
}

}  // namespace

MergeReport merge_runs(const std::vector<fs::path>& runs, const fs::path& out) {
  const MergeInputs inputs = read_inputs(runs);
  const std::vector<HostInputs> hosts = sort_by_host(inputs.inputs);
  fs::path name = out;
  if (!name.has_filename()) name = name.parent_path();  // DIR/
  const fs::path draft = make_draft(name);
  MergeReport report;
  for (const fs::path& folder : inputs.empty) report.add_empty(folder.string());
  try {
    MergedFiles files(draft);
    const std::size_t at_once = std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t begin = 0; begin < hosts.size(); begin += at_once) {
      std::vector<std::future<HostText>> batch;
      for (std::size_t i = begin; i < std::min(hosts.size(), begin + at_once); ++i) {
        batch.push_back(
            std::async(std::launch::async, make_text, std::cref(hosts[i]), hosts.size() > 1, i == 0));
      }
      for (std::future<HostText>& text : batch) {
        const HostText done = text.get();
        files.write(done);
        report.add(done.report);
      }
    }
    files.finish();
    fs::rename(draft, name);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(draft, ignored);
    throw;
  }
  return report;
}

}  // namespace dwarfsweep
