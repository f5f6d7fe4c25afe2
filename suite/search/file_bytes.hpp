// Whole files, compressed or not.
#pragma once

#include <filesystem>
#include <string>

namespace dwarfsweep {

/// The content of a file; of a gzip file what it holds. Throws InputError: not readable, not complete.
std::string read_unpacked(const std::filesystem::path& file);

}  // namespace dwarfsweep
