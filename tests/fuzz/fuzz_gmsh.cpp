// Fuzz target of read_gmsh.
#include "harness/formats/gmsh.hpp"

#include <cmath>

#include "tests/fuzz/fuzz.hpp"

using namespace dwarfsweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, [](std::string_view bytes) {
    const TetrahedralMesh mesh = read_gmsh(bytes, "input");
    fuzz::require(!mesh.tetrahedra.empty());
    for (const auto& node : mesh.nodes)
      for (const float coordinate : node) fuzz::require(std::isfinite(coordinate));
    for (const auto& corners : mesh.tetrahedra)
      for (const std::int32_t corner : corners)
        fuzz::require(corner >= 0 && static_cast<std::size_t>(corner) < mesh.nodes.size());
  });
}
