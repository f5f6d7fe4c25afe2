#include "dwarfs/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/space/error.hpp"

namespace dwarfsweep {

// Generated: dwarfs/registry.cpp.in, cmake/embed_kernels.cmake.
std::vector<const Dwarf*> listed_dwarfs();
std::vector<const Dwarf*> listed_dwarfs_by_name();
const std::vector<KernelSource>& dwarf_kernels();

namespace {

struct Registry {
  Registry() : by_default(listed_dwarfs()), all(by_default) {
    for (const Dwarf* dwarf : listed_dwarfs_by_name()) all.push_back(dwarf);
    add_embedded_kernels(dwarf_kernels());
  }
  std::vector<const Dwarf*> by_default, all;
};

// Its first use makes the kernel files of the dwarfs known as well.
Registry& registry() {
  static Registry registry;
  return registry;
}

std::string first_word(const std::string& text) {
  return text.substr(0, text.find(' '));
}

std::vector<const Dwarf*> dwarfs_of_group(const std::string& group) {
  std::vector<const Dwarf*> dwarfs;
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    if (group == "all" || group == first_word(dwarf->info().pattern)) dwarfs.push_back(dwarf);
  }
  return dwarfs;
}

std::string names_of_groups() {
  std::vector<std::string> groups = {"all"};
  for (const Dwarf* dwarf : built_in_dwarfs()) {
    const std::string group = first_word(dwarf->info().pattern);
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  return fmt::format("{}", fmt::join(groups, ", "));
}

}  // namespace

const std::vector<const Dwarf*>& all_dwarfs() {
  return registry().by_default;
}

const std::vector<const Dwarf*>& built_in_dwarfs() {
  return registry().all;
}

std::vector<KernelSource> program_kernels() {
  registry();
  return embedded_kernels();
}

void add_dwarf(const Dwarf& dwarf, const std::vector<KernelSource>& kernels) {
  registry().all.push_back(&dwarf);
  add_embedded_kernels(kernels);
}

const Dwarf* known_dwarf(const std::string& name) {
  const auto found =
      std::ranges::find(built_in_dwarfs(), name, [](const Dwarf* dwarf) { return dwarf->info().name; });
  return found == built_in_dwarfs().end() ? nullptr : *found;
}

const Dwarf& find_dwarf(const std::string& name) {
  if (const Dwarf* const dwarf = known_dwarf(name)) return *dwarf;
  std::vector<std::string> known;
  for (const Dwarf* dwarf : built_in_dwarfs()) known.push_back(dwarf->info().name);
  throw UsageError(fmt::format("there is no dwarf '{}'; there are {}", name, fmt::join(known, ", ")));
}

std::vector<const Dwarf*> dwarfs_named(const std::vector<std::string>& names) {
  if (names.empty()) return all_dwarfs();
  std::vector<const Dwarf*> chosen;
  for (const std::string& name : names) {
    std::vector<const Dwarf*> dwarfs = dwarfs_of_group(name);
    if (dwarfs.empty()) {
      try {
        dwarfs.push_back(&find_dwarf(name));
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}; and in groups {}", error.what(), names_of_groups()));
      }
    }
    for (const Dwarf* dwarf : dwarfs) {
      if (std::find(chosen.begin(), chosen.end(), dwarf) == chosen.end()) chosen.push_back(dwarf);
    }
  }
  return chosen;
}

std::optional<Arithmetic> arithmetic_of(const std::string& dwarf) {
  const Dwarf* const known = known_dwarf(dwarf);
  return known ? std::optional(known->info().arithmetic) : std::nullopt;
}

bool gives_whole_result(const std::string& dwarf, const std::string& variant) {
  const Dwarf* const known = known_dwarf(dwarf);
  return !known ||
         std::ranges::find(known->info().partial_variants, variant) == known->info().partial_variants.end();
}

}  // namespace dwarfsweep
