// The dwarfs this program was built with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/program/kernel_source.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {

/// The dwarfs of the default sweep, in the order of CMakeLists.txt's list.
const std::vector<const Dwarf*>& all_dwarfs();

/// With those behind them that run only when asked for by name.
const std::vector<const Dwarf*>& built_in_dwarfs();

/// The kernel files of the harness and of all dwarfs, in a fixed order.
std::vector<KernelSource> program_kernels();

/// Adds a dwarf that runs only when asked for by name, and its kernel files. To be called before other
/// threads use the registry. For programs with dwarfs of their own, such as the test program with its
/// template.
void add_dwarf(const Dwarf& dwarf, const std::vector<KernelSource>& kernels);

/// Null if this version has no dwarf of that name.
const Dwarf* known_dwarf(const std::string& name);

/// Throws UsageError listing the dwarfs where there is none of that name.
const Dwarf& find_dwarf(const std::string& name);

/// The dwarfs that these names stand for, each once, in the order of the names: a dwarf's own, the first word
/// of a pattern ("dense": those of dense linear algebra), or "all": every one, those of the default sweep
/// first. No names: those of the default sweep. Throws UsageError listing what there is.
std::vector<const Dwarf*> dwarfs_named(const std::vector<std::string>& names);

/// What the dwarf's operations are; none for a dwarf that this program does not know.
std::optional<Arithmetic> arithmetic_of(const std::string& dwarf);

/// Does this variant give all of the baseline's result (DwarfInfo::partial_variants)? True for what this
/// program does not know, as in the rows of another version.
bool gives_whole_result(const std::string& dwarf, const std::string& variant);

}  // namespace dwarfsweep
