#include "suite/record/json.hpp"

#include <limits>
#include <stdexcept>

namespace dwarfsweep {

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

// nlohmann's macros write both directions from one list of fields, so that none can be forgotten in one of
// them.
#define BOTH_WAYS(type, ...)                                                   \
  void to_json(Json& nlohmann_json_j, const type& nlohmann_json_t) {           \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))   \
  }                                                                            \
  void from_json(const Json& nlohmann_json_j, type& nlohmann_json_t) {         \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__)) \
  }

BOTH_WAYS(Problem, size, values)
BOTH_WAYS(PlatformNote, platform, note)
BOTH_WAYS(Inventory, devices, notes)
BOTH_WAYS(SelfTestReport, timer, launch_ns, linearity, event_share, harness_ns, self_comparison, half_width,
          trusted_to_one_percent)
BOTH_WAYS(KernelTime, kernel, ns, events, queued_ns, submit_ns, start_ns, end_ns)
BOTH_WAYS(Sample, kernels, launches, wall_ns, host_begin_ns, host_end_ns, fault)
BOTH_WAYS(KernelFacts, name, work_group_items, local_bytes, private_bytes, registers, spill_bytes)
BOTH_WAYS(Work, kernel, bytes, operations, items)
BOTH_WAYS(PointKey, device_id, dwarf, size, problem, config)
BOTH_WAYS(HostInfo, name, processor, system, threads, memory_bytes)
BOTH_WAYS(DeviceRecord, info, timer)
BOTH_WAYS(PeaksRecord, device_id, values)
BOTH_WAYS(SelfTestRecord, device_id, values, failure)
BOTH_WAYS(PointRecord, key, baseline, timestamp, driver, timer, cache, preparation)
BOTH_WAYS(BlockRecord, key, round, process, paired, confirmation, samples)
BOTH_WAYS(EndRecord, key, stop_reason)

#undef BOTH_WAYS

namespace {

#define LIMITS                                                                                    \
  work_group_items, work_item_sizes, local_bytes, constant_bytes, global_bytes, allocation_bytes, \
      local_is_dedicated, images, fp64

void limits_to_json(Json& nlohmann_json_j, const Capabilities& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, LIMITS))
}

void limits_from_json(const Json& nlohmann_json_j, Capabilities& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, LIMITS))
}

}  // namespace

#define DEVICE_FIELDS                                                                                     \
  index, id, platform, platform_version, platform_vendor, name, vendor, driver, type, version, c_version, \
      extensions, clock_mhz, global_cache_bytes, base_alignment_bytes, timer_resolution_ns, checks_bounds

// The numeric limits stand in an object of their own, the other capabilities beside the device's names: the
// logs of schema 1 may lack the sub-group sizes.
void to_json(Json& nlohmann_json_j, const DeviceInfo& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, DEVICE_FIELDS))
  const Capabilities& capabilities = nlohmann_json_t.capabilities;
  nlohmann_json_j["compute_units"] = capabilities.compute_units;
  nlohmann_json_j["unified_memory"] = capabilities.unified_memory;
  nlohmann_json_j["fma"] = capabilities.fma;
  nlohmann_json_j["sub_group_sizes"] = capabilities.sub_group_sizes;
  limits_to_json(nlohmann_json_j["limits"], capabilities);
}

void from_json(const Json& nlohmann_json_j, DeviceInfo& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, DEVICE_FIELDS))
  Capabilities& capabilities = nlohmann_json_t.capabilities;
  limits_from_json(nlohmann_json_j.at("limits"), capabilities);
  nlohmann_json_j.at("compute_units").get_to(capabilities.compute_units);
  nlohmann_json_j.at("unified_memory").get_to(capabilities.unified_memory);
  nlohmann_json_j.at("fma").get_to(capabilities.fma);
  capabilities.sub_group_sizes = nlohmann_json_j.value("sub_group_sizes", std::vector<std::uint32_t>());
  nlohmann_json_t.derive_capabilities();
}

