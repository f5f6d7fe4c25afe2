#include "suite/record/power_columns.hpp"

namespace dwarfsweep {

void add_power_columns(MeasurementRow& row, const RunLog& log, const PointKey& key,
                       const std::vector<BlockRecord>& blocks) {
  if (const auto energy = log.energies.find(key.text()); energy != log.energies.end())
    row.energy_j = energy->second.joules / energy->second.runs;
  double sum_mhz = 0;
  int clocks = 0;
  for (const BlockRecord& block : blocks) {
    if (block.clock.mhz) {
      sum_mhz += *block.clock.mhz;
      ++clocks;
    }
    if (!block.clock.throttle_reasons) continue;
    const bool throttled = !block.clock.throttle_reasons->empty();
    if (throttled || row.throttled.empty()) row.throttled = throttled ? "true" : "false";
  }
  if (clocks > 0) row.clock_mhz = sum_mhz / clocks;
}

}  // namespace dwarfsweep
