#include "suite/sharing/intake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"
#include "harness/statistics/statistics.hpp"
#include "suite/record/csv.hpp"
#include "suite/record/json.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/sharing/samples_check.hpp"
#include "suite/sharing/share.hpp"

namespace dwarfsweep {

extern const char* const released_kernels;  // results/atlas/released.csv

namespace {

namespace fs = std::filesystem;

// Reference runs of all dwarfs on four devices reach 1.50 times the roofline of their measured peaks (small
// problems in caches; docs/method.md). Four times is beyond any cache effect that was seen.
constexpr double doubtful_peak_fraction = 2, impossible_peak_fraction = 4;

// What devices that exist can do, with room for some years: GB/s of reading, GFLOP/s of single precision.
struct PlausiblePeak {
  std::string_view name;
  double cpu_most, other_most;
};
constexpr std::array<PlausiblePeak, 4> plausible_peaks = {{{"read_gb_per_s", 2'000, 20'000},
                                                           {"copy_gb_per_s", 2'000, 20'000},
                                                           {"triad_gb_per_s", 2'000, 20'000},
                                                           {"gflop_per_s", 40'000, 400'000}}};
constexpr double peak_ratio = 3;         // between two bundles of a device
constexpr double time_ratio = 2;         // the same, for the median of their common points
constexpr double clock_ratio = 3;        // of a clock over the device's nominal one
constexpr double noise_of_self = 0.05;   // of a kernel over itself
constexpr std::size_t shared_marks = 5;  // that two bundles, or two places of one, must not have in common
// Rank correlation of the samples of a point in two bundles. It is above 0.8 for 0 to 1.2 % of the points of
// reference runs of different devices, for 0 to 5.6 % of those of the two halves of a run, and for 40 to 100
// % of the points of a run and its copy with a jitter of 1 %.
constexpr double copied_correlation = 0.8;
constexpr std::size_t copied_points = 5;  // and a quarter of all

// What a bundle says, to be compared with others.
struct Claims {
  std::map<std::string, double> peaks;            // "device name|driver|peak"; the timer's step as well
  std::unordered_map<std::string, double> times;  // "device|driver|point" -> ns
  std::map<std::string, ArrayDigest> arrays;      // "dwarf|problem|seed|array"
  std::vector<std::uint64_t> sample_marks;        // sorted
  std::vector<SampleTimes> sample_times;          // of each device
};

std::string array_key(const DigestRecord& record, const std::string& array) {
  return fmt::format("{}|{}|{}|{}", record.key.dwarf, record.key.problem, record.seed, array);
}

std::string device_key_of(const DeviceInfo& device) {
  return device.name + "|" + device.driver;
}

bool is_part(const Json& theirs, const Json& ours) {
  if (!theirs.is_structured() || theirs.type() != ours.type()) return theirs == ours;
  if (theirs.is_array() && theirs.size() != ours.size()) return false;
  for (const auto& [key, value] : theirs.items()) {
    if (theirs.is_object() && !ours.contains(key)) return false;
    if (!is_part(value, theirs.is_object() ? ours.at(key) : ours.at(std::stoul(key)))) return false;
  }
  return true;
}

Json rows_of(const CsvTable& table) {
  Json rows = Json::array();
  for (const CsvTable::Row& row : table.rows) {
    Json& cells = rows.emplace_back(Json::object());
    for (std::size_t i = 0; i < table.header.size(); ++i) cells[table.header[i]] = row.cells[i];
  }
  return rows;
}

// Whether a file has the same content, or lacks no more than columns and keys, as those of older versions do.
bool is_made_from_log(const std::string& name, const std::string& theirs, const std::string& ours) {
  if (theirs == ours) return true;
  try {
    const bool is_table = name.ends_with(".csv");
    const auto parsed = [&](const std::string& text) {
      return is_table ? rows_of(parse_csv(name, text)) : Json::parse(text);
    };
    return is_part(parsed(theirs), parsed(ours));
  } catch (const std::exception&) {
    return false;
  }
}

class Examination {
 public:
  Examination(BundleReport& report, const IntakeOptions& options, const std::vector<Claims>& before)
      : report_(report), options_(options), before_(before) {}

