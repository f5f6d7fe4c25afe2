// Fuzz target of read_npy and read_npy_floats.
#include "harness/formats/npy.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

namespace {

std::uint64_t product(const std::vector<std::int64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::int64_t length : shape) count *= static_cast<std::uint64_t>(length);
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::run(data, size, [](std::string_view bytes) {
    const NpyArray array = read_npy(bytes, "input");
    std::visit([&](const auto& values) { fuzz::require(values.size() == product(array.shape)); },
               array.values);
  });
  for (const NpyNumbers numbers : {NpyNumbers::real, NpyNumbers::complex}) {
    fuzz::run(data, size, [&](std::string_view bytes) {
      const NpyFloats array = read_npy_floats(bytes, "input", numbers);
      fuzz::require(array.values.size() == product(array.shape));
    });
  }
  return 0;
}
