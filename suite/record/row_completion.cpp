#include "suite/record/row_completion.hpp"

#include <algorithm>

#include "dwarfs/registry.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

bool names_same_point(const RowIdentity& a, const RowIdentity& b) {
  return a.dwarf == b.dwarf && a.problem == b.problem && a.variant == b.variant && a.options == b.options &&
         config_text(a) == config_text(b);
}

const Dwarf* known(const RowIdentity& row) {
  const auto& dwarfs = built_in_dwarfs();
  const auto same = [&](const Dwarf* dwarf) { return dwarf->info().name == row.dwarf; };
  const auto dwarf = std::ranges::find_if(dwarfs, same);
  if (dwarf == dwarfs.end()) return nullptr;
  const std::vector<Value>& variants = (*dwarf)->space().find("variant").values;
  return std::ranges::find(variants, Value(row.variant)) == variants.end() ? nullptr : *dwarf;
}

// `given` in the order of `names`, with what it lacks; what has no such name comes behind.
ValueMap completed(const ValueMap& given, const ValueMap& all) {
  ValueMap result;
  for (const auto& [name, value] : all.entries())
    result = result.with(name, given.has(name) ? given.at(name) : value);
  for (const auto& [name, value] : given.entries()) result = result.with(name, value);
  return result;
}

ValueMap presets(const std::vector<ProblemKey>& keys) {
  ValueMap all;
  for (const ProblemKey& key : keys) all = all.with(key.name, key.preset);
  return all;
}

// What is no list of settings stays as it is.
RowIdentity completed(const RowIdentity& row, const Dwarf& dwarf) try {
  PointKey key;
  key.config = completed(Config::parse(config_text(row)), dwarf.space().baseline()).to_string();
  RowIdentity whole = identify(row.run_id, key);
  whole.problem = completed(ValueMap::parse(row.problem), presets(dwarf.info().keys)).to_string();
  return whole;
} catch (const UsageError&) {
  return row;
}

void set_point(RowIdentity& row, const RowIdentity& from) {
  row.problem = from.problem;
  row.work_group = from.work_group;
  row.granularity = from.granularity;
  row.vector_width = from.vector_width;
  row.unroll = from.unroll;
  row.padding = from.padding;
  row.options = from.options;
}

}  // namespace

void RowCompletion::complete(RowIdentity& row) {
  if (!names_same_point(row, last_)) {
    last_ = row;
    const Dwarf* const dwarf = known(row);
    completed_ = dwarf == nullptr || row.problem.empty() ? row : completed(row, *dwarf);
  }
  set_point(row, completed_);
}

}  // namespace dwarfsweep
