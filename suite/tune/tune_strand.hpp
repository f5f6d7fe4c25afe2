// Some searches that are made one after the other.
#pragma once

#include <filesystem>

#include "suite/engine/sweep_devices.hpp"
#include "suite/sweep/sweep_strand.hpp"
#include "suite/tune/device_search.hpp"

namespace dwarfsweep {

class TuneStrand {
 public:
  /// What workers and builders print goes to the file `output`. `cores`: for the device and its builders.
  TuneStrand(const SweepShared& shared, const std::filesystem::path& output, int cores)
      : shared_(shared),
        builds_(shared.options, output, cores),
        context_{shared.options, shared.outcomes, shared.progress, builds_},
        devices_(shared.options, output, shared.log, shared.progress) {}

  [[nodiscard]] SweepDevices& devices() { return devices_; }
  void search(SearchGroup& searched, const SearchShare& share);
  void end();

 private:
  SweepShared shared_;
  BuildAhead builds_;
  SweepContext context_;
  SweepDevices devices_;
};

}  // namespace dwarfsweep
