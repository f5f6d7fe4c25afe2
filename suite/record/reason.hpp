// The texts that say why a point has no time.
#pragma once

#include <string>

#include "harness/device/device.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// ".../gemv.so" in place of every absolute path: rows and tables get published, and the folders of the
/// machine they were made on are private.
std::string without_folders(const std::string& text);

/// What people read for a status: "ok", "not applicable" (a constraint rules the point out), "unsupported"
/// (by the device), "not run", "wrong result", or "failed: crashed" and the like.
std::string status_words(const std::string& status);

/// Whether a point of this status makes the run fail. Rejected and unsupported points are legal answers of a
/// device that works; one that was not run has no answer yet.
bool is_failure(Status status);
/// The same of a row's cell. A word that this program does not know is a failure.
bool is_failure(const std::string& status);

/// For a footnote: the first line of a reason, without folders and shortened; measurements.csv has all of it.
std::string short_reason(const std::string& reason);

/// The known fault of a driver that may have caused this status of the point, for the reason of its row;
/// empty where none is known. The README has the same list.
std::string known_exception(const DeviceInfo& device, const PointKey& point, Status status);

}  // namespace dwarfsweep
