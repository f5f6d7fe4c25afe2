// The head of a .npy file: the type of its elements, their order and the shape.
// Format: numpy.lib.format in NumPy's documentation (NEP 1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct NpyHeader {
  std::string type;      // as NumPy writes it: "<f4"
  bool fortran = false;  // the first index is the one that runs fastest
  std::vector<std::int64_t> shape;
  std::size_t header_at = 0;  // where the dictionary stands in the file
  std::size_t data_at = 0;
};

/// Versions 1.0 to 3.0. Throws InputError.
NpyHeader read_npy_header(std::string_view bytes, const std::string& name);

/// Version 1.0, C order, with the magic number, padded so that the data can be mapped.
std::string npy_header(std::string_view type, const std::vector<std::int64_t>& shape);

}  // namespace dwarfsweep
