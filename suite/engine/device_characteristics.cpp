#include "suite/engine/device_characteristics.hpp"

#include <fmt/format.h>

namespace dwarfsweep {

PeaksRecord ask_peaks(DeviceClient& client, std::chrono::milliseconds limit,
                      std::chrono::milliseconds reserve) {
  PeaksRecord peaks{client.device().id, {}};
  if (client.device().checks_bounds) return peaks;
  try {
    peaks.values = client.ask(MeasurePeaks{limit.count()}, limit + reserve);
    client.set_peaks(peaks.values);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "dwarfsweep: the peaks of {} could not be measured: {}\n", client.device().name,
               error.what());
  }
  return peaks;
}

SelfTestRecord ask_self_test(DeviceClient& client, std::chrono::milliseconds limit) {
  SelfTestRecord test{client.device().id, {}, ""};
  if (client.device().checks_bounds) {
    test.failure = "an interpreter, where it would take minutes";
    return test;
  }
  try {
    const Json report = client.ask(TestHarness{}, limit);
    for (const auto& [name, value] : report.items()) {
      if (value.is_number()) test.values[name] = value.get<double>();
      if (value.is_boolean()) test.values[name] = value.get<bool>() ? 1 : 0;
    }
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    test.failure = error.what();
  }
  return test;
}

}  // namespace dwarfsweep
