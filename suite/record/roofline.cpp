// What bounds a kernel: memory, arithmetic or launching, by the peaks that were measured on the device.

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <optional>

#include "dwarfs/registry.hpp"
#include "harness/peaks/peaks.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {
namespace {

struct Peaks {
  Number gb_per_s;         // the highest of reading, copying and triad
  Number cached_gb_per_s;  // the same within the last-level cache
  double cache_bytes = 0;
  std::map<double, double> reading;        // data size in bytes -> GB/s of reading it repeatedly
  std::map<Arithmetic, double> gop_per_s;  // by the kind of operation
  Number launch_ns;                        // of one launch in a queue of many where that was measured
};

Peaks find_peaks(const RunLog& log, const std::string& device_id) {
  Peaks peaks;
  const auto record = log.peaks.find(device_id);
  if (record == log.peaks.end()) return peaks;
  const auto best = [&](std::initializer_list<const char*> names) {
    Number number;
    for (const char* const name : names) {
      const auto value = record->second.values.find(name);
      if (value != record->second.values.end() && value->second > 0) {
        number = std::max(number.value_or(0), value->second);
      }
    }
    return number;
  };
  peaks.gb_per_s = best({"read_gb_per_s", "copy_gb_per_s", "triad_gb_per_s"});
  peaks.cached_gb_per_s = best({"cached_read_gb_per_s", "cached_copy_gb_per_s", "cached_triad_gb_per_s"});
  for (const Arithmetic kind : {Arithmetic::floating, Arithmetic::integer, Arithmetic::logic}) {
    if (const Number rate = best({peak_of(kind)})) peaks.gop_per_s[kind] = *rate;
  }
  peaks.launch_ns = best({"pipelined_launch_ns"});
  if (!peaks.launch_ns) peaks.launch_ns = best({"launch_ns"});
  // Runs of earlier versions have cache_bytes.
  peaks.cache_bytes = best({"last_level_cache_bytes", "cache_bytes"}).value_or(0);
  for (const auto& [name, value] : record->second.values) {
    unsigned kib = 0;
    if (std::sscanf(name.c_str(), "read_%u_kib", &kib) == 1) peaks.reading[kib * 1024.0] = value;
  }
  return peaks;
}

// For data in hot caches the highest bandwidth that was measured at that size or a larger one.
double bandwidth(const Peaks& peaks, double bytes, bool hot) {
  double gb_per_s = *peaks.gb_per_s;
  if (!hot) return gb_per_s;
  if (bytes <= peaks.cache_bytes) gb_per_s = std::max(gb_per_s, peaks.cached_gb_per_s.value_or(0));
  for (auto each = peaks.reading.lower_bound(bytes); each != peaks.reading.end(); ++each) {
    gb_per_s = std::max(gb_per_s, each->second);
  }
  return gb_per_s;
}

// The peak rate of the dwarf's kind of operation. Of a dwarf of another version, whose kind is not known, the
// highest of all kinds.
Number operations_per_ns(const Peaks& peaks, const std::string& dwarf) {
  const std::optional<Arithmetic> kind = arithmetic_of(dwarf);
  Number highest;
  for (const auto& [each, rate] : peaks.gop_per_s) {
    if (!kind || *kind == each) highest = std::max(highest.value_or(0), rate);
  }
  return highest;
}

// Why a row is faster than the peaks allow for its bytes and operations.
std::string explain_above_peak(const MeasurementRow& row) {
  if (row.bound == "compute" || (row.bound == "launch" && row.bytes.value_or(0) == 0)) {
    return "peak_fraction is above 1: this variant does fewer operations than the dwarf counts, or faster "
           "ones "
           "than the peak's kernel";
  }
  return row.cache == "hot" ? "peak_fraction is above 1: part of the data stays in caches, from which it is "
                              "read faster than at "
                              "the measured bandwidth"
                            : "peak_fraction is above 1: part of the data is read again from caches, so that "
                              "memory moves fewer "
                              "bytes than the algorithm counts";
}

}  // namespace

void add_bound(MeasurementRow& row, const RunLog& log, double events_per_launch) {
  const Peaks peaks = find_peaks(log, row.device_id);
  if (!peaks.gb_per_s || !row.median_ns) return;
  // Without a peak of the arithmetic everything would look bound by memory.
  const Number rate = operations_per_ns(peaks, row.dwarf);
  if (!rate && row.operations.value_or(0) > 0) return;
  const double bytes = row.bytes.value_or(0);
  const double memory_ns = bytes / bandwidth(peaks, bytes, row.cache == "hot");
  const double compute_ns = rate ? row.operations.value_or(0) / *rate : 0;
  const double launch_ns = events_per_launch * peaks.launch_ns.value_or(0);
  const double work_ns = std::max(memory_ns, compute_ns);
  if (work_ns <= 0) return;
  row.peak_fraction = work_ns / *row.median_ns;
  row.bound = launch_ns > work_ns ? "launch" : memory_ns >= compute_ns ? "memory" : "compute";
  if (*row.peak_fraction > 1) row.reason += (row.reason.empty() ? "" : "; ") + explain_above_peak(row);
}

}  // namespace dwarfsweep
