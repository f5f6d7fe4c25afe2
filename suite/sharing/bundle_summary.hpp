// What an atlas needs of a bundle or a run: its best points, without samples. `intake --summaries` writes it
// as JSON, so that an atlas of many bundles need not read them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "suite/plan/best.hpp"
#include "suite/record/record.hpp"
#include "suite/record/rows.hpp"

namespace dwarfsweep {

inline constexpr int summary_schema = 1;

/// The best point of a device, dwarf and problem.
struct SummaryPoint {
  BestPoint best;
  Number peak_fraction;
  std::map<std::string, double> variants;  ///< the shortest time of each, ns
};

/// What an axis gained on a device: the change that gained most, and in how many contexts some change did.
struct PayOff {
  std::string device, dwarf, change;  ///< change: "granularity=8"
  double gain = 1;
  std::size_t helped = 0, contexts = 0;
};

struct BundleSummary {
  std::string source;    ///< name of the file or folder, without its path
  std::string sha256;    ///< of the bundle; empty for a run
  std::string verdict;   ///< as intake gave it; empty: not checked
  bool own_run = false;  ///< the folder of a run, no bundle
  std::vector<SummaryPoint> points = {};
  std::vector<PayOff> pay_offs = {};

  void add_run(const std::vector<MeasurementRow>& rows, const std::vector<DeviceInfo>& devices);
};

/// "NVIDIA H200, NVIDIA CUDA"
std::string device_name(const std::string& device, const std::string& platform);

Json to_json(const BundleSummary& summary);

/// Of a bundle, the folder of a run, or a summary (.json). Throws UsageError and InputError.
BundleSummary read_summary(const std::filesystem::path& source);

}  // namespace dwarfsweep