  Claims examine(const Bundle& bundle) {
    report_.runs = bundle.runs();
    report_.summary.sha256 = bundle.sha256;
    for (std::size_t run = 1; run <= bundle.runs(); ++run) examine_run(bundle, run);
    check_repeats();
    for (const Claims& other : before_) compare_with(other);
    for (const BundleFinding& finding : report_.findings)
      report_.verdict = std::max(report_.verdict, finding.level);
    compute_results();
    return std::move(found_);
  }

 private:
  void note(BundleVerdict level, const std::string& kind, const std::string& detail) {
    if (++counts_[{level, kind}] <= 3) report_.findings.push_back({level, kind, detail});  // they say enough
  }
  void refuse(const std::string& kind, const std::string& detail) {
    note(BundleVerdict::refused, kind, detail);
  }
  void doubt(const std::string& kind, const std::string& detail) {
    note(BundleVerdict::doubtful, kind, detail);
  }

  void examine_run(const Bundle& bundle, std::size_t number) {
    const std::string name = fmt::format("{}:{}/{}", report_.file, number, log_name);
    std::istringstream stream(bundle.file(number, log_name));
    RunLog log;
    std::map<std::string, std::string> made;
    try {
      log = read_log(name, stream);
      if (log.truncated) return refuse("log", name + " is cut: its last line is not complete");
      made = files_of_log(log);
    } catch (const std::exception& error) {
      return refuse("log", error.what());
    }
    for (const auto& [file, content] : made) {
      if (!is_made_from_log(file, bundle.file(number, file), content))
        refuse("rows", fmt::format("{}/{} is not what the log gives", number, file));
    }
    check_privacy(bundle.file(number, log_name), number);
    if (const auto fault =
            log.run.merged.empty() ? fault_of_order(bundle.file(number, log_name)) : std::nullopt)
      refuse("samples", *fault);
    for (const RunLog* const part : parts_of(log)) examine_part(*part);
    const RunRows rows = make_rows(log, [&](const SampleRow&) { ++report_.samples; });
    report_.rows += rows.measurements.size();
    for (const MeasurementRow& row : rows.measurements) examine_row(row, log);
    std::vector<DeviceInfo> devices;
    for (const RunLog* const part : parts_of(log)) {
      for (const auto& [id, device] : part->devices) devices.push_back(device.info);
    }
    report_.summary.add_run(as_read(rows.measurements), devices);
  }

  void check_privacy(const std::string& log, std::size_t number) {
    for (const char* const path : {"\"/home/", "\"/Users/", "=/home/", "=/Users/"}) {
      if (log.find(path) != std::string::npos)
        return refuse(
            "private",
            fmt::format("run {} has paths of a user's folders; make the bundle by 'dwarfsweep share'",
                        number));
    }
  }

  void examine_part(const RunLog& log) {
    check_program(log.run);
    for (const auto& [id, device] : log.devices) check_device(log, id, device);
    for (const std::string& fault : faults_of_samples(log)) refuse("samples", fault);
    for (const std::string& doubt_of : doubts_of_samples(log)) doubt("samples", doubt_of);
    std::ranges::copy(sample_marks(log), std::back_inserter(found_.sample_marks));
    for (const auto& [id, step] : timer_steps(log)) {
      if (const auto device = log.devices.find(id); device != log.devices.end())
        found_.peaks[device_key_of(device->second.info) + "|step of the timer"] = static_cast<double>(step);
    }
    for (auto& [device, times] : sample_times(log)) found_.sample_times.push_back(std::move(times));
    check_digests(log);
  }

  void check_repeats() {
    std::vector<std::uint64_t>& marks = found_.sample_marks;
    std::ranges::sort(marks);
    const auto repeats = std::unique(marks.begin(), marks.end());
    if (const auto count = marks.end() - repeats; count >= static_cast<std::ptrdiff_t>(shared_marks))
      refuse("copied", fmt::format("{} samples are repeated in it", count));
    marks.erase(repeats, marks.end());
  }

  void check_program(const RunRecord& run) {
    const bool changed = run.revision.find("dirty") != std::string::npos ||
                         run.revision.find("kernels") != std::string::npos || run.revision.empty();
    if (changed) doubt("revision", fmt::format("the program was changed: revision '{}'", run.revision));
    const std::string line = fmt::format("\n{},{}\n", run.version, run.kernels);
    const bool known = run.kernels == options_.own_kernels ||
                       std::string_view(released_kernels).find(line) != std::string::npos;
    if (!known)
      doubt("kernels",
            fmt::format("the kernels' hash '{}' is neither of a released version nor of this program",
                        run.kernels));
  }

