// Fuzz target of read_grid: without a shape, and with one that the first bytes choose.
#include "harness/formats/matrix.hpp"
#include "tests/fuzz/check_matrix.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::run(data, size, [](std::string_view bytes) { fuzz::check_matrix(read_grid(bytes, "input")); });
  if (size < 2) return 0;
  // Signed, so that shapes of nothing and of less are tried too.
  const GridShape shape{static_cast<std::int8_t>(data[0]) / 8, static_cast<std::int8_t>(data[1]) / 8};
  return fuzz::run(data + 2, size - 2, [&](std::string_view bytes) {
    const Matrix grid = read_grid(bytes, "input", shape);
    fuzz::check_matrix(grid);
    fuzz::require(grid.rows == shape.rows && grid.cols == shape.cols);
  });
}
