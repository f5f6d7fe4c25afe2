// The structures of the harness as JSON.
#include <limits>
#include <stdexcept>

#include "suite/record/json_fields.hpp"

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

BOTH_WAYS(Problem, size, values)
BOTH_WAYS(PlatformNote, platform, note)
BOTH_WAYS(ProgressReport, tested, fault, groups, pairs_met)
BOTH_WAYS(Inventory, devices, notes)
BOTH_WAYS(SelfTestReport, timer, launch_ns, linearity, event_share, harness_ns, self_comparison, half_width,
          trusted_to_one_percent)
BOTH_WAYS(KernelTime, kernel, ns, events, queued_ns, submit_ns, start_ns, end_ns)

void to_json(Json& json, const Sample& sample) {
  json = {{"kernels", sample.kernels},         {"launches", sample.launches},
          {"wall_ns", sample.wall_ns},         {"span_ns", sample.span_ns},
          {"host_ns", sample.host_ns},         {"host_begin_ns", sample.host_begin_ns},
          {"host_end_ns", sample.host_end_ns}, {"fault", sample.fault}};
}

void from_json(const Json& json, Sample& sample) {
  json.at("kernels").get_to(sample.kernels);
  json.at("launches").get_to(sample.launches);
  json.at("wall_ns").get_to(sample.wall_ns);
  sample.span_ns = json.value("span_ns", 0.0);  // schema 1 has neither of these two
  sample.host_ns = json.value("host_ns", 0.0);
  json.at("host_begin_ns").get_to(sample.host_begin_ns);
  json.at("host_end_ns").get_to(sample.host_end_ns);
  json.at("fault").get_to(sample.fault);
}

BOTH_WAYS(KernelFacts, name, work_group_items, local_bytes, private_bytes, registers, spill_bytes)
BOTH_WAYS(Work, kernel, bytes, operations, items)

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

// The numeric limits are an object of their own, `limits`; the other capabilities are fields of the device.
// Older logs may lack the last seven.
void to_json(Json& nlohmann_json_j, const DeviceInfo& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, DEVICE_FIELDS))
  const Capabilities& capabilities = nlohmann_json_t.capabilities;
  nlohmann_json_j["compute_units"] = capabilities.compute_units;
  nlohmann_json_j["unified_memory"] = capabilities.unified_memory;
  nlohmann_json_j["fma"] = capabilities.fma;
  nlohmann_json_j["sub_group_sizes"] = capabilities.sub_group_sizes;
  nlohmann_json_j["newest_c_version"] = nlohmann_json_t.newest_c_version;
  nlohmann_json_j["ordered_atomics"] = capabilities.ordered_atomics;
  nlohmann_json_j["async_copies"] = capabilities.async_copies;
  nlohmann_json_j["float_lanes"] = capabilities.float_lanes;
  nlohmann_json_j["progress"] = nlohmann_json_t.progress;
  nlohmann_json_j["max_iterations"] = nlohmann_json_t.max_iterations;
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
  nlohmann_json_t.newest_c_version = nlohmann_json_j.value("newest_c_version", "1.2");
  capabilities.ordered_atomics = nlohmann_json_j.value("ordered_atomics", false);
  nlohmann_json_t.progress = nlohmann_json_j.value("progress", ProgressReport());
  capabilities.async_copies = nlohmann_json_j.value("async_copies", false);
  capabilities.float_lanes = nlohmann_json_j.value("float_lanes", 0U);
  nlohmann_json_t.max_iterations = nlohmann_json_j.value("max_iterations", std::uint64_t{0});
  nlohmann_json_t.derive_capabilities();
}

// JSON has neither NaN nor infinity, which a wrong result may produce: both are written as null.
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
          {"spans", report.spans},
          {"span_reason", report.span_reason},
          {"tick_ns", report.tick_ns},
          {"launch_ns", report.launch_ns},
          {"scaling", report.scaling}};
}

void from_json(const Json& json, TimerReport& report) {
  report.timer = json.at("timer") == "device" ? Timer::device : Timer::host;
  json.at("reason").get_to(report.reason);
  report.spans = json.value("spans", false);  // schema 1 has neither of these two
  report.span_reason = json.value("span_reason", "");
  json.at("tick_ns").get_to(report.tick_ns);
  json.at("launch_ns").get_to(report.launch_ns);
  const Json& scaling = json.at("scaling");  // infinite where the shorter loop took no time
  report.scaling = scaling.is_null() ? std::numeric_limits<double>::infinity() : scaling.get<double>();
}

void to_json(Json& json, const Preparation& preparation) {
  json = {{"status", to_string(preparation.status)},
          {"reason", preparation.reason},
          {"build_ns", preparation.build_ns},
          {"program_id", preparation.program_id},
          {"paths", preparation.paths},
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
  preparation.program_id = json.value("program_id", "");  // logs of schema 1 have none of these two
  preparation.paths = json.value("paths", std::vector<std::string>());
  json.at("upload_ns").get_to(preparation.upload_ns);
  json.at("download_ns").get_to(preparation.download_ns);
  json.at("warm_up_ns").get_to(preparation.warm_up_ns);
  json.at("verify_ns").get_to(preparation.verify_ns);
  json.at("sample_ns").get_to(preparation.sample_ns);
  json.at("facts").get_to(preparation.facts);
  json.at("work").get_to(preparation.work);
  json.at("check").get_to(preparation.check);
}

}  // namespace dwarfsweep
