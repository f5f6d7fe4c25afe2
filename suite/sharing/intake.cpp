#include "suite/sharing/intake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_map>

#include "harness/space/error.hpp"
#include "suite/record/row_csv.hpp"
#include "suite/record/run_log.hpp"
#include "suite/record/run_rows.hpp"
#include "suite/sharing/samples_check.hpp"
#include "suite/sharing/share.hpp"

namespace dwarfsweep {
namespace {

namespace fs = std::filesystem;

// Kernels of released versions. Bundles of this program's own kernels are taken, too.
constexpr std::array<std::string_view, 0> released_kernels = {};

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
constexpr double peak_ratio = 3;        // between two bundles of a device
constexpr double time_ratio = 2;        // the same, for the median of their common points
constexpr double clock_ratio = 3;       // of a clock over the device's nominal one
constexpr double noise_of_self = 0.05;  // of a kernel over itself

// What a bundle says, to be compared with others.
struct Claims {
  std::map<std::string, double> peaks;        // "device name|driver|peak"
  std::map<std::string, double> times;        // "device|driver|point" -> ns
  std::map<std::string, ArrayDigest> arrays;  // "dwarf|problem|seed|array"
  std::set<std::uint64_t> sample_marks;
};

// The claims of all accepted bundles, each by the bundle's number.
struct Accepted {
  struct Number {
    std::size_t bundle;
    double value;
  };
  std::map<std::string, std::vector<Number>> peaks, times;
  std::map<std::string, ArrayDigest> arrays;  // hashes are the same in all of them
  std::unordered_map<std::uint64_t, std::size_t> sample_marks;
  std::size_t bundles = 0;

  void add(const Claims& claims) {
    for (const auto& [key, value] : claims.peaks) peaks[key].push_back({bundles, value});
    for (const auto& [key, value] : claims.times) times[key].push_back({bundles, value});
    arrays.insert(claims.arrays.begin(), claims.arrays.end());
    for (const std::uint64_t mark : claims.sample_marks) sample_marks.emplace(mark, bundles);
    ++bundles;
  }
};

std::string array_key(const DigestRecord& record, const std::string& array) {
  return fmt::format("{}|{}|{}|{}", record.key.dwarf, record.key.problem, record.seed, array);
}

std::string device_key_of(const DeviceInfo& device) {
  return device.name + "|" + device.driver;
}

class Examination {
 public:
  Examination(BundleReport& report, const IntakeOptions& options, const Accepted& before)
      : report_(report), options_(options), before_(before) {}

  Claims examine(const Bundle& bundle) {
    report_.runs = bundle.runs();
    report_.summary.sha256 = bundle.sha256;
    for (std::size_t run = 1; run <= bundle.runs(); ++run) examine_run(bundle, run);
    compare_with_accepted();
    for (const BundleFinding& finding : report_.findings)
      report_.verdict = std::max(report_.verdict, finding.level);
    compute_results();
    return std::move(found_);
  }

 private:
  void note(BundleVerdict level, const std::string& kind, const std::string& detail) {
    for (const BundleFinding& finding : report_.findings) {
      if (finding.kind == kind && ++counts_[kind] >= 3) return;  // three of a kind say enough
    }
    report_.findings.push_back({level, kind, detail});
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
    } catch (const std::bad_alloc&) {
      return refuse("log", name + " needs more memory than there is");
    } catch (const std::exception& error) {
      return refuse("log", error.what());
    }
    for (const auto& [file, content] : made) {
      if (content != bundle.file(number, file))
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
    try {
      report_.summary.add_run(as_read(rows.measurements), devices);
    } catch (const std::exception& error) {
      refuse("rows", fmt::format("the points of run {} cannot be used: {}", number, error.what()));
    }
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
    found_.sample_marks.merge(sample_marks(log));
    check_digests(log);
  }

