// Files that may be compressed by gzip: recorded spaces, and the CSV files of runs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "harness/formats/file_bytes.hpp"

namespace dwarfsweep {

/// The file as text, unpacked if its content is gzip. Throws InputError, as read_text() does, and where the
/// gzip file is incomplete, damaged or unpacks to more than `max_bytes`: some kilobytes can unpack to any
/// size. By default that is a quarter of the memory, since a table takes several times the memory of its
/// text.
std::string read_unpacked(const std::filesystem::path& file, std::size_t max_bytes = memory_bytes() / 4);

/// The same of what was read already; `name` is the file's name in messages.
std::string unpacked(const std::string& name, std::string_view content, std::size_t max_bytes);

/// As a gzip file: of the same bytes the same.
std::string packed(std::string_view bytes);

/// A file in the folder of a run: `folder/name`, or `folder/name.gz` if there is no other.
std::optional<std::filesystem::path> find_in_run(const std::filesystem::path& folder,
                                                 const std::string& name);

}  // namespace dwarfsweep
