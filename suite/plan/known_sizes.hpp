// The sizes that auto chose on this machine, results/best/sizes.csv: as long as device and driver are the
// same they are used again, so that a borderline case does not change from run to run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/device/device.hpp"
#include "suite/plan/auto_size.hpp"
#include "suite/plan/best.hpp"

namespace dwarfsweep {

struct KnownSize {
  std::string device_id, device, driver;
  std::string dwarf, size, problem;
  std::string target;        ///< the size that the device asks for, where it is not affordable
  double group_seconds = 0;  ///< the dwarf's share of the budget, for which it was chosen; 0: no limit
  SizeCost cost;
  std::string reason;
};

class KnownSizes {
 public:
  static std::filesystem::path default_path() { return own_best_folder() / "sizes.csv"; }

  /// A file that is missing holds nothing. What cannot be read is left alone, with a warning on standard
  /// error.
  explicit KnownSizes(std::filesystem::path path);

  /// Of this device with this driver; null where there is none.
  [[nodiscard]] const KnownSize* find(const DeviceInfo& device, const std::string& dwarf) const;
  /// Replaces what was known of the device and dwarf.
  void put(const KnownSize& known);
  /// Adds what was put to the file, which others may be writing to at the same time. Where it cannot be
  /// written there is a warning, and nothing else changes.
  void write() const;

 private:
  std::filesystem::path path_;
  bool readable_ = true;
  std::vector<KnownSize> all_;
  std::vector<KnownSize> chosen_;  ///< put since it was read
};

}  // namespace dwarfsweep
