// Dense matrices and grids: lud, sgemv and matmul read the former, hotspot the latter.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<float> values;  // rows x cols, row-major
};

/// Matrix Market (by its banner, or the suffix .mtx), real or integer: array, rows x cols in column-major
/// order, or coordinate, also as a pattern of ones; general, or symmetric or skew-symmetric with the lower
/// triangle listed. As memory of coordinates grows with rows x cols, these are limited to the larger of 2^24
/// and 64 times the file's size in bytes. Anything else is `.dat`: n, then n x n numbers in row-major order.
/// Throws InputError.
Matrix read_matrix(const std::filesystem::path& file);
Matrix read_matrix(std::string_view bytes, const std::string& name);

struct GridShape {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// Numbers without a header, row-major, one per line (any white space will do). Without a shape their count
/// must be a square number. Throws InputError.
Matrix read_grid(const std::filesystem::path& file, std::optional<GridShape> shape = {});
Matrix read_grid(std::string_view bytes, const std::string& name, std::optional<GridShape> shape = {});

}  // namespace dwarfsweep
