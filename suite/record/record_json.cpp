// The records of the log as JSON.
#include "suite/record/json_fields.hpp"

namespace dwarfsweep {

BOTH_WAYS(PointKey, device_id, dwarf, size, problem, config)
BOTH_WAYS(DeviceRecord, info, timer)
BOTH_WAYS(PeaksRecord, device_id, values)
BOTH_WAYS(SelfTestRecord, device_id, values, failure)
BOTH_WAYS(SizeRecord, device_id, dwarf, size, problem, reason)
BOTH_WAYS(PlanRecord, points)
BOTH_WAYS(MergedRun, run_id, shard, planned, ended)
BOTH_WAYS(PointRecord, key, baseline, timestamp, driver, timer, cache, preparation)
BOTH_WAYS(EnergyUse, joules, seconds, runs, steps)
BOTH_WAYS(EnergyRecord, key, meter, joules, seconds, runs, steps)
BOTH_WAYS(EndRecord, key, stop_reason)

void to_json(Json& json, const KnownPointRecord& known) {
  json = {{"device_id", known.device_id},
          {"dwarf", known.dwarf},
          {"size", known.size},
          {"problem", known.problem}};
  if (!known.transferred.empty()) {
    for (const KnownSettings& each : known.transferred)
      json["transferred"].push_back({{"settings", each.settings}, {"origin", each.origin}});
    return;
  }
  json["settings"] = known.settings;
  json["origin"] = known.origin;
  json["other_settings"] = known.other_settings;
  json["other_origin"] = known.other_origin;
}

void from_json(const Json& json, KnownPointRecord& known) {
  known = {};
  json.at("device_id").get_to(known.device_id);
  json.at("dwarf").get_to(known.dwarf);
  json.at("size").get_to(known.size);
  json.at("problem").get_to(known.problem);
  if (json.contains("transferred")) {
    for (const Json& each : json.at("transferred"))
      known.transferred.push_back(
          {each.at("settings").get<ValueMap>(), each.at("origin").get<std::string>()});
    return;
  }
  json.at("settings").get_to(known.settings);
  json.at("origin").get_to(known.origin);
  json.at("other_settings").get_to(known.other_settings);
  json.at("other_origin").get_to(known.other_origin);
}

void to_json(Json& json, const ClockReading& reading) {
  json = Json::object();
  if (reading.mhz) json["mhz"] = *reading.mhz;
  if (reading.throttle_reasons) json["throttle_reasons"] = *reading.throttle_reasons;
}

void from_json(const Json& json, ClockReading& reading) {
  reading = {};
  if (json.contains("mhz")) reading.mhz = json.at("mhz").get<double>();
  if (json.contains("throttle_reasons"))
    reading.throttle_reasons = json.at("throttle_reasons").get<std::vector<std::string>>();
}

void to_json(Json& json, const BlockRecord& block) {
  json = {{"key", block.key},
          {"round", block.round},
          {"process", block.process},
          {"paired", block.paired},
          {"confirmation", block.confirmation},
          {"samples", block.samples}};
  if (!block.opponent.empty()) json["opponent"] = block.opponent;
  if (block.clock != ClockReading()) json["clock"] = block.clock;
}

void from_json(const Json& json, BlockRecord& block) {
  json.at("key").get_to(block.key);
  json.at("round").get_to(block.round);
  json.at("process").get_to(block.process);
  json.at("paired").get_to(block.paired);
  json.at("confirmation").get_to(block.confirmation);
  json.at("samples").get_to(block.samples);
  block.opponent = json.value("opponent", "");
  block.clock = json.value("clock", ClockReading());
}

void to_json(Json& json, const CpuState& cpus) {
  json = Json::object();
  if (!cpus.allowed.empty()) json["allowed"] = cpus.allowed;
  if (!cpus.governors.empty()) json["governors"] = cpus.governors;
  if (!cpus.turbo.empty()) json["turbo"] = cpus.turbo;
  if (!cpus.numa_nodes.empty()) json["numa_nodes"] = cpus.numa_nodes;
  if (cpus.load_average) json["load_average"] = *cpus.load_average;
  if (cpus.busy_cpus) json["busy_cpus"] = *cpus.busy_cpus;
}

void from_json(const Json& json, CpuState& cpus) {
  const auto number = [&](const char* name) {
    return json.contains(name) ? std::optional(json.at(name).get<double>()) : std::nullopt;
  };
  cpus.allowed = json.value("allowed", "");
  cpus.governors = json.value("governors", std::vector<std::string>());
  cpus.turbo = json.value("turbo", "");
  cpus.numa_nodes = json.value("numa_nodes", std::map<std::string, std::string>());
  cpus.load_average = number("load_average");
  cpus.busy_cpus = number("busy_cpus");
}

void to_json(Json& json, const HostInfo& host) {
  json = {{"name", host.name},       {"processor", host.processor},       {"system", host.system},
          {"threads", host.threads}, {"memory_bytes", host.memory_bytes}, {"cpus", host.cpus}};
}

void from_json(const Json& json, HostInfo& host) {
  json.at("name").get_to(host.name);
  json.at("processor").get_to(host.processor);
  json.at("system").get_to(host.system);
  json.at("threads").get_to(host.threads);
  json.at("memory_bytes").get_to(host.memory_bytes);
  host.cpus = json.value("cpus", CpuState());
}

void to_json(Json& json, const RunRecord& run) {
  json = {{"run_id", run.run_id},     {"timestamp", run.timestamp}, {"version", run.version},
          {"revision", run.revision}, {"kernels", run.kernels},     {"arguments", run.arguments},
          {"host", run.host},         {"notes", run.notes},         {"environment", run.environment},
          {"builders", run.builders}};
  if (!run.shard.empty()) json["shard"] = run.shard;
  if (!run.merged.empty()) json["merged"] = run.merged;
}

void from_json(const Json& json, RunRecord& run) {
  json.at("run_id").get_to(run.run_id);
  json.at("timestamp").get_to(run.timestamp);
  json.at("version").get_to(run.version);
  json.at("revision").get_to(run.revision);
  json.at("arguments").get_to(run.arguments);
  json.at("host").get_to(run.host);
  json.at("notes").get_to(run.notes);
  run.kernels = json.value("kernels", "");
  run.environment = json.value("environment", std::map<std::string, std::string>());
  run.builders = json.value("builders", std::map<std::string, int>());
  run.shard = json.value("shard", "");
  run.merged = json.value("merged", std::vector<MergedRun>());
}

void to_json(Json& json, const BlockSample& sample) {
  json = {{"pair", sample.pair},
          {"order", sample.order},
          {"role", to_string(sample.role)},
          {"sample", sample.sample}};
}

void from_json(const Json& json, BlockSample& sample) {
  json.at("pair").get_to(sample.pair);
  json.at("order").get_to(sample.order);
  const std::string role = json.at("role");
  sample.role = role == "baseline"    ? PairRole::baseline
                : role == "incumbent" ? PairRole::incumbent
                                      : PairRole::variant;
  json.at("sample").get_to(sample.sample);
}

}  // namespace dwarfsweep
