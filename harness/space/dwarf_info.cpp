#include "harness/space/dwarf_info.hpp"

namespace dwarfsweep {

std::string_view to_string(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::integer:
      return "integer";
    case Arithmetic::logic:
      return "logic";
    default:
      return "float";
  }
}

}  // namespace dwarfsweep
