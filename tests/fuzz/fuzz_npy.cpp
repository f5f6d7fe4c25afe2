// Fuzz target of read_npy.
#include "harness/formats/npy.hpp"

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const NpyArray array = read_npy(bytes, "input");
    std::uint64_t count = 1;
    for (const std::int64_t length : array.shape) count *= static_cast<std::uint64_t>(length);
    std::visit([&](const auto& values) { fuzz::require(values.size() == count); }, array.values);
  });
}
