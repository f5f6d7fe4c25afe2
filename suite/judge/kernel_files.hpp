// The candidate's kernel files: a copy that nobody changes while they are judged.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "suite/judge/judgement.hpp"

namespace dwarfsweep {

/// Writes the built-in kernel files to `to`, and over them the .cl files of `from`. Throws UsageError if
/// there is none.
void copy_kernels(const std::filesystem::path& from, const std::filesystem::path& to);

/// The first line of a kernel's text that makes the compiler read a file which is not one of these.
std::optional<std::string> foreign_include(const std::string& text);

/// The same of all .cl files of the folder.
std::optional<JudgeFinding> find_foreign_include(const std::filesystem::path& folder);

}  // namespace dwarfsweep
