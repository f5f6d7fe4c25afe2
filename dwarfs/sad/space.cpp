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
      .axis({"work_group", "work-items of a group", {1, 32, 41, 64, 96, 128, 192, 256}, 64, {}, {41}})
      .axis({"granularity",
             "offsets (vectors: rows of them) per work-item",
             {1, 2, 4, 8, 11, 16, 18, 27},
             1,
             {},
             {18, 27}})
      .axis({"vector_width", "offsets in a vector", {1, 2, 4, 8, 16}, 1, {"vectors"}})
      .axis({"unroll", "of the loop over the rows of a block", {1, 2, 4}, 1, direct})
      .axis({"unroll_columns", "of the loop over the columns of a block", {1, 2, 4}, 1, direct})
      .axis({"unroll_offsets", "of the loop over the work-item's offsets", {1, 2, 4, 8}, 1, direct})
      .axis({"padding", "1: the reference is continued beyond its border before", {0, 1}, 0, direct})
      .axis(
          {"source", "what the reference is read through", {"buffer", "image"}, "buffer", direct, {"image"}})
      .axis({"register_tile",
             "neighbouring dx whose pixels are loaded together, row by row",
             {1, 3},
             1,
             direct,
             {3}})
      .axis({"results",
             "global: sums are stored where they are made; local: those of a group gather in local memory "
             "first",
             {"global", "local"},
             "global",
             direct,
             {"local"}})
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
  space.constrain("granularity 18 and 27 and work_group=41 require variant=direct", [](const Point& p) {
    return p.variant() == "direct" ||
           (p["granularity"] != 18 && p["granularity"] != 27 && p["work_group"] != 41);
  });
  space.constrain("source=image requires a device with images and padding=0", [](const Point& p) {
    return p.config.string("source") != "image" || (p.device.images && p["padding"] == 0);
  });
  space.constrain(
      "register_tile=3 requires granularity and search to be multiples of 3, and unroll_columns=1",
      [](const Point& p) {
        return p["register_tile"] == 1 || (p["granularity"] % 3 == 0 &&
                                           p.problem.integer("search") % 3 == 0 && p["unroll_columns"] == 1);
      });
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
    if (p.variant() != "direct") return 0;
    const std::int64_t sums = p.config.string("results") == "local" ? p["work_group"] * p["granularity"] : 1;
    return static_cast<std::uint64_t>(16 * p["blocks"] + 2 * sums);
  });
  return space;
}

}  // namespace dwarfsweep::sad
