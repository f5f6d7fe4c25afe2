#include "dwarfs/saxpy/staged.hpp"

#include "harness/space/rounding.hpp"

namespace dwarfsweep::saxpy {
namespace {

bool is_split(const Config& config) {
  return config.string("variant") == "staged" && config.string("loader") == "split";
}

std::uint64_t local_bytes(const Point& p) {
  const std::int64_t buffers = p.config.string("buffering") == "double" ? 2 : 1;
  const std::int64_t stages = 2 * buffers * p["work_group"] * p["vector_width"] * std::int64_t{sizeof(float)};
  return static_cast<std::uint64_t>(1024 * p["dummy"] + (p.variant() == "staged" ? stages : 0));
}

}  // namespace

std::int64_t group_items(const Config& config) {
  return config.integer("work_group") + (is_split(config) ? config.integer("loaders") : 0);
}

void add_staged(Space& space) {
  const std::vector<std::string> staged = {"staged"};
  space
      .axis({"loader",
             "split: work-items that only load; async: asynchronous copies",
             {"split", "async"},
             "split",
             staged})
      .axis({"loaders", "work-items that only load (loader=split)", {32, 64, 128, 256}, 32, staged})
      .axis({"buffering",
             "double: a stage is loaded while the one before is computed",
             {"single", "double"},
             "single",
             staged})
      .axis({"dummy",
             "KiB of local memory that nobody uses, so that fewer groups share a unit",
             {0, 4, 8, 16, 24, 32, 40},
             0})
      .default_setting("staged", {{"granularity", 16}, {"vector_width", 16}})
      .default_setting("staged",
                       {{"work_group", 256}, {"vector_width", 4}, {"loaders", 128}, {"buffering", "double"}},
                       is_gpu)
      .default_setting(
          "staged", {{"work_group", 128}},
          [](const Capabilities& device) { return device.is_gpu && device.work_group_items < 384; })
      .constrain("the loop in which loading work-items copy cannot be unrolled further than it runs",
                 [](const Point& p) {
                   return !is_split(p.config) || p["unroll"] <= ceil_div(p["work_group"], p["loaders"]);
                 })
      .constrain("asynchronous copies need no work-items that load, and have no loop to unroll",
                 [](const Point& p) {
                   return p.config.string("loader") == "split" || (p["loaders"] == 32 && p["unroll"] == 1);
                 })
      .group_items([](const Point& p) { return static_cast<std::uint64_t>(group_items(p.config)); })
      .local_bytes(local_bytes);
}

// Neither work tells its sizes. Figure 9 limits the groups of a unit, without and with 1, 2 and 4 warps that
// load.
std::vector<PaperSetting> paper_settings() {
  const ValueMap problem{{"n", 1 << 24}};
  const ValueMap staged{{"variant", "staged"}, {"work_group", 64}, {"granularity", 16}, {"vector_width", 1}};
  std::vector<PaperSetting> settings = {{"optimization_principles_2008 Table 3", problem, {}}};
  for (const int dummy : {0, 4, 8, 16, 24, 32, 40}) {
    const ValueMap limited{{"dummy", dummy}};
    settings.push_back({"cudadma_2011 Figure 9", problem, limited});
    for (const int loaders : {32, 64, 128}) {
      settings.push_back({"cudadma_2011 Figure 9", problem,
                          staged.with("loaders", loaders).with("buffering", "double").with("dummy", dummy)});
    }
  }
  return settings;
}

}  // namespace dwarfsweep::saxpy
