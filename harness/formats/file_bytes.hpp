// Whole files, and the numbers in binary ones, which are little-endian in every format here but 16-bit PGM.
// This is the only way in which the project reads a whole file.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

/// The memory of this machine: no larger file can be read whole.
std::uintmax_t memory_bytes();

/// A whole regular file, or what comes through a pipe. Throws InputError with one sentence if it cannot be
/// read, is a directory or a device, has more than `max_bytes`, or does not fit into memory.
std::vector<std::uint8_t> read_bytes(const std::filesystem::path& file,
                                     std::uintmax_t max_bytes = memory_bytes());
/// The same as text.
std::string read_text(const std::filesystem::path& file, std::uintmax_t max_bytes = memory_bytes());

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

/// All values that `bytes` holds completely.
template <typename T>
std::vector<T> vector_from_little_endian(std::string_view bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace dwarfsweep
