#include "suite/record/log_line.hpp"

#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

template <typename Record>
std::string to_line(const char* type, const Record& record) {
  Json json = record;
  json["type"] = type;
  // A compiler's build log may hold any bytes; JSON is UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_line_with_schema(const char* type, const RunRecord& run) {
  Json json = run;
  json["schema_version"] = run.schema;
  return to_line(type, json);
}

}  // namespace

std::string log_line(const RunRecord& record) {
  return to_line_with_schema("run", record);
}
std::string log_line(const PartRecord& record) {
  return to_line_with_schema("part", record.run);
}
std::string log_line(const DeviceRecord& record) {
  return to_line("device", record);
}
std::string log_line(const PeaksRecord& record) {
  return to_line("peaks", record);
}
std::string log_line(const SelfTestRecord& record) {
  return to_line("selftest", record);
}
std::string log_line(const SizeRecord& record) {
  return to_line("size", record);
}
std::string log_line(const KnownPointRecord& record) {
  return to_line("known", record);
}
std::string log_line(const PlanRecord& record) {
  return to_line("plan", record);
}
std::string log_line(const PointRecord& record) {
  return to_line("point", record);
}
std::string log_line(const BlockRecord& record) {
  return to_line("visit", record);
}
std::string log_line(const EnergyRecord& record) {
  return to_line("energy", record);
}
std::string log_line(const EndRecord& record) {
  return to_line("end", record);
}
std::string log_line(const SearchRecord& record) {
  return to_line("search", record);
}
std::string log_line(const EvaluationRecord& record) {
  return to_line("evaluation", record);
}
std::string log_line(const AnswerRecord& record) {
  return to_line("answer", record);
}

}  // namespace dwarfsweep
