// What `peaks` and `selftest` have in common: a question to every chosen device.
#pragma once

#include <functional>
#include <string>

#include "harness/device/device.hpp"
#include "suite/plan/options.hpp"
#include "suite/record/json.hpp"

namespace dwarfsweep {

using PrintAnswer = std::function<void(const DeviceInfo&, const Json&)>;

/// `what`: a request of suite/worker/worker.hpp that is about the device. Prints each answer, or all of them
/// as JSON with --json. A device that fails costs a line and exit status 1.
int ask_each_device(const Options& options, const std::string& what, const PrintAnswer& print);

}  // namespace dwarfsweep
