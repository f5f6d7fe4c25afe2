// Do work-groups that have started go on running while others wait for them? OpenCL promises it nowhere, so
// it is tested on the device, once per session, beside the timer.
#pragma once

#include "harness/session.hpp"

namespace dwarfsweep {

/// Runs the test (kernels_cl/progress.cl); takes milliseconds where they do, and about a second where they do
/// not. Nothing is run where the device cannot order groups.
ProgressReport test_progress(Session& session);

}  // namespace dwarfsweep
