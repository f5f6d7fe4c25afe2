// The records as JSON: for the log, and for the messages between the parent process and its workers.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/device/inventory.hpp"
#include "harness/energy/power_phase.hpp"
#include "harness/run/self_test.hpp"
#include "suite/record/json_fwd.hpp"
#include "suite/record/record.hpp"

namespace dwarfsweep {

void to_json(Json& json, const Value& value);
void from_json(const Json& json, Value& value);
void to_json(Json& json, const ValueMap& map);  ///< an array of [name, value] pairs: the order counts
void from_json(const Json& json, ValueMap& map);
void to_json(Json& json, const Problem& problem);
void from_json(const Json& json, Problem& problem);
void to_json(Json& json, const DeviceInfo& device);
void from_json(const Json& json, DeviceInfo& device);
void to_json(Json& json, const ProgressReport& report);
void from_json(const Json& json, ProgressReport& report);
void to_json(Json& json, const PlatformNote& note);
void from_json(const Json& json, PlatformNote& note);
void to_json(Json& json, const Inventory& inventory);
void from_json(const Json& json, Inventory& inventory);
void to_json(Json& json, const TimerReport& report);
void from_json(const Json& json, TimerReport& report);
void to_json(Json& json, const SelfTestReport& report);
void from_json(const Json& json, SelfTestReport& report);
void to_json(Json& json, const KernelTime& time);
void from_json(const Json& json, KernelTime& time);
void to_json(Json& json, const Sample& sample);
void from_json(const Json& json, Sample& sample);
void to_json(Json& json, const KernelFacts& facts);
void from_json(const Json& json, KernelFacts& facts);
void to_json(Json& json, const Check& check);
void from_json(const Json& json, Check& check);
void to_json(Json& json, const Work& work);
void from_json(const Json& json, Work& work);
void to_json(Json& json, const Preparation& preparation);
void from_json(const Json& json, Preparation& preparation);
void to_json(Json& json, const PointKey& key);
void from_json(const Json& json, PointKey& key);
void to_json(Json& json, const CpuState& cpus);  ///< without what the system does not tell
void from_json(const Json& json, CpuState& cpus);
void to_json(Json& json, const HostInfo& host);
void from_json(const Json& json, HostInfo& host);
void to_json(Json& json, const RunRecord& run);
void from_json(const Json& json, RunRecord& run);
void to_json(Json& json, const DeviceRecord& device);
void from_json(const Json& json, DeviceRecord& device);
void to_json(Json& json, const PeaksRecord& peaks);
void from_json(const Json& json, PeaksRecord& peaks);
void to_json(Json& json, const SelfTestRecord& test);
void from_json(const Json& json, SelfTestRecord& test);
void to_json(Json& json, const SizeRecord& size);
void from_json(const Json& json, SizeRecord& size);
void to_json(Json& json, const KnownPointRecord& known);
void from_json(const Json& json, KnownPointRecord& known);
void to_json(Json& json, const PlanRecord& plan);
void from_json(const Json& json, PlanRecord& plan);
void to_json(Json& json, const MergedRun& run);
void from_json(const Json& json, MergedRun& run);
void to_json(Json& json, const PointRecord& point);
void from_json(const Json& json, PointRecord& point);
void to_json(Json& json, const BlockSample& sample);
void from_json(const Json& json, BlockSample& sample);
void to_json(Json& json, const BlockRecord& block);
void from_json(const Json& json, BlockRecord& block);
void to_json(Json& json, const ClockReading& reading);  ///< without what the device does not tell
void from_json(const Json& json, ClockReading& reading);
void to_json(Json& json, const EnergyUse& use);
void from_json(const Json& json, EnergyUse& use);
void to_json(Json& json, const EnergyRecord& energy);
void from_json(const Json& json, EnergyRecord& energy);
void to_json(Json& json, const EndRecord& end);
void from_json(const Json& json, EndRecord& end);
void to_json(Json& json, const CountedPoint& point);
void from_json(const Json& json, CountedPoint& point);
void to_json(Json& json, const SearchRecord& search);
void from_json(const Json& json, SearchRecord& search);
void to_json(Json& json, const EvaluationCost& cost);
void from_json(const Json& json, EvaluationCost& cost);
void to_json(Json& json, const EvaluationRecord& evaluation);
void from_json(const Json& json, EvaluationRecord& evaluation);
void to_json(Json& json, const TiedPoint& point);
void from_json(const Json& json, TiedPoint& point);
void to_json(Json& json, const AnswerRecord& answer);
void from_json(const Json& json, AnswerRecord& answer);

}  // namespace dwarfsweep
