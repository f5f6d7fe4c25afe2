#include "dwarfs/sad/sad.hpp"

namespace dwarfsweep::sad {
namespace {

void add_axes(Space& space) {
  const std::vector<std::string> direct = {"direct"};
  space
      .axis({"variant",
             "direct: blocks in local memory, pixel by pixel; words: four pixels at a time; vectors: "
             "neighbouring offsets in the lanes of a vector",
             {"direct", "words", "vectors"},
             "direct"})
      .axis({"work_group", "work-items of a group", {1, 32, 64, 96, 128, 192, 256}, 64})
      .axis({"granularity", "offsets (vectors: rows of them) per work-item", {1, 2, 4, 8, 11, 16}, 1})
      .axis({"vector_width", "offsets in a vector", {1, 2, 4, 8, 16}, 1, {"vectors"}})
      .axis({"unroll", "of the loop over the rows of a block", {1, 2, 4}, 1, direct})
      .axis({"unroll_columns", "of the loop over the columns of a block", {1, 2, 4}, 1, direct})
      .axis({"unroll_offsets", "of the loop over the work-item's offsets", {1, 2, 4, 8}, 1, direct})
      .axis({"padding", "1: the reference is continued beyond its border before", {0, 1}, 0, direct})
      .axis({"blocks", "of a group, one after the other", {1, 2, 4, 8}, 1, {"direct", "words"}})
      .axis({"difference",
             "of four bytes: bytes; ptx: an instruction for them, where the device takes inline PTX",
             {"bytes", "ptx"},
             "bytes",
             {"words"}});
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  space.constrain(
      "variant=direct requires unroll_offsets of at most granularity, the iterations of the loop over "
      "offsets",
      [](const Point& p) { return p.variant() != "direct" || p["unroll_offsets"] <= p["granularity"]; });
  space.constrain("difference=ptx requires a device that takes inline PTX", [](const Point& p) {
    return p.config.string("difference") != "ptx" || p.device.inline_ptx;
  });
  space.default_setting("words", {{"work_group", 128}, {"granularity", 8}});
  space.default_setting("words", {{"granularity", 11}, {"difference", "ptx"}},
                        [](const Capabilities& device) { return device.inline_ptx; });
  // A work-item alone, with the widest vectors: what a CPU wants.
  space.default_setting("vectors", {{"work_group", 1}, {"granularity", 16}, {"vector_width", 16}});
  space.default_setting("vectors", {{"work_group", 64}, {"granularity", 1}, {"vector_width", 4}}, is_gpu);
  space.local_bytes([](const Point& p) -> std::uint64_t {
    return p.variant() == "direct" ? 16 * static_cast<std::uint64_t>(p["blocks"]) : 0;
  });
  return space;
}

}  // namespace dwarfsweep::sad
