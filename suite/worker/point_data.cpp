#include "suite/worker/point_data.hpp"

#include "dwarfs/registry.hpp"

namespace dwarfsweep {

Loaded load_data(const PointRequest& request) {
  const Dwarf& dwarf = find_dwarf(request.dwarf);
  if (!request.files.empty()) return dwarf.load(request.problem.values, request.files);
  return {request.problem, dwarf.generate(request.problem, request.seed)};
}

}  // namespace dwarfsweep
