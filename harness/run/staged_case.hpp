// A case for one launch of kernels that nobody trusts. It is on whatever the last one left in the same
// memory, be it of other data, or on a pattern that no kernel can know; and its results are only read here,
// to be checked in another process, which has never run such a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/dwarf.hpp"
#include "harness/run/launcher.hpp"
#include "harness/run/workspace.hpp"

namespace dwarfsweep {

class StagedCase {
 public:
  /// Builds the kernels, and takes over the memory of `before`, which is of no use after that. The session
  /// must outlive the case. Throws PointFailure.
  StagedCase(Session& session, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
             std::unique_ptr<StagedCase> before);
  ~StagedCase();
  StagedCase(const StagedCase&) = delete;
  StagedCase& operator=(const StagedCase&) = delete;

  /// Uploads the inputs. To be called once.
  void stage(Leftovers leftovers, std::uint64_t seed);
  Sample launch();
  /// Reads the results of the last launch. Which buffer was written out of its bounds, if any.
  std::optional<std::string> collect();

  /// What the host has read during the last launch and of its results.
  [[nodiscard]] const Readings& readings() const { return readings_; }
  [[nodiscard]] std::vector<Work> work() const { return case_->work(); }
  [[nodiscard]] const Workspace& workspace() const { return *workspace_; }

 private:
  Session& session_;
  Readings readings_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Case> case_;
  Launcher launcher_;
};

/// Checks such readings against the reference, without a device. Throws PointFailure(wrong_result) if they do
/// not suit the case.
Check check_readings(const DeviceInfo& device, const Dwarf& dwarf, const Loaded& loaded, const Config& config,
                     Readings readings);

}  // namespace dwarfsweep
