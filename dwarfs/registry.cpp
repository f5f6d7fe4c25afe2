#include "dwarfs/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/error.hpp"

namespace dwarfsweep {

const Dwarf& find_dwarf(const std::string& name) {
  std::vector<std::string> known;
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    if (dwarf->info().name == name) return *dwarf;
    known.push_back(dwarf->info().name);
  }
  throw UsageError(fmt::format("there is no dwarf '{}'; there are {}", name, fmt::join(known, ", ")));
}

std::optional<Arithmetic> arithmetic_of(const std::string& dwarf) {
  for (const Dwarf* known : built_in_dwarfs()) {
    if (known->info().name == dwarf) return known->info().arithmetic;
  }
  return std::nullopt;
}

bool gives_whole_result(const std::string& dwarf, const std::string& variant) {
  for (const Dwarf* known : built_in_dwarfs()) {
    if (known->info().name != dwarf) continue;
    const std::vector<std::string>& partial = known->info().partial_variants;
    return std::find(partial.begin(), partial.end(), variant) == partial.end();
  }
  return true;
}

}  // namespace dwarfsweep
