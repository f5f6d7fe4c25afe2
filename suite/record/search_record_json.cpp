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

BOTH_WAYS(SearchRecord, baseline, strategy, seed, points, known, phase, seconds)
BOTH_WAYS(EvaluationCost, search_s, build_s, verify_s, measure_s)
BOTH_WAYS(TiedPoint, config, ratio, low, high, fresh)

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
}

}  // namespace dwarfsweep
