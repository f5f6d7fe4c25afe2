// Which points and devices of two runs are the same.
#pragma once

#include <map>
#include <set>
#include <string>

#include "suite/record/run_rows.hpp"

namespace dwarfsweep {

/// Names the points of one run so that the same point of another run has the same name. An axis that the
/// dwarf got only after one of the runs was made is left out of the name where it has the value that is the
/// most frequent for the variant: with that value the point is the one that the other run knows without the
/// axis.
class PointNames {
 public:
  PointNames(const RunData& run, const RunData& other);

  /// `device_id` is that of the old run.
  [[nodiscard]] std::string name(RowIdentity row, const std::string& device_id) const;

  /// Axes that the other run does not know: "sync of srad".
  [[nodiscard]] const std::set<std::string>& unknown_axes() const { return unknown_axes_; }

 private:
  std::map<std::string, std::string> usual_values_;  // by dwarf, variant and axis
  std::set<std::string> unknown_axes_;
};

struct ComparedDevice {
  std::string name, driver, host;
};

/// By device id.
std::map<std::string, ComparedDevice> devices_of(const RunData& run);

/// Device id of the new run -> device id of the old run: by id, else by a name that no other device has, else
/// the only one where both runs have one device.
std::map<std::string, std::string> match_devices(const std::map<std::string, ComparedDevice>& before,
                                                 const std::map<std::string, ComparedDevice>& after);

}  // namespace dwarfsweep
