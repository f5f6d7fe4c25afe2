// Fuzz target of read_basis.
#include <cmath>

#include "harness/formats/molecule.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const Basis basis = read_basis(bytes, "input");
    fuzz::require(!basis.exponents.empty() && basis.exponents.size() == basis.coefficients.size());
    for (const float exponent : basis.exponents) fuzz::require(exponent > 0 && std::isfinite(exponent));
    for (const float coefficient : basis.coefficients) fuzz::require(std::isfinite(coefficient));
  });
}
