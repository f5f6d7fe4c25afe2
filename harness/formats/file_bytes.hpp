// Whole files as bytes: the one place where the readers and writers of this folder touch the file system.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
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

// Copies suffice on little-endian machines, as all with an OpenCL driver are; another stops here.
static_assert(std::endian::native == std::endian::little, "binary formats need their bytes swapped here");

/// `bytes` must hold a whole T at `at`; no alignment is needed.
template <typename T>
T from_little_endian(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// As many values as `bytes` holds in full.
template <typename T>
std::vector<T> vector_from_little_endian(std::string_view bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace dwarfsweep
