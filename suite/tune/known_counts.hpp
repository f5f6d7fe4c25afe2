// Counted instructions that are kept: counting takes seconds for a point, and they are the same for every
// device, for they are of code that no device's compiler has seen, at a problem that does not depend on the
// searched one's size.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "suite/record/search_record.hpp"

namespace dwarfsweep {

/// A file in the folder of built programs, a line of JSON for each point. Processes may use one at the same
/// time; a line that another has not finished, or that was damaged, counts as none.
class KnownCounts {
 public:
  /// Of the embedded kernels of this version. An empty `folder` keeps nothing. `problem`: at which the points
  /// are counted.
  KnownCounts(const std::filesystem::path& folder, const std::string& dwarf, const std::string& problem);

  [[nodiscard]] std::optional<CountedPoint> find(const std::string& config) const;
  void add(const CountedPoint& point);

 private:
  std::filesystem::path file_;  // empty: none
  std::map<std::string, CountedPoint> points_;
};

}  // namespace dwarfsweep
