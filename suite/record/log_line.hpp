// The records of a log as lines of text.
#pragma once

#include <string>

#include "suite/record/record.hpp"

namespace dwarfsweep {

/// One JSON object, with its type and the line break.
std::string log_line(const RunRecord& record);
std::string log_line(const PartRecord& record);
std::string log_line(const DeviceRecord& record);
std::string log_line(const PeaksRecord& record);
std::string log_line(const SelfTestRecord& record);
std::string log_line(const SizeRecord& record);
std::string log_line(const KnownPointRecord& record);
std::string log_line(const PlanRecord& record);
std::string log_line(const PointRecord& record);
std::string log_line(const BlockRecord& record);
std::string log_line(const EnergyRecord& record);
std::string log_line(const EndRecord& record);
std::string log_line(const SearchRecord& record);
std::string log_line(const EvaluationRecord& record);
std::string log_line(const AnswerRecord& record);

}  // namespace dwarfsweep
