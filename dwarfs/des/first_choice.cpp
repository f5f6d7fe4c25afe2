// des where no point is known: logic circuits, except where their blocks are too few for a GPU.
#include "dwarfs/des/space.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::des {

// A work-item of `bitslice` has 32 blocks or more, whose rounds follow each other however few there are: 16.5
// us on an H200, where tables take 8.0 us for 4096 blocks and then 18.4 blocks a nanosecond. So they are even
// at 1.5e5 blocks, which are groups for a quarter of the units.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  static const Space space = make_space();
  const Config bitslice = space.default_config("bitslice", device);
  const double group =
      32.0 * static_cast<double>(bitslice.integer("vector_width") * bitslice.integer("work_group"));
  const bool few = 4 * problem.real("blocks") < group * device.compute_units;
  if (!device.is_gpu || !few || problem.string("mode") == "search") return {{"variant", "bitslice"}};
  return {{"variant", "lut"}, {"memory", device.local_is_dedicated ? "local" : "global"}};
}

}  // namespace dwarfsweep::des
