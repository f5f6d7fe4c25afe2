#include "suite/exports/exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>
#include <set>
#include <utility>

#include "harness/space/error.hpp"
#include "harness/space/text.hpp"
#include "suite/record/reason.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/stored_file.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// Of one run: which samples belong to which row.
std::string sample_key(const RowIdentity& row) {
  return fmt::format("{}|{}|{}|{}|{}|{}|{}", row.run_id, row.device_id, row.dwarf, row.size, row.problem,
                     config_text(row), row.kernel);
}

// The same device with another driver is another one.
std::string driver_key(const MeasurementRow& row) {
  return fmt::format("{}|{}|{}|{}|{}", row.device_id, row.device_type, row.host, row.platform, row.driver);
}

using Names = std::map<std::string, std::string>;

// If devices share a name, appends the text that distinguishes them.
void tell_apart(Names& names, const std::map<std::string, std::string>& by) {
  std::map<std::string, std::set<std::string>> values;
  for (const auto& [key, name] : names) values[name].insert(by.at(key));
  for (auto& [key, name] : names) {
    if (values.at(name).size() > 1) name += ", " + by.at(key);
  }
}

Names name_devices(const std::vector<RunData>& runs) {
  Names names, drivers, hosts, ids, keys;
  for (const RunData& run : runs) {
    for (const MeasurementRow& row : run.measurements) {
      const std::string key = driver_key(row);
      // The CPU reference is of another type on what may be a device, too.
      names[key] = row.device_type == "host" ? row.device + ", plain C++" : row.device;
      drivers[key] = row.platform + " " + row.driver;
      hosts[key] = row.host;
      ids[key] = row.device_id;
      keys[key] = key;
    }
  }
  for (const Names* each : {&hosts, &drivers, &ids, &keys}) tell_apart(names, *each);
  return names;
}

using SamplesOfRows = std::map<std::string, std::vector<const SampleRow*>>;

SamplesOfRows collect_samples_of(const RunData& run) {
  SamplesOfRows found;
  for (const SampleRow& sample : run.samples) {
    if (sample.role == "variant" && sample.fault.empty() && sample.ns)
      found[sample_key(sample)].push_back(&sample);
  }
  return found;
}

std::vector<const SampleRow*> samples_of(const SamplesOfRows& samples, const MeasurementRow& row) {
  const auto found = samples.find(sample_key(row));
  if (found == samples.end()) return {};
  if (row.stop_reason != confirmed) return found->second;
  std::vector<const SampleRow*> again;
  for (const SampleRow* sample : found->second) {
    if (sample->confirmation) again.push_back(sample);
  }
  return again;
}

std::map<std::string, double> read_verification(const fs::path& run) {
  std::map<std::string, double> found;
  if (!fs::exists(run / log_name)) return found;
  const RunLog log = read_log(run);
  for (const RunLog* part : parts_of(log)) {
    for (const auto& [key, point] : part->points) found[key] = point.preparation.verify_ns / 1e6;
  }
  return found;
}

enum class Place { stream, either, folder };

struct Format {
  std::string_view name;
  Export (*make)(const ExportData&);
  Place place = Place::stream;
  bool needs_logs = false;
};

constexpr Format formats[] = {{"t4", to_t4, Place::stream, true},
                              {"kernel-tuner", to_kernel_tuner, Place::either, true},
                              {"google-benchmark", to_google_benchmark},
                              {"github-action-benchmark", to_github_action_benchmark},
                              {"lnt", to_lnt},
                              {"fom", to_fom},
                              {"p3", to_p3, Place::folder}};

void check_target(const ExportTarget& target, const Format& format) {
  if (format.place == Place::folder && target.folder.empty())
    throw UsageError(fmt::format("--format {} writes several files: it needs --out DIR", format.name));
  if (format.place == Place::stream && !target.folder.empty())
    throw UsageError(fmt::format(
        "--format {} goes to standard output; --out is for --format p3 and kernel-tuner", format.name));
}

void write_files(const fs::path& folder, const Export& made, std::ostream& notes) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(fmt::format("cannot create the folder '{}': {}", folder.string(), error.message()));
  for (const ExportFile& each : made.files) {
    fs::create_directories((folder / each.name).parent_path(), error);
    write_file(folder / each.name, each.text);
    notes << (folder / each.name).string() << "\n";
  }
}

}  // namespace

