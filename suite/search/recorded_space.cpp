#include "suite/search/recorded_space.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/space/error.hpp"
#include "suite/search/carve.hpp"

namespace dwarfsweep {
namespace {

using Row = RecordedTable::Row;

std::optional<std::size_t> column_of(const RecordedTable& table, const std::string& parameter) {
  const auto found = std::ranges::find(table.parameters, parameter);
  if (found == table.parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.parameters.begin());
}

// The rows of each variant, in the order in which the variants appear; without variants, all rows.
std::vector<std::vector<const Row*>> rows_by_variant(const RecordedTable& table) {
  const std::optional<std::size_t> variant = column_of(table, "variant");
  std::vector<std::vector<const Row*>> groups;
  for (const Row& row : table.rows) {
    const auto group = std::ranges::find_if(groups, [&](const auto& each) {
      return !variant || each.front()->values[*variant] == row.values[*variant];
    });
    if (group == groups.end()) {
      groups.push_back({&row});
    } else {
      group->push_back(&row);
    }
  }
  return groups;
}

SpacePart part_of(const RecordedTable& table, const std::vector<const Row*>& rows) {
  SpacePart part;
  for (std::size_t column = 0; column < table.parameters.size(); ++column) {
    std::vector<Value> values;
    for (const Row* row : rows) values.push_back(row->values[column]);
    SearchAxis axis = make_axis(table.parameters[column], std::move(values));
    if (axis.values.size() == 1) {
      part.fixed = part.fixed.with(axis.name, axis.values.front());
    } else {
      part.axes.push_back(std::move(axis));
    }
  }
  return part;
}

std::vector<SpacePart> parts_of(const RecordedTable& table) {
  std::vector<SpacePart> parts;
  for (const std::vector<const Row*>& rows : rows_by_variant(table)) parts.push_back(part_of(table, rows));
  return parts;
}

// The columns of a part's axes.
std::vector<std::size_t> columns_of(const RecordedTable& table, const SpacePart& part) {
  std::vector<std::size_t> columns;
  for (const SearchAxis& axis : part.axes) columns.push_back(*column_of(table, axis.name));
  return columns;
}

std::uint32_t digit_of(const SearchAxis& axis, const Value& value) {
  return static_cast<std::uint32_t>(std::ranges::find(axis.values, value) - axis.values.begin());
}

}  // namespace

RecordedSpace::RecordedSpace(const RecordedTable& table) : SearchSpace(parts_of(table)), name_(table.name) {
  const std::vector<std::vector<const Row*>> groups = rows_by_variant(table);
  for (std::size_t part = 0; part < groups.size(); ++part) {
    const std::vector<std::size_t> columns = columns_of(table, parts()[part]);
    Coordinates at{part, std::vector<std::uint32_t>(columns.size())};
    for (const Row* row : groups[part]) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        at.digits[i] = digit_of(parts()[part].axes[i], row->values[columns[i]]);
      const PointNumber point = number(at);
      if (row == &table.rows.front()) first_point_ = point;
      if (rows_.insert_or_assign(point, Recorded{row->time, row->facts}).second) points_.push_back(point);
      if (table.defaults_first && row == groups[part].front()) set_default(part, point);
    }
  }
  std::ranges::sort(points_);
  for (const auto& [point, recorded] : rows_) {
    if (recorded.time) sorted_times_.push_back(*recorded.time);
  }
  std::ranges::sort(sorted_times_);
  if (sorted_times_.empty()) throw UsageError(fmt::format("{}: no point has a time", name_));
}

std::optional<PointNumber> RecordedSpace::try_draw(Random& random) const {
  return points_[random.below(points_.size())];
}

std::optional<PointNumber> RecordedSpace::next_legal(PointNumber first, std::uint64_t) const {
  const auto found = std::ranges::lower_bound(points_, first);
  return found == points_.end() ? std::nullopt : std::optional(*found);
}

std::optional<CarveMetrics> RecordedSpace::carve_metrics(PointNumber point) const {
  const RecordedFacts& facts = rows_.at(point).facts;
  if (!facts.ir_instructions || !(*facts.ir_instructions > 0)) return std::nullopt;
  const InstructionCounts counts{*facts.ir_instructions, facts.threads.value_or(0),
                                 facts.regions.value_or(0)};
  CarveMetrics metrics{carve_efficiency(counts), {}};
  if (facts.registers && facts.group_size && counts.threads > 0 && counts.regions > 0) {
    const GroupNeeds group{static_cast<std::uint64_t>(*facts.registers),
                           static_cast<std::uint64_t>(facts.local_bytes.value_or(0)),
                           static_cast<std::uint64_t>(*facts.group_size)};
    metrics.utilisation = carve_utilisation(counts, compute_capability_9, group);
  }
  return metrics;
}

}  // namespace dwarfsweep
