#include "dwarfs/mri/mri.hpp"

#include <algorithm>

#include "harness/space/rounding.hpp"

namespace dwarfsweep::mri {
namespace {

// The papers' devices have 64 KiB of constant memory.
constexpr std::uint64_t most_constant_bytes = 65536;
// The steps of a work-item in one launch: few enough for every driver.
constexpr std::int64_t most_global_samples = 32768;
constexpr std::int64_t most_launches = 1024;

std::int64_t sample_bytes(const Problem& problem) {
  return problem.string("kind") == "fhd" ? 20 : 16;
}

// The samples are in global memory.
bool are_global(const Config& config) {
  return config.string(config.string("variant") == "tiled" ? "memory" : "data_memory") == "global";
}

void add_axes(Space& space) {
  const std::vector<std::string> tiled = {"tiled"};
  const std::vector<std::string> direct = {"direct"};
  space
      .axis(
          {"variant",
           "direct: a voxel per work-item, phases in radians; tiled: several voxels for each sample, phases "
           "in turns",
           {"direct", "tiled"},
           "direct"})
      .axis({"work_group",
             "work-items of a group",
             {1, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512},
             128})
      .axis({"granularity", "vectors of voxels per work-item", {1, 2, 4, 8}, 1, tiled})
      .axis({"vector_width", "neighbouring voxels in a vector", {1, 2, 4, 8, 16}, 1, tiled})
      .axis({"unroll", "of the loop over the samples", {1, 2, 3, 4, 5, 6, 7, 8}, 1})
      .axis({"padding", "1: results are padded to whole groups, and no end is tested for", {0, 1}, 0})
      .axis({"samples_per_launch",
             "samples in constant memory at a time (0: as many as it holds)",
             {0, 32, 64, 128, 256, 512, 1024, 2048},
             512})
      .axis({"layout",
             "of the samples: an array for each of their numbers, or structures",
             {"soa", "aos"},
             "soa"})
      .axis({"functions",
             "sine and cosine: precise; native; polynomial; mixed: every fourth vector by polynomial, the "
             "others native",
             {"precise", "native", "polynomial", "mixed"},
             "precise"})
      .axis({"memory", "where the samples are", {"constant", "global"}, "constant", tiled})
      .axis({"data_memory", "where the samples are", {"constant", "global"}, "constant", direct, {"global"}})
      .axis({"accumulate",
             "where a work-item keeps its voxel and its sums; local: as the principles' local memory per "
             "thread says",
             {"register", "local"},
             "register",
             direct,
             {"local"}});
}

void add_constraints(Space& space) {
  space.constrain("variant=direct, the papers' code, requires functions=precise or functions=native",
                  [](const Point& p) {
                    const std::string& functions = p.config.string("functions");
                    return p.variant() != "direct" || functions == "precise" || functions == "native";
                  });
  space.constrain(
      "functions=mixed requires granularity of at least 4: every fourth vector is computed otherwise",
      [](const Point& p) { return p.config.string("functions") != "mixed" || p["granularity"] >= 4; });
  space.constrain(
      "granularity times vector_width must be at most 16, or 64 with work_group=1, or registers do not "
      "suffice",
      [](const Point& p) {
        return p["granularity"] * p["vector_width"] <= (p["work_group"] == 1 ? 64 : 16);
      });
  space.constrain("samples_per_launch samples exceed the device's constant memory", [](const Point& p) {
    return are_global(p.config) ||
           static_cast<std::uint64_t>(p["samples_per_launch"] * sample_bytes(p.problem)) <=
               p.device.constant_bytes;
  });
  space.constrain(
      "samples_per_launch is too small for so many samples: an execution has at most 1024 launches",
      [](const Point& p) {
        return ceil_div(p.problem.integer("samples"), samples_per_launch(p.config, p.problem, p.device)) <=
               most_launches;
      });
}

}  // namespace

std::int64_t samples_per_launch(const Config& config, const Problem& problem, const Capabilities& device) {
  const std::int64_t asked = config.integer("samples_per_launch");
  if (asked > 0) return asked;
  if (are_global(config)) return most_global_samples;
  const auto bytes = static_cast<std::int64_t>(std::min(device.constant_bytes, most_constant_bytes));
  return std::max<std::int64_t>(1, bytes / sample_bytes(problem));
}

Space make_space() {
  Space space;
  add_axes(space);
  add_constraints(space);
  // A work-item alone, with the widest vectors: what a CPU wants.
  space.default_setting("tiled", {{"work_group", 1},
                                  {"granularity", 2},
                                  {"vector_width", 16},
                                  {"samples_per_launch", 0},
                                  {"layout", "aos"},
                                  {"functions", "polynomial"}});
  space.default_setting(
      "tiled",
      {{"work_group", 128}, {"granularity", 4}, {"vector_width", 1}, {"unroll", 2}, {"functions", "native"}},
      is_gpu);
  space.local_bytes([](const Point& p) {
    return static_cast<std::uint64_t>(p.config.string("accumulate") == "local" ? 20 * p["work_group"] : 0);
  });
  return space;
}

}  // namespace dwarfsweep::mri