void to_json(Json& json, const RunRecord& run) {
  json = {{"run_id", run.run_id},     {"timestamp", run.timestamp},    {"version", run.version},
          {"revision", run.revision}, {"arguments", run.arguments},    {"host", run.host},
          {"notes", run.notes},       {"environment", run.environment}};
}

void from_json(const Json& json, RunRecord& run) {
  json.at("run_id").get_to(run.run_id);
  json.at("timestamp").get_to(run.timestamp);
  json.at("version").get_to(run.version);
  json.at("revision").get_to(run.revision);
  json.at("arguments").get_to(run.arguments);
  json.at("host").get_to(run.host);
  json.at("notes").get_to(run.notes);
  run.environment = json.value("environment", std::map<std::string, std::string>());
}

// JSON has no NaN and no infinity, and both are what a wrong result may bring: they travel as null.
void to_json(Json& json, const Check& check) {
  json = {{"ok", check.ok},
          {"max_error", check.max_error},
          {"tolerance", check.tolerance},
          {"message", check.message}};
}

void from_json(const Json& json, Check& check) {
  const auto number = [&](const char* name) {
    return json.at(name).is_null() ? std::numeric_limits<double>::quiet_NaN() : json.at(name).get<double>();
  };
  json.at("ok").get_to(check.ok);
  check.max_error = number("max_error");
  check.tolerance = number("tolerance");
  json.at("message").get_to(check.message);
}

void to_json(Json& json, const TimerReport& report) {
  json = {{"timer", report.timer == Timer::device ? "device" : "host"},
          {"reason", report.reason},
          {"tick_ns", report.tick_ns},
          {"launch_ns", report.launch_ns},
          {"scaling", report.scaling}};
}

void from_json(const Json& json, TimerReport& report) {
  report.timer = json.at("timer") == "device" ? Timer::device : Timer::host;
  json.at("reason").get_to(report.reason);
  json.at("tick_ns").get_to(report.tick_ns);
  json.at("launch_ns").get_to(report.launch_ns);
  const Json& scaling = json.at("scaling");  // infinite where the shorter loop took no time
  report.scaling = scaling.is_null() ? std::numeric_limits<double>::infinity() : scaling.get<double>();
}

void to_json(Json& json, const Preparation& preparation) {
  json = {{"status", to_string(preparation.status)},
          {"reason", preparation.reason},
          {"build_ns", preparation.build_ns},
          {"upload_ns", preparation.upload_ns},
          {"download_ns", preparation.download_ns},
          {"warm_up_ns", preparation.warm_up_ns},
          {"verify_ns", preparation.verify_ns},
          {"sample_ns", preparation.sample_ns},
          {"facts", preparation.facts},
          {"work", preparation.work},
          {"check", preparation.check}};
}

void from_json(const Json& json, Preparation& preparation) {
  const auto status = status_from_string(json.at("status").get<std::string>());
  if (!status) throw std::runtime_error("unknown status " + json.at("status").dump());
  preparation.status = *status;
  json.at("reason").get_to(preparation.reason);
  json.at("build_ns").get_to(preparation.build_ns);
  json.at("upload_ns").get_to(preparation.upload_ns);
  json.at("download_ns").get_to(preparation.download_ns);
  json.at("warm_up_ns").get_to(preparation.warm_up_ns);
  json.at("verify_ns").get_to(preparation.verify_ns);
  json.at("sample_ns").get_to(preparation.sample_ns);
  json.at("facts").get_to(preparation.facts);
  json.at("work").get_to(preparation.work);
  json.at("check").get_to(preparation.check);
}

void to_json(Json& json, const BlockSample& sample) {
  json = {{"pair", sample.pair},
          {"order", sample.order},
          {"role", sample.role == PairRole::baseline ? "baseline" : "variant"},
          {"sample", sample.sample}};
}

void from_json(const Json& json, BlockSample& sample) {
  json.at("pair").get_to(sample.pair);
  json.at("order").get_to(sample.order);
  sample.role = json.at("role") == "baseline" ? PairRole::baseline : PairRole::variant;
  json.at("sample").get_to(sample.sample);
}

}  // namespace dwarfsweep
