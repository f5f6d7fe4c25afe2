// Micro-benchmarks of bank conflicts, divergence, and control flow against tables: what the dwarf declares
// about itself. The kernels are described in kernels_cl/micro/micro.cl. It is run only when asked for by
// name.
//
// Work: items are results. Bytes are a result's seed and the result. Operations per result: `traverse` does 4
// for each of 32 words in each round, `diverge` 4 for each of 32 steps in each round, `permute` 1 (a word
// moved) in each round. Items of `chase` are its loads; the total does not count them.
#include "dwarfs/micro/micro.hpp"

namespace dwarfsweep {
namespace {

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "initial: rows of the tile, one path, ifs; columns: columns of the tile; divergence: "
             "`divergent` of 32 "
             "work-items take paths of their own; tables: a table instead of ifs; latency: in addition, one "
             "work-item follows a chain of loads",
             {"initial", "columns", "divergence", "tables", "latency"},
             "initial",
             {},
             {"latency"}})
      .axis({"work_group",
             "work-items of a work-group; permute has at least 64",
             {32, 64, 128, 256, 512, 1024},
             64,
             {},
             {32}})
      .axis({"granularity", "results per work-item, one after the other", {1, 2, 4, 8}, 1})
      .axis({"vector_width", "neighbouring results that a work-item computes at once", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "iterations of the loops over a line and over steps", {1, 2, 4, 8}, 1})
      .axis({"padding", "unused columns of the tile in local memory", {0, 1}, 0, {"columns"}})
      .axis({"divergent",
             "work-items, of every 32, that take a path of their own",
             {0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32},
             0,
             {"divergence"}})
      .axis(
          {"memory",
           "global: a chain over 128 MiB; all others have 2 KiB. cached: also in global memory; constant: a "
           "buffer in constant memory; local: a copy in local memory; image: an image over a buffer",
           {"global", "cached", "constant", "local", "image"},
           "global",
           {"latency"}})
      .constrain("memory=image requires a device with images",
                 [](const Point& p) { return p.config.string("memory") != "image" || p.device.images; })
      .constrain("memory=global requires a device with buffers larger than the chain of 128 MiB",
                 [](const Point& p) {
                   return p.variant() != "latency" || p.config.string("memory") != "global" ||
                          p.device.allocation_bytes > micro::global_chain.bytes();
                 })
      .default_setting("latency", {})
      .default_setting("columns", {})
      .default_setting("divergence", {{"divergent", 1}})
      .default_setting("tables", {});
  space.group_items(
      [](const Point& p) { return static_cast<std::uint64_t>(std::max<std::int64_t>(p["work_group"], 64)); });
  space.local_bytes([](const Point& p) {
    const auto vectors =
        static_cast<std::uint64_t>(p["work_group"]) * 4 * static_cast<std::uint64_t>(p["vector_width"]);
    return vectors * (micro::edge + static_cast<std::uint64_t>(p["padding"]));
  });
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "micro";
  info.title = "micro-benchmarks of bank conflicts, divergence and control flow";
  info.pattern = "micro-benchmarks";
  info.kernels = {"traverse", "diverge", "permute", "chase"};
  info.item = "results";
  info.arithmetic = Arithmetic::integer;
  info.keys = {{"items", "results of each kernel", 4096, 1, 0x1p28},
               {"rounds", "repetitions: visits of each word, a 32nd of the steps, permutations", 8, 0, 1e6},
               {"bits", "positions of 64 that are permuted", 64, 0, 64}};
  info.sizes = {{"tiny", {{"items", 512}}},
                {"small", {{"items", 4096}}},
                {"medium", {{"items", 65'536}}},
                {"large", {{"items", 1'048'576}}},
                // What DES permutes: 32 bits (P), 48 (E and PC-2), 56 (PC-1), 64 (the initial permutation).
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 32}}},
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 48}}},
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 56}}},
                {"paper", {{"items", 16'384}, {"rounds", 64}, {"bits", 64}}},
                // One group of 32 work-items, which is one warp.
                {"paper", {{"items", 32}, {"rounds", 64}}}};
  info.checks.odd_problems = {{{"items", 333}, {"rounds", 3}}, {{"items", 1}, {"rounds", 0}, {"bits", 17}}};
  info.checks.random_problems.maxima = {{"bits", 64}};
  info.checks.results = {"traversed", "diverged", "permuted", "chased"};
  info.checks.varying_results = {"diverged", "permuted", "chased"};  // by vector_width, divergent, memory
  return info;
}

// Figure 2 (banks), 3 (work-items that diverge) and 8 (ifs and tables, over the bits permuted); of the
// principles table 1 (latencies).
std::vector<PaperSetting> paper_settings(const Space& space) {
  const std::string source = "performance_study_2008 ";
  std::vector<PaperSetting> settings;
  const auto add = [&](const char* figure, int bits, const ValueMap& values) {
    settings.push_back({source + figure, {{"items", 16'384}, {"rounds", 64}, {"bits", bits}}, values});
  };
  add("Figure 2", 64, {});
  add("Figure 2", 64, {{"variant", "columns"}});
  for (const Value& divergent : space.find("divergent").values)
    settings.push_back({source + "Figure 3",
                        {{"items", 32}, {"rounds", 64}},
                        {{"variant", "divergence"}, {"divergent", divergent}, {"work_group", 32}}});
  for (const int bits : {32, 48, 56, 64}) {
    add("Figure 8", bits, {});
    add("Figure 8", bits, {{"variant", "tables"}});
  }
  for (const Value& memory : space.find("memory").values)
    settings.push_back({"optimization_principles_2008 Table 1",
                        {{"items", 16'384}, {"rounds", 64}},
                        {{"variant", "latency"}, {"memory", memory}}});
  return settings;
}

}  // namespace

const Dwarf& micro_dwarf() {
  static const ArrayDwarf<micro::MicroInput> dwarf(make_info(), make_space(), micro::make_case,
                                                   paper_settings(make_space()));
  return dwarf;
}

}  // namespace dwarfsweep
