// Fuzz target of read_samples, plain or in gzip.
#include "suite/record/row_csv.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run_record(data, size, [](std::string_view bytes) {
    const std::vector<SampleRow> rows = read_samples(fuzz::as_file("samples.csv", bytes));
    fuzz::require(read_samples(fuzz::as_file("again.csv", to_csv(rows))).size() == rows.size());
  });
}