  void check_device(const RunLog& log, const std::string& id, const DeviceRecord& device) {
    if (device.info.type == "host") return;
    const TimerReport& timer = device.timer;
    if (timer.timer == Timer::device && (timer.tick_ns <= 0 || timer.scaling < 5 || timer.scaling > 20))
      refuse(
          "timer",
          fmt::format("the device's timer of {} cannot have passed its test: ten times the work took {:.3g} "
                      "times the time",
                      device.info.name, timer.scaling));
    const auto test = log.self_tests.find(id);
    if (test == log.self_tests.end() || !test->second.failure.empty()) {
      doubt("selftest", fmt::format("there is no self-test of {}", device.info.name));
    } else {
      check_self_test(device.info, test->second.values);
    }
    const auto peaks = log.peaks.find(id);
    if (peaks == log.peaks.end() || peaks->second.values.empty())
      return doubt("peaks", fmt::format("the peaks of {} were not measured", device.info.name));
    check_peaks(device.info, peaks->second.values);
  }

  void check_self_test(const DeviceInfo& device, const std::map<std::string, double>& values) {
    const auto value = [&](const char* name) {
      return values.contains(name) ? values.at(name) : std::nan("");
    };
    const double off = std::abs(value("self_comparison") - 1);
    // Not "greater": a value that is missing or no number is none that has passed.
    if (!(off <= std::max(noise_of_self, 3 * value("half_width"))))
      doubt("selftest", fmt::format("a kernel compared with itself on {} gave a speedup of {:.3g}",
                                    device.name, value("self_comparison")));
  }

  void check_peaks(const DeviceInfo& device, const std::map<std::string, double>& values) {
    for (const PlausiblePeak& peak : plausible_peaks) {
      const auto found = values.find(std::string(peak.name));
      if (found == values.end()) continue;
      const double most = device.type == "cpu" ? peak.cpu_most : peak.other_most;
      if (!(found->second > 0 && found->second <= most))
        refuse("peaks", fmt::format("{} of {} is {:.4g}, but at most {:.4g} are plausible for its kind",
                                    peak.name, device.name, found->second, most));
      found_.peaks[device_key_of(device) + "|" + std::string(peak.name)] = found->second;
    }
    const auto read = values.find("read_gb_per_s"), copy = values.find("copy_gb_per_s");
    if (read != values.end() && copy != values.end() && copy->second > 0 &&
        (read->second / copy->second > 5 || read->second / copy->second < 0.2))
      doubt("peaks",
            fmt::format("reading at {:.4g} GB/s and copying at {:.4g} GB/s do not fit together on {}",
                        read->second, copy->second, device.name));
  }

  void check_digests(const RunLog& log) {
    if (log.digests.empty() && !log.points.empty())
      doubt("digests",
            "the run has no digests of inputs and results: it was made by an older version, or no point was "
            "re-measured");
    for (const auto& [key, record] : log.digests) {
      for (const auto* const arrays : {&record.digests.inputs, &record.digests.results}) {
        for (const auto& [name, array] : *arrays) check_array(record, name, array);
      }
      if (record.key.size != "file") digests_.push_back(record);
    }
  }

  // Points with the same data have the same input, and the same results unless these may vary.
  void check_array(const DigestRecord& record, const std::string& name, const ArrayDigest& array) {
    const bool is_hash =
        array.sha256.size() == 64 && array.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
    const bool is_elements = array.sha256.empty() && array.elements.size() == digest_elements;
    if (!is_hash && !is_elements)
      return refuse("digests", fmt::format("the digest of {} of {} is neither a hash nor {} elements", name,
                                           record.key.dwarf, digest_elements));
    // Bundles of older versions have hashes of results that may vary.
    if (record.key.size == "file" || may_differ(record.key.dwarf, name, array.type)) return;
    const std::string key = array_key(record, name);
    const auto [known, is_new] = found_.arrays.emplace(key, array);
    if (!is_new && is_hash && known->second.sha256 != array.sha256)
      refuse("digests", fmt::format("two points of {} {} have different digests of {}", record.key.dwarf,
                                    record.key.problem, name));
  }

