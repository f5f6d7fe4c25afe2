#include "suite/merge/merge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <future>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/space/error.hpp"
#include "suite/merge/merge_inputs.hpp"
#include "suite/output/tables.hpp"
#include "suite/published/published.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/record/stored_file.hpp"
#include "suite/worker/interrupt.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// What a host adds to the files.
struct HostText {
  std::string log, samples, speedups, measurements;
  std::vector<std::string> descriptions;  // of its parts, as JSON
  MergeReport report;
};

// In the order in which a sweep would have written it.
void add_log(std::string& text, const RunLog& part, bool first) {
  text += first ? log_line(part.run) : log_line(PartRecord{part.run});
  for (const auto& [id, device] : part.devices) text += log_line(device);
  for (const auto& [id, peaks] : part.peaks) text += log_line(peaks);
  for (const auto& [id, test] : part.self_tests) text += log_line(test);
  for (const auto& [key, size] : part.sizes) text += log_line(size);
  for (const auto& [key, known] : part.known_points) text += log_line(known);
  for (const PointKey& point : part.order) {
    const std::string key = point.text();
    text += log_line(part.points.at(key));
    if (const auto blocks = part.blocks.find(key); blocks != part.blocks.end()) {
      for (const BlockRecord& block : blocks->second) text += log_line(block);
    }
    if (const auto anchor = part.anchors.find(key); anchor != part.anchors.end())
      text += log_line(anchor->second);
    if (const auto energy = part.energies.find(key); energy != part.energies.end())
      text += log_line(energy->second);
    if (const auto digest = part.digests.find(key); digest != part.digests.end())
      text += log_line(digest->second);
    if (const auto end = part.ends.find(key); end != part.ends.end()) text += log_line(end->second);
  }
}

