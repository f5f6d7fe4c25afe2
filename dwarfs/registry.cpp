#include "dwarfs/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace dwarfsweep