  void check_program(const RunRecord& run) {
    const bool changed = run.revision.find("dirty") != std::string::npos ||
                         run.revision.find("kernels") != std::string::npos || run.revision.empty();
    if (changed) doubt("revision", fmt::format("the program was changed: revision '{}'", run.revision));
    const bool known = run.kernels == options_.own_kernels ||
                       std::ranges::find(released_kernels, run.kernels) != released_kernels.end();
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
      const auto found = values.find(name);
      return found == values.end() ? std::nan("") : found->second;
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

  // Points with the same data have the same input, and the same results where these are integers.
  void check_array(const DigestRecord& record, const std::string& name, const ArrayDigest& array) {
    const bool is_hash =
        array.sha256.size() == 64 && array.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
    const bool is_elements = array.sha256.empty() && array.elements.size() == digest_elements;
    if (!is_hash && !is_elements)
      return refuse("digests", fmt::format("the digest of {} of {} is neither a hash nor {} elements", name,
                                           record.key.dwarf, digest_elements));
    if (record.key.size == "file") return;
    const std::string key = array_key(record, name);
    const auto [known, is_new] = found_.arrays.emplace(key, array);
    if (!is_new && is_hash && known->second.sha256 != array.sha256)
      refuse("digests", fmt::format("two points of {} {} have different digests of {}", record.key.dwarf,
                                    record.key.problem, name));
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

  void compare_with_accepted() {
    for (const auto& [key, value] : found_.peaks) {
      const auto known = before_.peaks.find(key);
      if (known == before_.peaks.end()) continue;
      for (const Accepted::Number& other : known->second) {
        if (const double ratio = value / other.value; ratio > peak_ratio || ratio < 1 / peak_ratio)
          doubt("disagrees",
                fmt::format("{} is {:.4g} here and {:.4g} in an accepted bundle", key, value, other.value));
      }
    }
    for (const auto& [key, array] : found_.arrays) {
      const auto known = before_.arrays.find(key);
      if (known != before_.arrays.end() && !array.sha256.empty() && known->second.sha256 != array.sha256)
        refuse("digests", fmt::format("the digest of {} is not that of an accepted bundle", key));
    }
    compare_samples();
    compare_times();
  }

  void compare_samples() {
    std::map<std::size_t, std::size_t> shared;  // by bundle
    for (const std::uint64_t mark : found_.sample_marks) {
      if (const auto known = before_.sample_marks.find(mark); known != before_.sample_marks.end())
        ++shared[known->second];
    }
    for (const auto& [bundle, count] : shared) {
      if (count >= 5)
        refuse(
            "copied",
            fmt::format("{} samples have the clock and the duration of those in an accepted bundle", count));
    }
  }

  void compare_times() {
    std::map<std::size_t, std::vector<double>> ratios_by_bundle;
    for (const auto& [key, ns] : found_.times) {
      const auto known = before_.times.find(key);
      if (known == before_.times.end()) continue;
      for (const Accepted::Number& other : known->second) {
        if (other.value > 0) ratios_by_bundle[other.bundle].push_back(ns / other.value);
      }
    }
    for (auto& [bundle, ratios] : ratios_by_bundle) {
      if (ratios.size() < 3) continue;
      const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
      std::ranges::nth_element(ratios, middle);
      if (*middle > time_ratio || *middle < 1 / time_ratio)
        doubt("disagrees",
              fmt::format("its times are {:.3g} times those of an accepted bundle of the same device and "
                          "driver, in the middle of {} points",
                          *middle, ratios.size()));
    }
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
      } catch (const std::runtime_error& error) {
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
  const Accepted& before_;
  Claims found_;
  std::vector<DigestRecord> digests_;
  std::map<std::string, int> counts_;
};

}  // namespace

const char* to_string(BundleVerdict verdict) {
  switch (verdict) {
    case BundleVerdict::accepted:
      return "accepted";
    case BundleVerdict::doubtful:
      return "doubtful";
    case BundleVerdict::refused:
      break;
  }
  return "refused";
}

std::vector<BundleReport> take_in(const std::vector<fs::path>& files, const IntakeOptions& options) {
  std::vector<BundleReport> reports;
  Accepted accepted;
  for (const fs::path& file : files) {
    BundleReport& report = reports.emplace_back();
    report.file = file.string();
    report.results_here = "not possible here";
    Claims claims;
    try {
      claims = Examination(report, options, accepted).examine(read_bundle(file));
    } catch (const InputError& error) {
      report.findings.push_back({BundleVerdict::refused, "format", error.what()});
      report.verdict = BundleVerdict::refused;
    }
    if (report.nothing_found()) accepted.add(claims);
    report.summary.source = file.filename().string();
    report.summary.verdict = to_string(report.verdict);
    if (report.verdict == BundleVerdict::refused) report.summary.points.clear();
  }
  return reports;
}

namespace {

Json to_json(const std::vector<BundleFinding>& findings) {
  Json json = Json::array();
  for (const BundleFinding& finding : findings)
    json.push_back({{"level", to_string(finding.level)}, {"kind", finding.kind}, {"detail", finding.detail}});
  return json;
}

}  // namespace

Json to_json(const BundleReport& report) {
  return {
      {"file", report.file},
      {"verdict", to_string(report.verdict)},
      {"findings", to_json(report.findings)},
      {"runs", report.runs},
      {"rows", report.rows},
      {"samples", report.samples},
      {"on_this_machine", {{"results", report.results_here}, {"findings", to_json(report.findings_here)}}}};
}

}  // namespace dwarfsweep
