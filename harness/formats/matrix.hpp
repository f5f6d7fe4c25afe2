// Dense and sparse matrices, and grids: lud, sgemv and matmul read the first, fem the second, hotspot the
// last.
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

/// Compressed rows: the entries of row i are those from offsets[i] to offsets[i + 1], by ascending column.
struct SparseMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int64_t> offsets;  // rows + 1
  std::vector<std::int32_t> columns;
  std::vector<float> values;
};

/// Matrix Market as above, coordinate only. Entries that are listed several times are sums. As memory grows
/// with the rows, these are limited to the larger of 2^20 and the file's size in bytes. Throws InputError.
SparseMatrix read_sparse_matrix(const std::filesystem::path& file);
SparseMatrix read_sparse_matrix(std::string_view bytes, const std::string& name);

struct GridShape {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// Numbers without a header, row-major, one per line (any white space will do). Without a shape their count
/// must be a square number. Throws InputError.
Matrix read_grid(const std::filesystem::path& file, std::optional<GridShape> shape = {});
Matrix read_grid(std::string_view bytes, const std::string& name, std::optional<GridShape> shape = {});

}  // namespace dwarfsweep
