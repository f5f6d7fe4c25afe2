#include "suite/judge/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "suite/record/json.hpp"

namespace dwarfsweep {
namespace {

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
  static const std::set<std::string> cheats = {"replays_result",   "senses_poison",   "skips_later_launches",
                                               "known_input_only", "constant_result", "includes_file",
                                               "prints",           "too_fast"};
  static const std::set<std::string> fails = {"build_failed",  "build_timeout", "hangs",  "crashes",
                                              "out_of_memory", "not_runnable",  "no_time"};
  return cheats.contains(kind) ? "cheats" : fails.contains(kind) ? "fails" : "wrong";
}

// Twice as fast as the fastest of all bandwidths is beyond any error of measuring it.
std::optional<JudgeFinding> find_impossible_time(const std::map<std::string, double>& peaks, double bytes,
                                                 double ns) {
  double gb_per_s = 0;
  for (const auto& [name, value] : peaks) {
    if (name.ends_with("gb_per_s")) gb_per_s = std::max(gb_per_s, value);
  }
  if (gb_per_s <= 0 || ns > 0.5 * bytes / gb_per_s) return std::nullopt;
  return JudgeFinding{
      "too_fast",
      fmt::format("{:.0f} bytes of inputs and results in {:.0f} ns, at a highest bandwidth of {:.0f} GB/s",
                  bytes, ns, gb_per_s)};
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