HostText make_text(const HostInputs& host, bool several_hosts, bool first) {
  HostText text;
  for (const RunLog& part : merge_host(host, several_hosts)) {
    add_log(text.log, part, first && text.log.empty());
    const RunRows rows = make_rows(part, [&](const SampleRow& row) { text.samples += to_csv_line(row); });
    for (const MeasurementRow& row : rows.measurements) text.measurements += to_csv_line(row);
    for (const SpeedupRow& row : rows.speedups) text.speedups += to_csv_line(row);
    text.descriptions.push_back(json_text(describe_part(part), 2));
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
    samples_.write(csv_header<SampleRow>());
    speedups_.write(csv_header<SpeedupRow>());
    measurements_.write(csv_header<MeasurementRow>());
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
    write_file(folder_ / "tables.md", make_tables_of_runs({folder_}, with_published(TableFormat::markdown)));
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

[[noreturn]] void refuse(const fs::path& out) {
  throw UsageError(fmt::format("'{}' exists and is not empty; choose another --out", out.string()));
}

// The folder next to `out` in which the run is made. It has a name of its own, so that it is nobody else's,
// and disappears unless it becomes `out`.
class DraftFolder {
 public:
  explicit DraftFolder(fs::path out) : out_(std::move(out)) {
    std::error_code error;
    if (fs::exists(out_, error) && (!fs::is_directory(out_, error) || !fs::is_empty(out_, error)))
      refuse(out_);
    if (out_.has_parent_path()) fs::create_directories(out_.parent_path(), error);
    for (int number = 1; path_.empty(); ++number) {
      const fs::path draft = fmt::format("{}.part-{}-{}", out_.string(), ::getpid(), number);
      if (fs::create_directory(draft, error)) {
        path_ = draft;
      } else if (!fs::exists(draft)) {
        throw UsageError(fmt::format("cannot make the folder '{}': {}", draft.string(), error.message()));
      }
    }
  }
  ~DraftFolder() {
    std::error_code ignored;
    if (!finished_) fs::remove_all(path_, ignored);
  }
  DraftFolder(const DraftFolder&) = delete;
  DraftFolder& operator=(const DraftFolder&) = delete;

  [[nodiscard]] const fs::path& path() const { return path_; }

  // Gives it its name, in the place of an empty folder. Another merge may have been faster.
  void finish() {
    std::error_code error;
    fs::rename(path_, out_, error);
    finished_ = !error;
    if (error == std::errc::directory_not_empty || error == std::errc::file_exists ||
        error == std::errc::not_a_directory)
      refuse(out_);
    if (error)
      throw std::runtime_error(
          fmt::format("cannot make the folder '{}': {}", out_.string(), error.message()));
  }

 private:
  fs::path out_, path_;
  bool finished_ = false;
};

constexpr std::size_t max_lines = 12;

// "2/6" as two numbers.
std::pair<int, int> numbers_of(const std::string& shard) {
  std::pair<int, int> numbers{0, 0};
  const std::size_t slash = shard.find('/');
  std::from_chars(shard.data(), shard.data() + slash, numbers.first);
  std::from_chars(shard.data() + slash + 1, shard.data() + shard.size(), numbers.second);
  return numbers;
}

std::string kind_of(const RunLog& part) {
  std::set<std::string> names;
  for (const auto& [id, device] : part.devices) {
    if (device.info.type != "host") names.insert(device.info.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void shorten(std::vector<std::string>& lines) {
  if (lines.size() <= max_lines) return;
  const std::size_t more = lines.size() - max_lines;
  lines.resize(max_lines);
  lines.push_back(fmt::format("... and {} more", more));
}

}  // namespace

MergeReport merge_runs(const std::vector<fs::path>& runs, const fs::path& out) {
  const MergeInputs inputs = read_inputs(runs);
  const std::vector<HostInputs> hosts = sort_by_host(inputs.inputs);
  fs::path name = out;
  if (!name.has_filename()) name = name.parent_path();  // DIR/
  DraftFolder draft(name);
  MergeReport report;
  for (const fs::path& folder : inputs.empty) report.add_empty(folder.string());
  MergedFiles files(draft.path());
  const std::size_t at_once = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t begin = 0; begin < hosts.size(); begin += at_once) {
    std::vector<std::future<HostText>> batch;
    for (std::size_t i = begin; i < std::min(hosts.size(), begin + at_once); ++i) {
      batch.push_back(
          std::async(std::launch::async, make_text, std::cref(hosts[i]), hosts.size() > 1, i == 0));
    }
    for (std::future<HostText>& text : batch) {
      const HostText done = text.get();
      if (interrupted()) throw Interrupted();
      files.write(done);
      report.add(done.report);
    }
  }
  files.finish();
  draft.finish();
  return report;
}

void MergeReport::add(const RunLog& part) {
  hosts_.insert(part.run.host.name);
  for (const MergedRun& run : part.run.merged) {
    Run& known = runs_[run.run_id];
    known.shard = run.shard;
    if (known.host.empty()) known.host = part.run.host.name;
    known.planned = std::max(known.planned, run.planned);
    known.ended += static_cast<std::int64_t>(run.ended);
    if (run.shard.empty()) continue;
    const auto [index, count] = numbers_of(run.shard);
    shards_[{kind_of(part), count}].insert(index);
  }
}

void MergeReport::add(const MergeReport& other) {
  hosts_.insert(other.hosts_.begin(), other.hosts_.end());
  for (const auto& [id, run] : other.runs_) {
    const auto [place, is_new] = runs_.emplace(id, run);
    if (is_new) continue;
    place->second.planned = std::max(place->second.planned, run.planned);
    place->second.ended += run.ended;
  }
  for (const auto& [plan, shards] : other.shards_) shards_[plan].insert(shards.begin(), shards.end());
  empty_.insert(empty_.end(), other.empty_.begin(), other.empty_.end());
}

std::vector<std::string> MergeReport::missing_shards() const {
  std::vector<std::string> lines;
  for (const auto& [plan, there] : shards_) {
    std::vector<std::string> missing;
    for (int index = 1; index <= plan.second; ++index) {
      if (!there.contains(index)) missing.push_back(fmt::format("{}/{}", index, plan.second));
    }
    if (missing.empty()) continue;
    const std::size_t count = missing.size();
    shorten(missing);
    lines.push_back(fmt::format("{} of {} shards are not there{}: {}", count, plan.second,
                                plan.first.empty() ? "" : " for " + plan.first, fmt::join(missing, ", ")));
  }
  return lines;
}

std::vector<std::string> MergeReport::lines() const {
  std::vector<std::string> incomplete;
  std::int64_t missing = 0;
  for (const auto& [id, run] : runs_) {
    const std::string name = run.shard.empty() ? id : fmt::format("shard {} ({})", run.shard, id);
    if (run.planned < 0) {
      incomplete.push_back(fmt::format("{} on {}: ended before its plan was known; {} points are there", name,
                                       run.host, run.ended));
    } else if (run.ended < run.planned) {
      missing += run.planned - run.ended;
      incomplete.push_back(fmt::format("{} on {}: {} of {} points are missing or incomplete", name, run.host,
                                       run.planned - run.ended, run.planned));
    }
  }
  for (const std::string& folder : empty_)
    incomplete.push_back(fmt::format("'{}': ended before it began", folder));
  const std::size_t count = incomplete.size();
  shorten(incomplete);
  std::vector<std::string> lines = {
      fmt::format("{} run{} on {} host{} merged; {}", runs_.size(), runs_.size() == 1 ? "" : "s",
                  hosts_.size(), hosts_.size() == 1 ? "" : "s",
                  count == 0 ? "all of them are complete"
                             : fmt::format("{} of them incomplete, with {} points missing", count, missing))};
  lines.insert(lines.end(), incomplete.begin(), incomplete.end());
  const std::vector<std::string> shards = missing_shards();
  lines.insert(lines.end(), shards.begin(), shards.end());
  return lines;
}

}  // namespace dwarfsweep
