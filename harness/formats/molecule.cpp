#include "harness/formats/molecule.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"

namespace dwarfsweep {
namespace {

constexpr float largest_coordinate = 1e6F;

}  // namespace

std::vector<float> read_xyz(std::string_view bytes, const std::string& name) {
  TokenReader tokens(bytes, name);
  const std::int64_t atoms = tokens.integer("the number of atoms", 1, 1 << 24);
  if (tokens.next_in_line()) tokens.fail_expecting("the end of the line after the number of atoms");
  tokens.require_room(atoms, 4, "atoms");
  tokens.skip_line();
  tokens.skip_line();  // the comment
  std::vector<float> centres;
  for (std::int64_t atom = 0; atom < atoms; ++atom) {
    if (!tokens.next()) tokens.fail_expecting(fmt::format("atom {} of {}: symbol, x, y, z", atom + 1, atoms));
    for (const char* axis : {"x", "y", "z"}) {
      if (!tokens.next_in_line()) tokens.fail_expecting(fmt::format("{} of atom {}", axis, atom + 1));
      const float value = tokens.as_number(fmt::format("{} of atom {}", axis, atom + 1));
      if (std::abs(value) > largest_coordinate)
        tokens.fail(fmt::format("{} of atom {} is beyond {:g}", axis, atom + 1, largest_coordinate));
      centres.push_back(value);
    }
    while (tokens.next_in_line()) {
    }
  }
  tokens.expect_end("the last atom");
  return centres;
}

std::vector<float> read_xyz(const std::filesystem::path& file) {
  return read_xyz(read_text(file), file.string());
}

Basis read_basis(std::string_view bytes, const std::string& name) {
  TokenReader tokens(bytes, name);
  tokens.comments_start_with("#");
  Basis basis;
  while (tokens.next()) {
    const float exponent = tokens.as_number("an exponent");
    if (!(exponent >= 1e-6F && exponent <= 1e6F)) tokens.fail_expecting("an exponent from 1e-06 to 1e+06");
    basis.exponents.push_back(exponent);
    if (!tokens.next_in_line()) tokens.fail_expecting("a coefficient after the exponent");
    const float coefficient = tokens.as_number("a coefficient");
    if (!(std::abs(coefficient) <= 1e6F)) tokens.fail_expecting("a coefficient from -1e+06 to 1e+06");
    basis.coefficients.push_back(coefficient);
    if (tokens.next_in_line()) tokens.fail_expecting("the end of the line after the coefficient");
  }
  if (basis.exponents.empty()) tokens.fail_expecting("a primitive: exponent and coefficient");
  return basis;
}

Basis read_basis(const std::filesystem::path& file) {
  return read_basis(read_text(file), file.string());
}

}  // namespace dwarfsweep
