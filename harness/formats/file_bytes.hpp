// Whole files as bytes: the one place where the readers and writers of this folder touch the file system.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace dwarfsweep {

/// The whole file; pipes too. Throws InputError if it cannot be read, is a directory, is larger than
/// `max_bytes` or does not fit into memory.
std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file, std::size_t max_bytes = SIZE_MAX);

/// A file's bytes as the text that the parsers take. The view lives as long as this object.
class FileText {
 public:
  explicit FileText(const std::filesystem::path& file, std::size_t max_bytes = SIZE_MAX)
      : bytes_(read_bytes(file, max_bytes)) {}
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Writes `header` and then `payload` to `file`, replacing it. Two pieces, so that a large payload is not
/// copied behind its header. Throws UsageError where the file cannot be written in full.
void write_bytes(const std::filesystem::path& file, std::string_view header, std::string_view payload);

}  // namespace dwarfsweep
