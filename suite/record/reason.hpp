// The texts that say why a point has no time.
#pragma once

#include <string>

#include "harness/device/device.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// ".../gemv.so" in place of every absolute path: rows and tables get published, and the folders of the
/// machine they were made on are private.
std::string without_folders(const std::string& text);

/// For a footnote: the first line of a reason, without folders and shortened; measurements.csv has all of it.
std::string short_reason(const std::string& reason);

/// The known fault of a driver that may have caused this status of the point, for the reason of its row;
/// empty where none is known. The README has the same list.
std::string known_exception(const DeviceInfo& device, const PointKey& point, Status status);

}  // namespace dwarfsweep
