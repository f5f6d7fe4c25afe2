// Numbers in binary files, which are little-endian in every format here but 16-bit PGM.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

namespace dwarfsweep {

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
