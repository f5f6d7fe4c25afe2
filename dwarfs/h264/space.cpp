#include "dwarfs/h264/h264.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::h264 {
namespace {

void add_axes(Space& space) {
  const std::vector<std::string> stored = {"three_kernels"};
  space
      .axis({"variant",
             "three_kernels: all sums are stored; fused: a group has a macroblock and stores minima; "
             "vectors: a "
             "work-item has one, with neighbouring offsets in the lanes of a vector",
             {"three_kernels", "fused", "vectors"},
             "three_kernels"})
      .axis({"work_group", "work-items of a group", {1, 32, 64, 128, 256}, 64})
      .axis({"granularity",
             "offsets of a work-item at a time (fused: below each other)",
             {1, 2, 3, 4, 9, 18, 27},
             1,
             {"three_kernels", "fused"}})
      .axis({"vector_width", "offsets in a vector", {1, 4, 8, 16}, 1, {"vectors"}})
      .axis({"unroll", "of the loop over the rows of a block", {1, 2, 4}, 1, stored})
      .axis({"difference",
             "of four bytes: bytes; ptx: an instruction for them, where the device takes inline PTX",
             {"bytes", "ptx"},
             "bytes",
             {"fused"}})
      .axis({"frames_per_launch", "that are searched at a time", {1, 2, 4, 8}, 1});
}

std::uint64_t local_bytes(const Point& p) {
  const auto group = static_cast<std::uint64_t>(p["work_group"]);
  if (p.variant() == "three_kernels") return 16 + 4 * group;
  if (p.variant() == "vectors") return 0;
  const std::int64_t search = p.problem.integer("search");
  const std::int64_t rows = round_up(search, p["granularity"]) + 15;
  const std::int64_t columns = round_up((margin - search / 2) % 4 + search + 15, 4);
  return static_cast<std::uint64_t>(4 * rows * columns + 256) + 4 * partitions * group;
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  space.constrain("difference=ptx requires a device that takes inline PTX", [](const Point& p) {
    return p.config.string("difference") != "ptx" || p.device.inline_ptx;
  });
  space.constrain("variant=fused requires granularity of at most 4, or registers do not suffice",
                  [](const Point& p) { return p.variant() != "fused" || p["granularity"] <= 4; });
  space.constrain("predictor=previous requires frames_per_launch=1", [](const Point& p) {
    return p.problem.string("predictor") == "zero" || p["frames_per_launch"] == 1;
  });
  space.default_setting("fused", {{"work_group", 32}});
  space.default_setting("fused", {{"work_group", 64}, {"granularity", 3}}, is_gpu);
  space.default_setting("fused", {{"difference", "ptx"}},
                        [](const Capabilities& device) { return device.inline_ptx; });
  space.default_setting("vectors", {{"work_group", 1}, {"vector_width", 16}});
  space.default_setting("vectors", {{"work_group", 64}, {"vector_width", 4}}, is_gpu);
  space.local_bytes(local_bytes);
  return space;
}

// As many frames per launch as give every compute unit enough macroblocks: groups in fused, work-items in
// vectors. With predictor=previous frames depend on each other. On an H100, of 1920 x 1088, the default of
// fused was the best.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const ValueMap choice{{"variant", device.is_gpu ? "fused" : "vectors"}};
  if (problem.string("predictor") != "zero") return choice;
  const std::int64_t macroblocks = ceil_div<std::int64_t>(problem.integer("rows"), 16) *
                                   ceil_div<std::int64_t>(problem.integer("cols"), 16);
  const std::int64_t enough = std::int64_t{device.compute_units} * (device.is_gpu ? 8 : 4);
  std::int64_t frames = 1;
  while (frames < 8 && frames < problem.integer("frames") - 1 && frames * macroblocks < enough) frames *= 2;
  return choice.with("frames_per_launch", frames);
}

}  // namespace dwarfsweep::h264