  static bool may_differ(const std::string& dwarf, const std::string& name, const std::string& type) {
    const Dwarf* const known = known_dwarf(dwarf);
    return known && known->info().checks.may_differ(name, type);
  }

  void examine_row(const MeasurementRow& row, const RunLog& log) {
    if (row.peak_fraction && *row.peak_fraction > doubtful_peak_fraction) {
      const std::string detail =
          fmt::format("{} {} on {} is {:.3g} times as fast as the measured peaks allow", row.dwarf,
                      config_text(row), row.device, *row.peak_fraction);
      *row.peak_fraction > impossible_peak_fraction ? refuse("faster than peak", detail)
                                                    : doubt("faster than peak", detail);
    }
    if (row.kernel != "total" || row.status != "ok") return;
    if (row.clock_mhz) {
      for (const RunLog* const part : parts_of(log)) {
        const auto device = part->devices.find(row.device_id);
        if (device == part->devices.end() || device->second.info.clock_mhz == 0) continue;
        if (*row.clock_mhz > clock_ratio * device->second.info.clock_mhz)
          doubt("clocks", fmt::format("{} ran at {:.0f} MHz, but its nominal clock is {} MHz", row.device,
                                      *row.clock_mhz, device->second.info.clock_mhz));
      }
    }
    if (row.median_ns)
      found_.times[fmt::format("{}|{}|{}|{}|{}", row.device, row.driver, row.dwarf, row.problem,
                               config_text(row))] = *row.median_ns;
  }

  void compare_with(const Claims& other) {
    for (const auto& [key, value] : found_.peaks) {
      const auto known = other.peaks.find(key);
      if (known != other.peaks.end() && is_beyond(value / known->second, peak_ratio))
        doubt("disagrees",
              fmt::format("{} is {:.4g} here and {:.4g} in an earlier bundle", key, value, known->second));
    }
    for (const auto& [key, array] : found_.arrays) {
      const auto known = other.arrays.find(key);
      if (known != other.arrays.end() && !array.sha256.empty() && known->second.sha256 != array.sha256)
        refuse("digests", fmt::format("the digest of {} is not that of an earlier bundle", key));
    }
    compare_samples(other);
    std::vector<double> ratios;
    for (const auto& [key, ns] : found_.times) {
      const auto known = other.times.find(key);
      if (known != other.times.end() && known->second > 0) ratios.push_back(ns / known->second);
    }
    if (ratios.size() >= 3 && is_beyond(median(ratios), time_ratio))
      doubt("disagrees",
            fmt::format("its times are {:.3g} times those of an earlier bundle of the same device and "
                        "driver, in the middle of {} points",
                        median(ratios), ratios.size()));
  }

  static bool is_beyond(double ratio, double most) { return ratio > most || ratio < 1 / most; }

  void compare_samples(const Claims& other) {
    std::vector<std::uint64_t> shared;
    std::ranges::set_intersection(found_.sample_marks, other.sample_marks, std::back_inserter(shared));
    if (shared.size() >= shared_marks)
      refuse("copied", fmt::format("{} samples took as long as those of an earlier bundle, with the same "
                                   "pauses between them",
                                   shared.size()));
    for (const SampleTimes& own : found_.sample_times) {
      for (const SampleTimes& others : other.sample_times) compare_order(own, others);
    }
  }

  void compare_order(const SampleTimes& own, const SampleTimes& others) {
    std::size_t points = 0, copied = 0;
    for (const auto& [key, ns] : own) {
      const auto known = others.find(key);
      if (known == others.end()) continue;
      const std::size_t samples = std::min(ns.size(), known->second.size());
      ++points;
      if (rank_correlation(std::span(ns).first(samples), std::span(known->second).first(samples)) >
          copied_correlation)
        ++copied;
    }
    if (copied >= copied_points && 4 * copied >= points)
      refuse("copied", fmt::format("the samples of {} of {} points rise and fall as in an earlier bundle",
                                   copied, points));
  }

  // A few points, one for each dwarf, the first ones: the rest is not worth the time.
  void compute_results() {
    constexpr std::size_t most = 4;
    if (!options_.compute_here || report_.verdict == BundleVerdict::refused) return;
    std::set<std::string> dwarfs;
    std::string reason;
    for (const DigestRecord& record : digests_) {
      if (dwarfs.size() == most || dwarfs.contains(record.key.dwarf)) continue;
      try {
        compare_results(record, options_.compute_here(record));
        dwarfs.insert(record.key.dwarf);
      } catch (const std::exception& error) {
        reason = fmt::format(" ({}: {})", record.key.dwarf, error.what());
      }
    }
    report_.results_here = dwarfs.empty() ? "not possible here" + reason
                                          : fmt::format("computed again here for {} dwarfs", dwarfs.size());
  }

