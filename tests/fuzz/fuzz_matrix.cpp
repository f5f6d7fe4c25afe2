// Fuzz target of read_matrix (.dat, Matrix Market, and the latter forced by the suffix) and
// read_sparse_matrix.
#include "harness/formats/matrix.hpp"

#include "tests/fuzz/check_matrix.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::run(data, size, [](std::string_view bytes) { fuzz::check_matrix(read_matrix(bytes, "input.mtx")); });
  fuzz::run(data, size,
            [](std::string_view bytes) { fuzz::check_sparse(read_sparse_matrix(bytes, "input.mtx")); });
  return fuzz::run(data, size,
                   [](std::string_view bytes) { fuzz::check_matrix(read_matrix(bytes, "input")); });
}
