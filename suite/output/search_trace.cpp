#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "suite/output/search_summary.hpp"
#include "suite/record/csv.hpp"

namespace dwarfsweep {
namespace {

constexpr const char* header =
    "run_id,device,device_id,dwarf,size,problem,evaluation,seconds,proposer,outcome,config,time_ns,best_ns,"
    "search_s,build_s,verify_s,measure_s,energy_j,best_energy_j,on_front\n";

std::string cell(const std::optional<double>& value) {
  return value ? number_text(*value) : "";
}

// Whether no evaluation is better in one of time and energy, and not worse in the other; empty where the
// energy is not known.
std::string on_front(const EvaluationRecord& one, const std::vector<EvaluationRecord>& evaluations) {
  if (!one.joules) return "";
  const bool beaten = std::any_of(evaluations.begin(), evaluations.end(), [&](const EvaluationRecord& each) {
    return each.joules && *each.joules <= *one.joules && *each.time_ns <= *one.time_ns &&
           (*each.joules < *one.joules || *each.time_ns < *one.time_ns);
  });
  return beaten ? "false" : "true";
}

std::string lines_of(const RunLog& log, const std::vector<EvaluationRecord>& evaluations) {
  std::string text;
  std::optional<double> best;
  std::optional<double> best_joules;
  for (const EvaluationRecord& each : evaluations) {
    if (each.time_ns) best = best ? std::min(*best, *each.time_ns) : *each.time_ns;
    if (each.joules) best_joules = best_joules ? std::min(*best_joules, *each.joules) : *each.joules;
    const auto device = log.devices.find(each.key.device_id);
    const std::string name = device == log.devices.end() ? "" : device->second.info.name;
    for (const std::string& part :
         {log.run.run_id, name, each.key.device_id, each.key.dwarf, each.key.size, each.key.problem})
      text += csv_cell(part) + ",";
    text +=
        fmt::format("{},{},{},{},{},{},{},", each.number, number_text(each.seconds), csv_cell(each.proposer),
                    each.outcome, csv_cell(each.key.config), cell(each.time_ns), cell(best));
    const EvaluationCost& cost = each.cost;
    text += fmt::format("{},{},{},{},{},{},{}\n", number_text(cost.search_s), number_text(cost.build_s),
                        number_text(cost.verify_s), number_text(cost.measure_s), cell(each.joules),
                        cell(best_joules), on_front(each, evaluations));
  }
  return text;
}

}  // namespace

std::string search_trace(const RunLog& log) {
  std::string text;
  for (const auto& [group, evaluations] : log.evaluations) text += lines_of(log, evaluations);
  return text.empty() ? "" : header + text;
}

}  // namespace dwarfsweep
