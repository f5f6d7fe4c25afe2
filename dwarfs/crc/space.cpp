#include "dwarfs/crc/crc.hpp"

#include <algorithm>

#include "harness/device/kinds.hpp"

namespace dwarfsweep::crc {
namespace {

void add_axes(Space& space) {
  space
      .axis({"variant",
             "per_byte: every byte shifted to its place; slicing: chunks by tables; interleaved: no tables",
             {"per_byte", "slicing", "interleaved"},
             "per_byte"})
      .axis({"work_group",
             "work-items of a work-group in compute",
             {1, 8, 16, 32, 64, 128, 256, 512, 1024},
             256})
      .axis(
          {"granularity",
           "per_byte: bytes per work-item; slicing: blocks of 64 bytes per work-item; interleaved: rows per "
           "work-item, as a multiple of what occupies the whole device",
           {1, 2, 4, 8, 16, 64, 256},
           1})
      .axis({"vector_width",
             "slicing: words per load; interleaved: neighbouring streams per work-item",
             {1, 2, 4, 8, 16},
             1,
             {"slicing", "interleaved"}})
      .axis({"unroll",
             "per_byte: iterations of the loop over powers; slicing: of the loop over blocks; interleaved: "
             "rows per iteration",
             {1, 2, 4, 8, 16, 32},
             1})
      .axis({"padding",
             "1: the stream is padded with zeros to a multiple of what the launch reads, and no load is "
             "guarded",
             {0, 1},
             0})
      .axis({"memory", "where the tables are", {"global", "constant", "local"}, "global", {"slicing"}})
      .axis({"slices", "bytes per step, with a table for each", {4, 8, 16}, 4, {"slicing"}})
      .axis({"streams",
             "item: a segment of the stream per work-item; shared: up to 32 work-items read the rows of a "
             "segment together; auto: item on a CPU, else shared",
             {"auto", "item", "shared"},
             "auto",
             {"interleaved"}})
      .axis({"prefetch", "rows loaded ahead of the one being divided", {0, 4, 8, 16, 32}, 0, {"interleaved"}})
      .axis({"divisor",
             "plain: rows are divided by the CRC's polynomial; sparse: first by a multiple of it with few "
             "terms",
             {"plain", "sparse"},
             "plain",
             {"interleaved"}})
      .axis({"answers",
             "what compute stores: the sum of a work-item's bytes (combined), or an answer for every byte, "
             "as a "
             "vector of granularity answers (each, as in the thesis)",
             {"combined", "each"},
             "combined",
             {"per_byte"},
             {"each"}});
}

void add_defaults(Space& space) {
  space.default_setting("slicing", {{"work_group", 64},
                                    {"granularity", 16},
                                    {"vector_width", 4},
                                    {"unroll", 1},
                                    {"padding", 1},
                                    {"memory", "global"},
                                    {"slices", 16}});
  // On CPUs divisor=sparse is faster for a stream in the cache. From memory its ring costs more than the XORs
  // it saves, and plain comes close to the time of reading alone.
  space.default_setting("interleaved", {{"work_group", 1},
                                        {"granularity", 4},
                                        {"vector_width", 8},
                                        {"unroll", 32},
                                        {"padding", 1},
                                        {"streams", "auto"}});
  space.default_setting(
      "interleaved",
      {{"work_group", 64}, {"granularity", 1}, {"vector_width", 4}, {"unroll", 16}, {"prefetch", 8}}, is_gpu);
  space.default_setting("interleaved", {{"vector_width", 2}}, has_few_registers);
  // With vectors of 4 gfx90a has one or two waves at a time, and gfx1030 spills.
  space.default_setting("interleaved", {{"vector_width", 2}}, has_waves);
}

// Bytes of private memory per work-item of interleaved: the arrays `left`, `q`, `ahead` and `moved`.
std::int64_t private_bytes(const Point& point) {
  const std::int64_t rows = (point.config.string("divisor") == "sparse" ? 320 : 0) + 3 * 32;
  return rows * point["vector_width"] * 4;
}

bool is_crc8(const Point& point) {
  return point.problem.string("code") == "crc8";
}

void add_constraints(Space& space) {
  space.constrain("code=crc8, the thesis's code, requires variant=per_byte",
                  [](const Point& point) { return point.variant() == "per_byte" || !is_crc8(point); });
  space.constrain("code=crc8 requires bytes below 2^32: it has tables for 32 powers", [](const Point& point) {
    return !is_crc8(point) || point.problem.integer("bytes") < 1LL << 32U;
  });
  space.constrain(
      "answers=each requires granularity of at most 16: the answers of a work-item are one vector",
      [](const Point& point) {
        return point.config.string("answers") != "each" || point["granularity"] <= 16;
      });
  space.constrain("variant=slicing requires unroll of at most granularity, the iterations of the loop",
                  [](const Point& point) {
                    return point.variant() != "slicing" || point["unroll"] <= point["granularity"];
                  });
  space.constrain(
      "memory=constant requires slices times 1024 bytes of constant memory, more than the device has",
      [](const Point& point) {
        return point.variant() != "slicing" || point.config.string("memory") != "constant" ||
               static_cast<std::uint64_t>(point["slices"]) * 1024 <= point.device.constant_bytes;
      });
  // Vectors of 16 compile for 8 s on an H200 and 14 s for AMD's gfx90a, but for more than 30 s for Intel's
  // Arc.
  space.constrain(
      "variant=interleaved with this vector_width needs more than twice the registers of a work-item on the "
      "device, and compiling takes minutes",
      [](const Point& point) {
        return point.variant() != "interleaved" || !point.device.is_gpu ||
               32 * point["vector_width"] <= 2 * item_registers(point.device);
      });
  // PoCL's threads have the usual stacks of 8 MiB.
  space.constrain(
      "variant=interleaved with this work_group and vector_width would overflow the stack of a CPU thread",
      [](const Point& point) {
        return point.variant() != "interleaved" || point.device.is_gpu ||
               point["work_group"] * private_bytes(point) < 6 << 20;
      });
}

std::uint64_t local_bytes(const Point& point) {
  const auto group = static_cast<std::uint64_t>(point["work_group"]);
  std::uint64_t bytes = max_combine_group * 4;
  if (point.variant() == "slicing" && point.config.string("memory") == "local") {
    bytes = std::max<std::uint64_t>(bytes, static_cast<std::uint64_t>(point["slices"]) * 1024);
  }
  if (point.variant() == "interleaved" && group > 1 && shares_segments(point.config, point.device)) {
    bytes = std::max<std::uint64_t>(bytes, group * 32 * 4);
  }
  return bytes;
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  add_defaults(space);
  add_constraints(space);
  space.group_items([](const Point& point) { return static_cast<std::uint64_t>(point["work_group"]); });
  space.local_bytes(local_bytes);
  return space;
}

bool shares_segments(const Config& config, const Capabilities& device) {
  const std::string& streams = config.string("streams");
  return streams == "shared" || (streams == "auto" && device.is_gpu);
}

}  // namespace dwarfsweep::crc
