#include "suite/record/record.hpp"

namespace dwarfsweep {

std::vector<PointKey> points_by_group(const RunLog& log) {
  std::map<std::string, std::size_t> places;
  std::vector<std::vector<PointKey>> groups;
  for (const PointKey& key : log.order) {
    const auto [place, is_new] = places.emplace(key.group(), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(key);
  }
  std::vector<PointKey> points;
  for (const std::vector<PointKey>& group : groups) points.insert(points.end(), group.begin(), group.end());
  return points;
}

const char* to_string(PairRole role) {
  switch (role) {
    case PairRole::baseline:
      return "baseline";
    case PairRole::incumbent:
      return "incumbent";
    case PairRole::variant:
      break;
  }
  return "variant";
}

std::vector<const RunLog*> parts_of(const RunLog& log) {
  std::vector<const RunLog*> parts;
  for (const RunLog& part : log.earlier) parts.push_back(&part);
  parts.push_back(&log);
  return parts;
}

void add_to(RunLog& log, const PartRecord& record) {
  RunLog next;
  next.run = record.run;
  next.truncated = log.truncated;
  next.whole_bytes = log.whole_bytes;
  next.sizes = log.sizes;
  next.known_points = log.known_points;
  next.earlier = std::move(log.earlier);
  log.earlier.clear();
  next.earlier.push_back(std::move(log));
  log = std::move(next);
}

void add_to(RunLog& log, const PointRecord& record) {
  const std::string key = record.key.text();
  for (RunLog& part : log.earlier) {
    const auto left_out = part.points.find(key);
    if (left_out == part.points.end() || left_out->second.preparation.status != Status::not_run) continue;
    part.points.erase(left_out);
    part.ends.erase(key);
    std::erase(part.order, record.key);
  }
  if (!log.points.contains(key)) log.order.push_back(record.key);
  log.points[key] = record;
}

void add_to(RunLog& log, const EnergyRecord& record) {
  const auto [known, is_first] = log.energies.try_emplace(record.key.text(), record);
  if (is_first) return;
  known->second.joules += record.joules;
  known->second.seconds += record.seconds;
  known->second.runs += record.runs;
  known->second.steps += record.steps;
}

bool was_left_out(Status status, const std::string& stop_reason) {
  return status == Status::rejected && (stop_reason == out_of_budget || stop_reason == skipped);
}

void add_to(RunLog& log, const EndRecord& record) {
  const std::string key = record.key.text();
  log.ends[key] = record;
  if (const auto point = log.points.find(key);
      point != log.points.end() && was_left_out(point->second.preparation.status, record.stop_reason)) {
    point->second.preparation.status = Status::not_run;
  }
}

}  // namespace dwarfsweep
