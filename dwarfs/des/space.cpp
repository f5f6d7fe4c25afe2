#include "dwarfs/des/des.hpp"

#include "dwarfs/des/tables.hpp"
#include "harness/device/kinds.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::des {

namespace {

bool searches(const Point& point) {
  return point.problem.string("mode") == "search";
}

bool has_several_kernels(const Point& point) {
  return point.variant() == "split" || point.variant() == "per_bit";
}

std::uint64_t local_bytes(const Point& point) {
  const bool in_local = point.config.string("memory") == "local";
  if (point.variant() != "per_bit") return in_local ? table_bytes : 0;
  const auto blocks = static_cast<std::uint64_t>(point["work_group"]) / 64;
  return blocks * (64 + 48) * sizeof(std::uint32_t) + (in_local ? bit_table_bytes : 0);
}

void add_axes(Space& space) {
  space
      .axis({"variant",
             "ifs: bit by bit with conditions; lut: look-up tables; split: tables, several kernels; per_bit: "
             "the "
             "same with a work-item for each bit; bitslice: logic circuits on whole words",
             {"ifs", "lut", "split", "bitslice", "per_bit"},
             "ifs"})
      .axis({"work_group", "work-items of a work-group", {1, 4, 16, 32, 64, 128, 256, 512}, 64})
      .axis({"granularity",
             "blocks (keys) per work-item; bitslice: times 32 * vector_width",
             {1, 2, 4, 8, 16, 32},
             1})
      .axis({"vector_width",
             "32-bit words of a vector; each holds a bit of 32 blocks",
             {1, 2, 4, 8, 16},
             1,
             {"bitslice"}})
      .axis({"unroll", "rounds per iteration of the loop over rounds", {1, 2, 4, 8, 16}, 1})
      .axis({"padding",
             "1: buffers are padded to a multiple of a work-group's blocks, and no access is guarded",
             {0, 1},
             0})
      .axis({"memory",
             "where the tables are",
             {"global", "constant", "local"},
             "global",
             {"lut", "split", "per_bit"}})
      .axis({"kernel_rounds", "rounds per kernel", {1, 2, 4, 8, 16}, 4, {"split", "per_bit"}})
      .axis({"gates",
             "operations that the circuits consist of; auto: three_input where the device has an instruction "
             "for it, else select",
             {"auto", "select", "three_input"},
             "auto",
             {"bitslice"}})
      .axis({"permutations",
             "how a work-item finds where its bit comes from: in tables, or by ifs, as the paper's first "
             "version",
             {"tables", "ifs"},
             "tables",
             {"per_bit"},
             {"ifs"}});
}

void add_defaults(Space& space) {
  const ValueMap wide{{"work_group", 1}, {"vector_width", 16}, {"unroll", 2}, {"padding", 1}};
  const ValueMap wide_groups{{"work_group", 128}, {"vector_width", 1}, {"unroll", 4}, {"padding", 1}};
  space.default_setting("lut", {{"unroll", 2}})
      .default_setting("split", {{"unroll", 1}})
      .default_setting("per_bit", {{"work_group", 64}, {"unroll", 1}})
      .default_setting("bitslice", wide)
      .default_setting("bitslice", wide_groups, is_gpu);
  // llvmpipe has neither doubles nor local memory of its own; its compiler takes minutes for wide vectors.
  space.default_setting("bitslice", {{"work_group", 16}, {"vector_width", 1}, {"unroll", 1}},
                        [](const Capabilities& device) {
                          return device.work_group_items > 0 && !device.fp64 && !device.is_gpu;
                        });
}

void add_constraints(Space& space) {
  space.constrain(
      "mode=search requires variant=ifs, variant=lut or variant=bitslice: the others pass blocks between "
      "kernels",
      [](const Point& p) { return !searches(p) || !has_several_kernels(p); });
  space.constrain("unroll must be at most kernel_rounds, the rounds of a kernel", [](const Point& p) {
    return !has_several_kernels(p) || p["unroll"] <= p["kernel_rounds"];
  });
  space.constrain("permutations=ifs requires memory=global: it has no tables", [](const Point& p) {
    return p.config.string("permutations") != "ifs" || p.config.string("memory") == "global";
  });
  space.constrain("variant=per_bit requires work_group of at least 64: a work-item for each bit of a block",
                  [](const Point& p) { return p.variant() != "per_bit" || p["work_group"] >= 64; });
  space.constrain("vector_width above 1 requires padding=1: vectors read beyond the last block",
                  [](const Point& p) { return searches(p) || p["vector_width"] == 1 || p["padding"] == 1; });
  space.constrain("memory=constant requires 7936 bytes of constant memory, more than the device has",
                  [](const Point& p) {
                    return p.config.string("memory") != "constant" || p.device.constant_bytes >= table_bytes;
                  });
  // Vectors of 8 and 16 compile for 17 and 47 s on an H200, with 10 and 32 KiB of spills, and for more than
  // 30 s for AMD's gfx90a; vectors of 4 do for Intel's Arc.
  space.constrain(
      "variant=bitslice with this vector_width needs more registers than a work-item has on the device, and "
      "compiling takes minutes",
      [](const Point& p) {
        return p.variant() != "bitslice" || !p.device.is_gpu ||
               64 * p["vector_width"] <= item_registers(p.device);
      });
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  add_defaults(space);
  add_constraints(space);
  space.group_items([](const Point& p) { return static_cast<std::uint64_t>(p["work_group"]); });
  space.local_bytes(local_bytes);
  return space;
}

// des where no point is known: logic circuits, except where their blocks are too few for a GPU.

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
