// The records as JSON: for the log, and for the messages between the parent process and its workers. Files
// that touch a value of type Json include <nlohmann/json.hpp>, which takes the compiler most of a second.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "harness/device/inventory.hpp"
#include "harness/energy/power_phase.hpp"
#include "harness/run/sample.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

/// On one line, or indented by `indent` blanks. Bytes that are not UTF-8, as in names and build logs, become
/// U+FFFD: a text that somebody else wrote must not end a run.
std::string json_text(const Json& json, int indent = -1);

/// The value of a text. Throws Json::exception. The library's own parse() is compiled again wherever it is
/// used.
Json parse_json(std::string_view text);
/// The same; a text that is not JSON gives a value for which is_discarded() is true.
Json parse_json_if_valid(std::string_view text);

/// The text as JSON gives it back: U+FFFD for what is not UTF-8.
std::string as_utf8(const std::string& text);

/// What an exception says, without the JSON library's prefix "[json.exception.type_error.302] ".
std::string plain_message(const std::exception& error);

#define JSON_OF(type)                          \
  void to_json(Json& json, const type& value); \
  void from_json(const Json& json, type& value);

JSON_OF(Value)
JSON_OF(ValueMap)  ///< an array of [name, value] pairs: the order counts
JSON_OF(Problem)
JSON_OF(DeviceInfo)
JSON_OF(ProgressReport)
JSON_OF(PlatformNote)
JSON_OF(Inventory)
JSON_OF(TimerReport)
JSON_OF(SelfTestReport)
JSON_OF(KernelTime)
JSON_OF(Sample)
JSON_OF(KernelFacts)
JSON_OF(Check)
JSON_OF(Work)
JSON_OF(Preparation)
JSON_OF(PointKey)
JSON_OF(CpuState)
JSON_OF(HostInfo)
JSON_OF(RunRecord)
JSON_OF(DeviceRecord)
JSON_OF(PeaksRecord)
JSON_OF(SelfTestRecord)
JSON_OF(SizeRecord)
JSON_OF(KnownPointRecord)
JSON_OF(PlanRecord)
JSON_OF(MergedRun)
JSON_OF(PointRecord)
JSON_OF(BlockSample)
JSON_OF(BlockRecord)
JSON_OF(ClockReading)
JSON_OF(EnergyUse)
JSON_OF(AnchorRecord)
JSON_OF(EnergyRecord)
JSON_OF(ArrayDigest)
JSON_OF(PointDigests)
JSON_OF(DigestRecord)
JSON_OF(EndRecord)
JSON_OF(CountedPoint)
JSON_OF(SearchRecord)
JSON_OF(EvaluationCost)
JSON_OF(EvaluationRecord)
JSON_OF(TiedPoint)
JSON_OF(AnswerRecord)
JSON_OF(FrontPoint)
JSON_OF(CarvingRow)
JSON_OF(CarvingRecord)
JSON_OF(KnownSettings)

#undef JSON_OF

}  // namespace dwarfsweep
