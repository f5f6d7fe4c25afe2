// NumPy's .npy, little-endian. What --dump writes is of version 1.0 and in C order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dwarfsweep {

/// The values of an array, of one of the element types that are dumped.
using NpyValues =
    std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>, std::span<const std::int32_t>,
                 std::span<const std::uint32_t>, std::span<const std::int64_t>, std::span<const float>,
                 std::span<const double>, std::span<const std::uint64_t>, std::span<const std::int16_t>>;

/// A vector converts to NpyValues: write_npy(file, matrix, {rows, cols}). An empty shape is one value, a
/// scalar. Throws std::invalid_argument where shape and values disagree, UsageError where the file cannot be
/// written.
void write_npy(const std::filesystem::path& file, NpyValues values, const std::vector<std::int64_t>& shape);

/// What write_npy writes, where it is not to be a file of its own. Throws std::invalid_argument.
std::string npy_bytes(NpyValues values, const std::vector<std::int64_t>& shape);

struct NpyArray {
  std::vector<std::int64_t> shape;
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::int32_t>,
               std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<float>, std::vector<double>,
               std::vector<std::uint64_t>, std::vector<std::int16_t>>
      values;  // product of the shape; row-major
};

/// Reads what write_npy and NumPy write of these types, in C or in Fortran order. Throws InputError.
NpyArray read_npy(const std::filesystem::path& file);
NpyArray read_npy(std::string_view bytes, const std::string& name);

struct NpyFloats {
  std::vector<std::int64_t> shape;
  std::vector<float> values;  // product of the shape; row-major
};

/// complex: complex64 and complex128, or floats whose last dimension is 2, real and imaginary part; they come
/// as floats, the last dimension being 2.
enum class NpyNumbers { real, complex };

/// Reads floats of 32 bits, or of 64, which are rounded. Throws InputError, also where one is not finite.
NpyFloats read_npy_floats(const std::filesystem::path& file, NpyNumbers numbers = NpyNumbers::real);
NpyFloats read_npy_floats(std::string_view bytes, const std::string& name,
                          NpyNumbers numbers = NpyNumbers::real);

}  // namespace dwarfsweep
