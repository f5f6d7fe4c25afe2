// template (dense linear algebra): y = x * x, element by element. docs/add-a-dwarf.md goes through it.
#include "dwarfs/template/input.hpp"

namespace dwarfsweep {

const Dwarf& template_dwarf() {
  DwarfInfo info;
  info.name = "template";
  info.title = "y = x * x";
  info.pattern = "dense linear algebra";
  info.kernels = {"square"};
  info.item = "elements";
  info.keys = {{"n", "elements of x and y", 1 << 15, 1, 0x1p30}};
  info.sizes = {{"tiny", {{"n", 1 << 11}}},
                {"small", {{"n", 1 << 15}}},
                {"medium", {{"n", 1 << 20}}},
                {"large", {{"n", 1 << 26}}}};
  info.checks.odd_problems = {{{"n", 1}}, {{"n", 1003}}};
  info.checks.results = {"y"};

  Space space;
  space
      .axis({"variant",
             "strided: a work-item computes elements far apart; chunked: neighbours",
             {"strided", "chunked"},
             "strided"})
      .axis({"granularity", "elements per work-item", {1, 2, 4, 8}, 1})
      .default_setting("chunked", {{"granularity", 8}});

  static const ArrayDwarf<TemplateInput> dwarf(info, space, make_template_case);
  return dwarf;
}

}  // namespace dwarfsweep
