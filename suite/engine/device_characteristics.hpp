// What a device can do at most, and how far timings on it can be trusted: measured beside the points of a
// sweep.
#pragma once

#include "suite/worker/client.hpp"

namespace dwarfsweep {

/// `limit`: for all peaks together; `reserve`: what building and the answer may take beyond it. A device that
/// checks every access, for which this would cost minutes, and one on which it fails get a record without
/// values. Throws Interrupted.
PeaksRecord ask_peaks(DeviceClient& client, std::chrono::milliseconds limit,
                      std::chrono::milliseconds reserve);

/// The same for the self-test of the harness; the record says why it has no values. Throws Interrupted.
SelfTestRecord ask_self_test(DeviceClient& client, std::chrono::milliseconds limit);

}  // namespace dwarfsweep
