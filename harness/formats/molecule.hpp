// Molecules for rpes: the places of atoms, and the primitives of a basis function.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

/// .xyz: the number of atoms, a line of comment, then a line per atom: its symbol, x, y, z, and anything.
/// Returns x, y, z of one atom after the other, as in the file. Throws InputError.
std::vector<float> read_xyz(const std::filesystem::path& file);
std::vector<float> read_xyz(std::string_view bytes, const std::string& name);

struct Basis {
  std::vector<float> exponents;     ///< positive
  std::vector<float> coefficients;  ///< of normalised primitives
};

/// A line per primitive: exponent, coefficient; # begins a comment. Throws InputError.
Basis read_basis(const std::filesystem::path& file);
Basis read_basis(std::string_view bytes, const std::string& name);

}  // namespace dwarfsweep
