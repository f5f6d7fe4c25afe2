// The records of a search as JSON.
#include "suite/record/json_fields.hpp"

namespace dwarfsweep {
namespace {

void put(Json& json, const char* name, const std::optional<double>& value) {
  if (value) json[name] = *value;
}

std::optional<double> take(const Json& json, const char* name) {
  return json.contains(name) ? std::optional(json.at(name).get<double>()) : std::nullopt;
}

}  // namespace

BOTH_WAYS(EvaluationCost, search_s, build_s, verify_s, measure_s)
BOTH_WAYS(CarvingRow, with, points, drawn, probability)
BOTH_WAYS(CarvingRecord, counted, compiled, kept, measured, by_efficiency_alone, best, best_value, efficiency,
          utilisation, random, random_value, seconds, rows)
BOTH_WAYS(TiedPoint, config, ratio, low, high, fresh)
BOTH_WAYS(FrontPoint, config, time_ns, joules, time_ratio, time_low, time_high, energy_ratio, energy_low,
          energy_high)

// The needs of its groups came later than the counts.
void to_json(Json& json, const CountedPoint& point) {
  json = {{"config", point.config},
          {"instructions", point.instructions},
          {"threads", point.threads},
          {"regions", point.regions}};
  if (point.registers == 0) return;
  json["registers"] = point.registers;
  json["local_bytes"] = point.local_bytes;
}

void from_json(const Json& json, CountedPoint& point) {
  json.at("config").get_to(point.config);
  json.at("instructions").get_to(point.instructions);
  json.at("threads").get_to(point.threads);
  json.at("regions").get_to(point.regions);
  point.registers = json.value("registers", std::int64_t{0});
  point.local_bytes = json.value("local_bytes", std::int64_t{0});
}

void to_json(Json& json, const SearchRecord& search) {
  json = {{"baseline", search.baseline}, {"strategy", search.strategy}, {"objective", search.objective},
          {"seed", search.seed},         {"points", search.points},     {"known", search.known},
          {"phase", search.phase},       {"seconds", search.seconds}};
  if (search.counted.empty()) return;
  json["counted"] = search.counted;
  json["carving_s"] = search.carving_s;
}

void from_json(const Json& json, SearchRecord& search) {
  json.at("baseline").get_to(search.baseline);
  json.at("strategy").get_to(search.strategy);
  search.counted = json.value("counted", std::vector<CountedPoint>());
  search.carving_s = json.value("carving_s", 0.0);
  search.objective = json.value("objective", "time");
  json.at("seed").get_to(search.seed);
  json.at("points").get_to(search.points);
  json.at("known").get_to(search.known);
  json.at("phase").get_to(search.phase);
  json.at("seconds").get_to(search.seconds);
}

void to_json(Json& json, const EvaluationRecord& evaluation) {
  json = {{"key", evaluation.key},
          {"number", evaluation.number},
          {"proposer", evaluation.proposer},
          {"planned", evaluation.planned},
          {"outcome", evaluation.outcome},
          {"error", evaluation.error},
          {"opponent", evaluation.opponent},
          {"blocks", evaluation.blocks},
          {"seconds", evaluation.seconds},
          {"cost", evaluation.cost},
          {"noise", evaluation.noise},
          {"incumbent_span_ns", evaluation.incumbent_span_ns},
          {"incumbent_wall_ns", evaluation.incumbent_wall_ns}};
  put(json, "time_ns", evaluation.time_ns);
  put(json, "joules", evaluation.joules);
  put(json, "value", evaluation.value);
}

void from_json(const Json& json, EvaluationRecord& evaluation) {
  json.at("key").get_to(evaluation.key);
  json.at("number").get_to(evaluation.number);
  json.at("proposer").get_to(evaluation.proposer);
  json.at("planned").get_to(evaluation.planned);
  json.at("outcome").get_to(evaluation.outcome);
  json.at("error").get_to(evaluation.error);
  json.at("opponent").get_to(evaluation.opponent);
  json.at("blocks").get_to(evaluation.blocks);
  json.at("seconds").get_to(evaluation.seconds);
  json.at("cost").get_to(evaluation.cost);
  json.at("noise").get_to(evaluation.noise);
  json.at("incumbent_span_ns").get_to(evaluation.incumbent_span_ns);
  json.at("incumbent_wall_ns").get_to(evaluation.incumbent_wall_ns);
  evaluation.time_ns = take(json, "time_ns");
  evaluation.joules = take(json, "joules");
  evaluation.value = take(json, "value");
}

void to_json(Json& json, const AnswerRecord& answer) {
  json = {{"best", answer.best},
          {"speedup_low", answer.speedup_low},
          {"speedup_high", answer.speedup_high},
          {"time_ns", answer.time_ns},
          {"tied", answer.tied},
          {"evaluations", answer.evaluations},
          {"seconds", answer.seconds}};
  put(json, "speedup", answer.speedup);
  put(json, "joules", answer.joules);
  put(json, "saving", answer.saving);
  if (answer.saving) {
    json["saving_low"] = answer.saving_low;
    json["saving_high"] = answer.saving_high;
  }
  if (!answer.front.empty()) json["front"] = answer.front;
  if (answer.carving) json["carving"] = *answer.carving;
}

void from_json(const Json& json, AnswerRecord& answer) {
  json.at("best").get_to(answer.best);
  json.at("speedup_low").get_to(answer.speedup_low);
  json.at("speedup_high").get_to(answer.speedup_high);
  json.at("time_ns").get_to(answer.time_ns);
  json.at("tied").get_to(answer.tied);
  json.at("evaluations").get_to(answer.evaluations);
  json.at("seconds").get_to(answer.seconds);
  answer.speedup = take(json, "speedup");
  answer.joules = take(json, "joules");
  answer.saving = take(json, "saving");
  answer.saving_low = json.value("saving_low", 0.0);
  answer.saving_high = json.value("saving_high", 0.0);
  answer.front = json.value("front", std::vector<FrontPoint>());
  if (json.contains("carving")) answer.carving = json.at("carving").get<CarvingRecord>();
}

}  // namespace dwarfsweep
