#include "suite/sweep/plan_known_points.hpp"

#include <algorithm>

#include "suite/plan/nearest_best.hpp"

namespace dwarfsweep {

PlanKnownPoints::PlanKnownPoints(const Options& options, const PlanRequest& plan, const KnownPoints& before)
    : options_(options), plan_(plan), before_(before) {
  if (plan.kind == PlanKind::best) own_ = read_own_best();
}

const std::vector<EarlierRun>& PlanKnownPoints::earlier() const {
  if (!earlier_) {
    earlier_.emplace();
    for (const std::string& run : options_.runs) earlier_->push_back(read_earlier_run(run));
  }
  return *earlier_;
}

KnownPointRecord PlanKnownPoints::of(const DeviceInfo& device, const Dwarf& dwarf,
                                     const Problem& problem) const {
  KnownPointRecord record;
  record.device_id = device.id;
  record.dwarf = dwarf.info().name;
  record.size = problem.size;
  record.problem = problem.values.to_string();
  if (const auto found =
          before_.find(known_point_key(record.device_id, record.dwarf, record.size, record.problem));
      found != before_.end())
    return found->second;
  if (plan_.kind == PlanKind::transfer) {
    record.transferred = transfer_settings(dwarf, earlier());
  } else {
    find_best_of(record, device, dwarf, problem);
  }
  return record;
}

void PlanKnownPoints::find_best_of(KnownPointRecord& record, const DeviceInfo& device, const Dwarf& dwarf,
                                   const Problem& problem) const {
  const KnownPoint chosen = choose_known_point(own_, best_points(), device, dwarf, problem, plan_.settings);
  record.settings = chosen.settings;
  record.origin = chosen.origin;
  const KnownPoint other = choose_known_point({}, best_points(), device, dwarf, problem, plan_.settings);
  if (!other.settings.entries().empty() && other.settings != chosen.settings) {
    record.other_settings = other.settings;
    record.other_origin = other.origin;
  }
}

std::vector<ValueMap> settings_of(const KnownPointRecord& known) {
  std::vector<ValueMap> all;
  for (const KnownSettings& each : known.transferred) all.push_back(each.settings);
  if (!all.empty()) return all;
  all.push_back(known.settings);
  if (!known.other_origin.empty()) all.push_back(known.other_settings);
  return all;
}

void say_origins(SweepGroup& group, const PlanRequest& plan) {
  const KnownPointRecord& known = *group.known;
  const auto say = [&](const ValueMap& settings, const std::string& text) {
    const std::string config =
        best_config(group.dwarf->space(), settings, plan, group.device.capabilities).to_string();
    const auto point = std::find_if(group.points.begin(), group.points.end(),
                                    [&](const SweepPoint& each) { return each.key.config == config; });
    point->note = text;
    return static_cast<std::size_t>(point - group.points.begin());
  };
  for (const KnownSettings& each : known.transferred) (void)say(each.settings, each.origin);
  if (!known.transferred.empty()) return;
  if (!known.other_origin.empty()) (void)say(known.other_settings, "best known point: " + known.other_origin);
  group.known_point = say(known.settings, "best known point: " + known.origin);
}

}  // namespace dwarfsweep
