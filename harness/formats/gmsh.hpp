// Meshes of Gmsh for fem: ASCII files of the versions 2.2 and 4.1.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dwarfsweep {

struct TetrahedralMesh {
  std::vector<std::array<float, 3>> nodes;
  std::vector<std::array<std::int32_t, 4>> tetrahedra;  // 0-based, in the file's order of corners
};

/// The linear tetrahedra (type 4) with the nodes that they use, in the file's order; other elements and
/// sections are skipped. Throws InputError.
TetrahedralMesh read_gmsh(const std::filesystem::path& file);
TetrahedralMesh read_gmsh(std::string_view bytes, const std::string& name);

}  // namespace dwarfsweep