  // Two correct results are each within the tolerance of the reference, so within twice of each other. Where
  // the check is of a residual, elements may differ by more: by the rounding of 6e-8 times the condition of
  // the problem. 1e-3 of the largest element leaves room for a condition of 16,000, and is far from what
  // another problem or seed gives.
  void compare_results(const DigestRecord& record, const ResultsHere& here) {
    const auto differs = [&](const std::string& name, const std::string& how) {
      report_.findings_here.push_back(
          {BundleVerdict::refused, "results",
           fmt::format("{} of {} {} {}", name, record.key.dwarf, record.key.problem, how)});
    };
    for (const bool inputs : {true, false}) {
      const auto& theirs = inputs ? record.digests.inputs : record.digests.results;
      for (const auto& [name, array] : inputs ? here.digests.inputs : here.digests.results) {
        const auto found = theirs.find(name);
        if (found == theirs.end()) {
          differs(name, "has no digest");
        } else if (found->second.count != array.count || found->second.sha256 != array.sha256) {
          differs(name, "is not what the seed gives here");
        } else if (!within_tolerance(found->second.elements, array.elements, here.tolerance)) {
          differs(name, "differs by more than the dwarf's tolerance from what the seed gives here");
        }
      }
    }
  }

  static bool within_tolerance(const std::vector<double>& theirs, const std::vector<double>& ours,
                               double tolerance) {
    if (theirs.size() != ours.size()) return false;
    double largest = 0;
    for (const double value : ours) largest = std::max(largest, std::abs(value));
    const double allowed = std::max(2 * tolerance, 1e-3 * largest);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (!(std::abs(theirs[i] - ours[i]) <= allowed)) return false;
    }
    return true;
  }

  BundleReport& report_;
  const IntakeOptions& options_;
  const std::vector<Claims>& before_;
  Claims found_;
  std::vector<DigestRecord> digests_;
  std::map<std::pair<BundleVerdict, std::string>, int> counts_;
};

}  // namespace

const char* to_string(BundleVerdict verdict) {
  constexpr std::array names = {"accepted", "doubtful", "refused"};
  return names.at(static_cast<std::size_t>(verdict));
}

bool BundleReport::is_comparable() const {
  return findings_here.empty() && std::ranges::all_of(findings, [](const BundleFinding& finding) {
           return finding.kind == "kernels" || finding.kind == "revision";
         });
}

std::vector<BundleReport> take_in(const std::vector<fs::path>& files, const IntakeOptions& options) {
  std::vector<BundleReport> reports;
  std::vector<Claims> before;
  for (const fs::path& file : files) {
    BundleReport& report = reports.emplace_back();
    report.file = file.string();
    report.results_here = "not possible here";
    try {
      Claims claims = Examination(report, options, before).examine(read_bundle(file));
      if (report.is_comparable()) before.push_back(std::move(claims));
    } catch (const std::exception& error) {
      const bool is_format = dynamic_cast<const InputError*>(&error) != nullptr;
      report.findings.push_back(
          {BundleVerdict::refused, is_format ? "format" : "unreadable",
           is_format ? error.what() : fmt::format("the bundle cannot be examined: {}", error.what())});
      report.verdict = BundleVerdict::refused;
    }
    report.summary.source = file.filename().string();
    report.summary.verdict = to_string(report.verdict);
    if (report.verdict == BundleVerdict::refused) report.summary.points.clear();
  }
  return reports;
}

static void to_json(Json& json, const BundleFinding& finding) {
  json = {{"level", to_string(finding.level)}, {"kind", finding.kind}, {"detail", finding.detail}};
}

Json to_json(const BundleReport& report) {
  return {{"file", report.file},
          {"verdict", to_string(report.verdict)},
          {"findings", report.findings},
          {"runs", report.runs},
          {"rows", report.rows},
          {"samples", report.samples},
          {"on_this_machine", {{"results", report.results_here}, {"findings", report.findings_here}}}};
}

}  // namespace dwarfsweep
