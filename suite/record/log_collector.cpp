#include "suite/record/log_collector.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "suite/record/json.hpp"

namespace dwarfsweep {

RunRecord read_run_record(const Json& line) {
  const int version = line.value("schema_version", 0);
  if (version < oldest_schema || version > schema_version) {
    throw std::runtime_error(fmt::format("schema version {}; this program reads versions {} to {}", version,
                                         oldest_schema, schema_version));
  }
  auto run = line.get<RunRecord>();
  run.schema = version;
  return run;
}

void LogCollector::add(const Json& line) {
  const auto type = line.at("type").get<std::string>();
  if (type == "run") {
    add_to(log_, read_run_record(line));
    has_run_ = true;
    return;
  }
  if (!has_run_)
    throw std::runtime_error(fmt::format("expected the record of the run first, found '{}'", type));
  if (type == "part") {
    add_to(log_, PartRecord{read_run_record(line)});
  } else if (type == "device") {
    add_to(log_, line.get<DeviceRecord>());
  } else if (type == "peaks") {
    add_to(log_, line.get<PeaksRecord>());
  } else if (type == "selftest") {
    add_to(log_, line.get<SelfTestRecord>());
  } else if (type == "size") {
    add_to(log_, line.get<SizeRecord>());
  } else if (type == "known") {
    add_to(log_, line.get<KnownPointRecord>());
  } else if (type == "plan") {
    add_to(log_, line.get<PlanRecord>());
  } else if (type == "point") {
    add_to(log_, line.get<PointRecord>());
  } else if (type == "visit") {
    add_to(log_, known(line.get<BlockRecord>()));
  } else if (type == "energy") {
    add_to(log_, known(line.get<EnergyRecord>()));
  } else if (type == "end") {
    add_to(log_, known(line.get<EndRecord>()));
  } else if (type == "search") {
    add_to(log_, line.get<SearchRecord>());
  } else if (type == "evaluation") {
    add_to(log_, known(line.get<EvaluationRecord>()));
  } else if (type == "answer") {
    add_to(log_, line.get<AnswerRecord>());
  } else {
    throw std::runtime_error(fmt::format(
        "unknown type '{}'; expected run, part, device, peaks, selftest, size, known, plan, point, "
        "visit, energy, end, search, evaluation or answer",
        type));
  }
}

template <typename Record>
Record LogCollector::known(Record record) const {
  if (!log_.points.contains(record.key.text())) {
    throw std::runtime_error(fmt::format("there is no record of the point {} before it", record.key.text()));
  }
  return record;
}

}  // namespace dwarfsweep
