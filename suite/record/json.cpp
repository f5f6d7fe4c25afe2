#include "suite/record/json.hpp"

#include <limits>

#include "suite/record/json_fields.hpp"

namespace dwarfsweep {

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json parse_json(std::string_view text) {
  return Json::parse(text);
}

Json parse_json_if_valid(std::string_view text) {
  constexpr bool with_exceptions = false;
  return Json::parse(text, nullptr, with_exceptions);
}

std::string as_utf8(const std::string& text) {
  return parse_json(json_text(text)).get<std::string>();
}

std::string plain_message(const std::exception& error) {
  const std::string text = error.what();
  const std::size_t end = text.find("] ");
  return text.starts_with("[json.exception.") && end != std::string::npos ? text.substr(end + 2) : text;
}

// --- the structures of the harness ---

void to_json(Json& json, const Value& value) {
  if (value.is_integer()) {
    json = value.integer();
  } else if (value.is_real()) {
    json = value.real();
  } else {
    json = value.string();
  }
}

void from_json(const Json& json, Value& value) {
  if (json.is_number_integer()) {
    value = json.get<std::int64_t>();
  } else if (json.is_number()) {
    value = json.get<double>();
  } else {
    value = json.get<std::string>();
  }
}

void to_json(Json& json, const ValueMap& map) {
  json = Json::array();
  for (const auto& [name, value] : map.entries()) json.push_back(Json::array({name, Json(value)}));
}

void from_json(const Json& json, ValueMap& map) {
  map = ValueMap();
  for (const Json& entry : json) {
    Value value = 0;
    from_json(entry.at(1), value);
    map = map.with(entry.at(0).get<std::string>(), value);
  }
}

BOTH_WAYS(Problem, size, values)
BOTH_WAYS(PlatformNote, platform, note)
BOTH_WAYS(ProgressReport, tested, fault, groups, pairs_met)
BOTH_WAYS(Inventory, devices, notes)
BOTH_WAYS(SelfTestReport, timer, launch_ns, linearity, event_share, harness_ns, self_comparison, half_width,
          trusted_to_one_percent)
BOTH_WAYS(KernelTime, kernel, ns, events, queued_ns, submit_ns, start_ns, end_ns)
BOTH_WAYS(KernelFacts, name, work_group_items, local_bytes, private_bytes, registers, spill_bytes)
BOTH_WAYS(Work, kernel, bytes, operations, items)
BOTH_WAYS(EnergyUse, joules, seconds, runs, steps)

RECORD(Sample) {
  ALWAYS(kernels, launches, wall_ns, host_begin_ns, host_end_ns, fault)
  LATER(span_ns, host_ns)  // schema 1 has neither
}

namespace {

// The numeric limits are an object of their own; the other capabilities are fields of the device.

template <typename Fields, typename Record>
void each_limit(Fields& fields, Record& record) {
  ALWAYS(work_group_items, work_item_sizes, local_bytes, constant_bytes, global_bytes, allocation_bytes,
         local_is_dedicated, images, fp64)
}

template <typename Fields, typename Record>
void each_capability(Fields& fields, Record& record) {
  ALWAYS(compute_units, unified_memory, fma)
  LATER(sub_group_sizes, ordered_atomics, async_copies, float_lanes, compute_capability)
}

template <typename Fields, typename Record>
void each_device_field(Fields& fields, Record& record) {
  ALWAYS(index, id, platform, platform_version, platform_vendor, name, vendor, driver, type, version,
         c_version, extensions, clock_mhz, global_cache_bytes, base_alignment_bytes, timer_resolution_ns,
         checks_bounds)
  LATER(newest_c_version, progress, max_iterations)
}

}  // namespace

void to_json(Json& json, const DeviceInfo& device) {
  FieldWriter fields(json);
  each_device_field(fields, device);
  each_capability(fields, device.capabilities);
  FieldWriter limits(json["limits"]);
  each_limit(limits, device.capabilities);
}

void from_json(const Json& json, DeviceInfo& device) {
  device = {};
  FieldReader fields(json);
  each_device_field(fields, device);
  each_capability(fields, device.capabilities);
  FieldReader limits(json.at("limits"));
  each_limit(limits, device.capabilities);
  device.derive_capabilities();
}

RECORD(Check) {
  ALWAYS(ok, message)
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();  // of a wrong result
  NUMBER(max_error, nan)
  NUMBER(tolerance, nan)
}

NLOHMANN_JSON_SERIALIZE_ENUM(Timer, {{Timer::host, "host"}, {Timer::device, "device"}})

RECORD(TimerReport) {
  ALWAYS(timer, reason, tick_ns, launch_ns)
  LATER(spans, span_reason)                                 // schema 1 has neither
  NUMBER(scaling, std::numeric_limits<double>::infinity())  // the shorter loop took no time
}

void to_json(Json& json, const Status& status) {
  json = to_string(status);
}

void from_json(const Json& json, Status& status) {
  const auto known = status_from_string(json.get<std::string>());
  if (!known) throw std::runtime_error("unknown status " + json_text(json));
  status = *known;
}

RECORD(Preparation) {
  ALWAYS(status, reason, build_ns, upload_ns, download_ns, warm_up_ns, verify_ns, sample_ns, facts, work,
         check)
  LATER(program_id, paths)  // logs of schema 1 have neither
  LATER(run_ns)
}

RECORD(ClockReading) {
  IF_ANY(mhz, throttle_reasons)
}

// --- the records of the log ---

BOTH_WAYS(PointKey, device_id, dwarf, size, problem, config)
BOTH_WAYS(DeviceRecord, info, timer)
BOTH_WAYS(PeaksRecord, device_id, values)
BOTH_WAYS(SelfTestRecord, device_id, values, failure)
BOTH_WAYS(SizeRecord, device_id, dwarf, size, problem, reason)
BOTH_WAYS(PlanRecord, points)
BOTH_WAYS(MergedRun, run_id, shard, planned, ended)
BOTH_WAYS(PointRecord, key, baseline, timestamp, driver, timer, cache, preparation)
BOTH_WAYS(AnchorRecord, key, baseline_ns, anchor_ns)
BOTH_WAYS(EnergyRecord, key, meter, joules, seconds, runs, steps)
BOTH_WAYS(PointDigests, inputs, results)
BOTH_WAYS(DigestRecord, key, seed, digests)
BOTH_WAYS(EndRecord, key, stop_reason)
BOTH_WAYS(KnownSettings, settings, origin)

RECORD(ArrayDigest) {
  ALWAYS(type, count)
  IF_ANY(sha256, elements)
}

RECORD(KnownPointRecord) {
  ALWAYS(device_id, dwarf, size, problem)
  IF_ANY(transferred)
  if (record.transferred.empty()) {
    ALWAYS(settings, origin, other_settings, other_origin)
    IF_ANY(candidates)
  }
}

RECORD(CpuState) {
  IF_ANY(allowed, governors, turbo, numa_nodes, load_average, busy_cpus)
}

RECORD(HostInfo) {
  ALWAYS(name, processor, system, threads, memory_bytes)
  LATER(cpus)
}

RECORD(RunRecord) {
  ALWAYS(run_id, timestamp, version, revision, arguments, host, notes)
  LATER(kernels, environment, builders)
  IF_ANY(shard, merged)
}

NLOHMANN_JSON_SERIALIZE_ENUM(PairRole, {{PairRole::variant, "variant"},
                                        {PairRole::baseline, "baseline"},
                                        {PairRole::incumbent, "incumbent"}})

BOTH_WAYS(BlockSample, pair, order, role, sample)

RECORD(BlockRecord) {
  ALWAYS(key, round, process, paired, confirmation, samples)
  IF_ANY(opponent, clock, tick_ns)
}

// --- the records of a search ---

BOTH_WAYS(EvaluationCost, search_s, build_s, verify_s, measure_s)
BOTH_WAYS(CarvingRow, with, points, drawn, probability)
BOTH_WAYS(CarvingRecord, counted, compiled, kept, measured, by_efficiency_alone, best, best_value, efficiency,
          utilisation, random, random_value, seconds, rows)
BOTH_WAYS(TiedPoint, config, ratio, low, high, fresh)
BOTH_WAYS(FrontPoint, config, time_ns, joules, time_ratio, time_low, time_high, energy_ratio, energy_low,
          energy_high)

RECORD(CountedPoint) {
  ALWAYS(config, instructions, threads, regions)
  IF_ANY(registers)
  if (record.registers != 0) {
    LATER(local_bytes)
  }
}

RECORD(SearchRecord) {
  ALWAYS(baseline, strategy, seed, points, known, phase, seconds)
  LATER(objective)
  IF_ANY(counted)
  if (!record.counted.empty()) {
    LATER(carving_s)
  }
}

RECORD(EvaluationRecord) {
  ALWAYS(key, number, proposer, planned, outcome, error, opponent, blocks, seconds, cost, noise,
         incumbent_span_ns, incumbent_wall_ns)
  IF_ANY(time_ns, joules, value)
}

RECORD(AnswerRecord) {
  ALWAYS(best, speedup_low, speedup_high, time_ns, tied, evaluations, seconds)
  IF_ANY(speedup, joules, saving, front, carving)
  if (record.saving) {
    LATER(saving_low, saving_high)
  }
}

}  // namespace dwarfsweep