bool ExportRow::ok() const {
  return row->status == to_string(Status::ok) && row->median_ns && *row->median_ns > 0;
}

bool ExportRow::is_illegal() const {
  return row->status == to_string(Status::rejected) || row->status == to_string(Status::unsupported);
}

bool ExportRow::is_point() const {
  return row->kernel == "total" && row->device_type != "host";
}

std::string ExportRow::config() const {
  return config_text(*row);
}

std::string ExportRow::reason() const {
  return row->status + (row->reason.empty() ? "" : ": " + short_reason(row->reason));
}

ExportData arrange_export(std::vector<RunData> runs,
                          const std::vector<std::map<std::string, double>>& verification_ms) {
  ExportData data{std::move(runs), {}};
  const Names names = name_devices(data.runs);
  std::map<std::string, std::size_t> places;
  for (std::size_t run = 0; run < data.runs.size(); ++run) {
    const SamplesOfRows samples = collect_samples_of(data.runs[run]);
    for (const MeasurementRow& row : data.runs[run].measurements) {
      if (row.status == to_string(Status::not_run)) continue;
      ExportRow added{&row, names.at(driver_key(row)), samples_of(samples, row), 0};
      if (run < verification_ms.size()) {
        const PointKey key{row.device_id, row.dwarf, row.size, row.problem, added.config()};
        const auto found = verification_ms[run].find(key.text());
        if (found != verification_ms[run].end()) added.verification_ms = found->second;
      }
      const auto [place, is_new] =
          places.emplace(fmt::format("{}|{}", row.size, benchmark_name(added, true)), data.rows.size());
      if (is_new) {
        data.rows.push_back(std::move(added));
      } else if (added.ok() || !data.rows[place->second].ok()) {
        data.rows[place->second] = std::move(added);
      }
    }
  }
  return data;
}

ExportData read_export_data(const std::vector<fs::path>& runs, bool with_logs) {
  std::vector<RunData> read;
  std::vector<std::map<std::string, double>> verification_ms;
  for (const fs::path& run : runs) {
    read.push_back(read_run(run));
    if (with_logs) verification_ms.push_back(read_verification(run));
  }
  return arrange_export(std::move(read), verification_ms);
}

double benchmark_ms(const ExportRow& row) {
  double sum = 0;
  for (const SampleRow* sample : row.samples)
    sum += sample->wall_ns.value_or(0) * static_cast<double>(sample->launches) / 1e6;
  return sum;
}

std::string benchmark_name(const ExportRow& row, bool with_kernel) {
  return fmt::format("{}/{}{}/{}/{}", row.row->dwarf, row.row->problem,
                     with_kernel ? "/" + row.row->kernel : "", row.config(), row.device);
}

bool is_export_format(std::string_view format) {
  return std::ranges::any_of(formats, [&](const Format& each) { return each.name == format; });
}

void write_export(const ExportTarget& target, std::string_view format, const std::vector<fs::path>& runs) {
  const Format& chosen = *std::ranges::find(formats, format, &Format::name);
  check_target(target, chosen);
  const ExportData data = read_export_data(runs, chosen.needs_logs);
  const Export made = chosen.make(data);
  if (target.folder.empty()) {
    if (made.files.size() > 1) {
      std::string names;
      for (const ExportFile& each : made.files) names += (names.empty() ? "" : ", ") + each.name;
      throw UsageError(fmt::format(
          "--format {} has a file for each dwarf, problem and device, and these runs have {}: {}; --out DIR "
          "writes them all",
          format, made.files.size(), names));
    }
    target.out << made.files.front().text;
  } else {
    write_files(target.folder, made, target.notes);
  }
  for (const std::string& note : made.notes) target.notes << format << ": " << note << "\n";
}

std::string file_stem(const std::string& text) {
  constexpr std::size_t max_length = 120;
  std::string stem;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("=.,_-").find(c) != std::string_view::npos;
    if (plain && static_cast<unsigned char>(c) < 0x80U) {
      stem += c;
    } else if (stem.empty() || stem.back() != '-') {
      stem += '-';
    }
  }
  if (stem.empty() || stem.front() == '.') stem = "_" + stem;
  if (stem.size() <= max_length) return stem;
  return fmt::format("{}_{:08x}", stem.substr(0, max_length - 9), fnv1a(text) & 0xffffffffU);
}

}  // namespace dwarfsweep
