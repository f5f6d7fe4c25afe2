#include "suite/record/record.hpp"

namespace dwarfsweep {

void add_to(RunLog& log, const RunRecord& record) {
  if (log.run.run_id.empty()) log.run = record;
}

void add_to(RunLog& log, const DeviceRecord& record) {
  log.devices[record.info.id] = record;
}

void add_to(RunLog& log, const PeaksRecord& record) {
  log.peaks[record.device_id] = record;
}

void add_to(RunLog& log, const SelfTestRecord& record) {
  log.self_tests[record.device_id] = record;
}

void add_to(RunLog& log, const PointRecord& record) {
  const std::string key = record.key.text();
  if (!log.points.contains(key)) log.order.push_back(record.key);
  log.points[key] = record;
}

void add_to(RunLog& log, const BlockRecord& record) {
  log.blocks[record.key.text()].push_back(record);
}

void add_to(RunLog& log, const EndRecord& record) {
  log.ends[record.key.text()] = record;
}

}  // namespace dwarfsweep
