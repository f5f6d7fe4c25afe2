#include "suite/judge/judgement.hpp"

#include <fmt/format.h>

#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

const std::map<std::string, std::string>& verdicts() {
  static const std::map<std::string, std::string> all = {{"wrong_result", "wrong"},
                                                         {"hard_coded_shape", "wrong"},
                                                         {"left_out", "wrong"},
                                                         {"low_precision", "wrong"},
                                                         {"nondeterministic", "wrong"},
                                                         {"data_race", "wrong"},
                                                         {"reads_uninitialised", "wrong"},
                                                         {"reads_out_of_bounds", "wrong"},
                                                         {"divergent_barrier", "wrong"},
                                                         {"writes_out_of_bounds", "wrong"},
                                                         {"wrong_elsewhere", "wrong"},
                                                         {"replays_result", "cheats"},
                                                         {"senses_poison", "cheats"},
                                                         {"skips_later_launches", "cheats"},
                                                         {"known_input_only", "cheats"},
                                                         {"constant_result", "cheats"},
                                                         {"includes_file", "cheats"},
                                                         {"prints", "cheats"},
                                                         {"too_fast", "cheats"},
                                                         {"build_failed", "fails"},
                                                         {"build_timeout", "fails"},
                                                         {"hangs", "fails"},
                                                         {"crashes", "fails"},
                                                         {"out_of_memory", "fails"},
                                                         {"not_runnable", "fails"},
                                                         {"no_time", "fails"}};
  return all;
}

Json json_of(const std::optional<Interval95>& estimate) {
  if (!estimate) return {};
  return {{"value", estimate->value}, {"low", estimate->low}, {"high", estimate->high}};
}

std::string text_of(const char* name, const std::optional<Interval95>& estimate) {
  if (!estimate) return "";
  return fmt::format("{:<10}{:.3f}  [{:.3f}, {:.3f}]\n", name, estimate->value, estimate->low,
                     estimate->high);
}

}  // namespace

std::string verdict_of(const std::string& kind) {
  return verdicts().at(kind);
}

std::vector<std::string> finding_kinds() {
  std::vector<std::string> kinds;
  for (const auto& [kind, verdict] : verdicts()) kinds.push_back(kind);
  return kinds;
}

std::string Judgement::verdict() const {
  return findings.empty() ? "correct" : verdict_of(findings.front().kind);
}

std::string judgement_as_json(const Judgement& judgement) {
  Json json = {{"schema_version", judgement_schema},
               {"verdict", judgement.verdict()},
               {"findings", Json::array()},
               {"score", Json()},
               {"device",
                {{"name", judgement.device.name},
                 {"platform", judgement.device.platform},
                 {"driver", judgement.device.driver},
                 {"type", judgement.device.type}}},
               {"dwarf", judgement.dwarf},
               {"problem", judgement.problem},
               {"config", judgement.config},
               {"seed", judgement.seed},
               {"unchanged", judgement.unchanged},
               {"trials",
                {{"verified", judgement.verified},
                 {"shapes", judgement.shapes},
                 {"timed", judgement.timed},
                 {"simulated", judgement.simulated}}},
               {"seconds", judgement.seconds}};
  for (const JudgeFinding& each : judgement.findings)
    json["findings"].push_back({{"kind", each.kind}, {"detail", each.detail}});
  if (judgement.score) {
    json["score"] = {{"speedup_over_baseline", json_of(judgement.score->over_baseline)},
                     {"speedup_over_best", json_of(judgement.score->over_best)},
                     {"peak_fraction", json_of(judgement.score->peak_fraction)}};
  }
  return json_text(json, 2);
}

std::string judgement_as_text(const Judgement& judgement) {
  std::string text = fmt::format("verdict   {}\n", judgement.verdict());
  for (const JudgeFinding& each : judgement.findings)
    text += fmt::format("finding   {}: {}\n", each.kind, each.detail);
  text += fmt::format("device    {} ({})\npoint     {} {} {}\nseed      {}\n", judgement.device.name,
                      judgement.device.platform, judgement.dwarf, judgement.problem, judgement.config,
                      judgement.seed);
  text += fmt::format("trials    {} outputs verified, {} shapes, {} timed runs, {} in Oclgrind, {:.1f} s\n",
                      judgement.verified, judgement.shapes, judgement.timed, judgement.simulated,
                      judgement.seconds);
  if (judgement.unchanged) text += "note      this point's programs are the built-in ones\n";
  if (judgement.score) {
    text += text_of("baseline", judgement.score->over_baseline) +
            text_of("best", judgement.score->over_best) + text_of("of peak", judgement.score->peak_fraction);
  }
  return text;
}

}  // namespace dwarfsweep
