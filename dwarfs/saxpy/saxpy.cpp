// saxpy (dense linear algebra): y = a x + y. Work: items are elements, of 12 bytes and 2 operations each.
#include "dwarfs/saxpy/saxpy.hpp"

#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace saxpy {
namespace {

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "saxpy";
  info.title = "y = a x + y";
  info.pattern = "dense linear algebra";
  info.kernels = {"saxpy"};
  info.item = "elements";
  info.keys = {{"n", "elements of x and y", 1 << 15, 1, 0x1p30}, {"a", "the factor", 1.5, -1e6, 1e6}};
  info.sizes = {{"tiny", {{"n", 1 << 11}}},
                {"small", {{"n", 1 << 15}}},
                {"medium", {{"n", 1 << 20}}},
                {"large", {{"n", 1 << 26}}},
                {"paper", {{"n", 1 << 24}}}};
  info.first_choice = [](const Problem&, const Capabilities&) -> ValueMap {
    return {{"variant", "chunked"}};
  };
  info.demand = [](const Problem& p) {
    return Demand{8 * p.real("n"), 12 * p.real("n"), 2 * p.real("n"), 1};
  };
  info.checks.odd_problems = {{{"n", 1}}, {{"n", 1003}, {"a", -0.25}}};
  info.checks.results = {"y"};
  return info;
}

bool is_split(const Config& config) {
  return config.string("variant") == "staged" && config.string("loader") == "split";
}

std::uint64_t local_bytes(const Point& p) {
  const std::int64_t buffers = p.config.string("buffering") == "double" ? 2 : 1;
  const std::int64_t stages = 2 * buffers * p["work_group"] * p["vector_width"] * std::int64_t{sizeof(float)};
  return static_cast<std::uint64_t>(1024 * p["dummy"] + (p.variant() == "staged" ? stages : 0));
}

// What the variant staged and the axis dummy add to the space.
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
      .axis({"barrier",
             "how work-items that only load meet the others: at a barrier of the group; named: at barriers "
             "of each "
             "buffer",
             {"group", "named"},
             "group",
             staged,
             {"named"}})
      .axis({"prefetch",
             "1: work-items that only load read the next stage into registers before they wait",
             {0, 1},
             0,
             staged,
             {1}})
      .axis({"dummy",
             "KiB of local memory that nobody uses, so that fewer groups share a unit",
             {0, 4, 8, 16, 24, 32, 40},
             0})
      .axis({"groups",
             "work-groups for each unit of the device, which share all vectors; 0: as many as granularity "
             "makes",
             {0, 1, 2, 3, 4},
             0,
             {},
             {1, 2, 3, 4}})
      .default_setting("staged", {{"granularity", 16}, {"vector_width", 16}})
      .default_setting("staged",
                       {{"work_group", 256}, {"vector_width", 4}, {"loaders", 128}, {"buffering", "double"}},
                       is_gpu)
      .default_setting(
          "staged", {{"work_group", 128}},
          [](const Capabilities& device) { return device.is_gpu && device.work_group_items < 384; })
      .constrain(
          "unroll must be at most work_group divided by loaders: the loop that copies has no more iterations",
          [](const Point& p) {
            return !is_split(p.config) || p["unroll"] <= ceil_div(p["work_group"], p["loaders"]);
          })
      .constrain(
          "loader=async requires loaders=32 and unroll=1: it has neither loading work-items nor a loop",
          [](const Point& p) {
            return p.config.string("loader") == "split" || (p["loaders"] == 32 && p["unroll"] == 1);
          })
      .constrain(
          "barrier=named requires a device whose compiler accepts PTX, loader=split, and work_group and "
          "loaders that are multiples of 32",
          [](const Point& p) {
            return p.config.string("barrier") == "group" ||
                   (p.device.inline_ptx && is_split(p.config) && p["work_group"] % 32 == 0);
          })
      .constrain(
          "prefetch=1 requires loader=split, unroll=1 and at most 64 values of a stage for each loader",
          [](const Point& p) {
            const std::int64_t held = ceil_div(p["work_group"], p["loaders"]) * p["vector_width"];
            return p["prefetch"] == 0 || (is_split(p.config) && p["unroll"] == 1 && 2 * held <= 64);
          })
      .constrain("groups above 0 requires granularity=1: a work-item has as many vectors as it takes",
                 [](const Point& p) { return p["groups"] == 0 || p["granularity"] == 1; })
      .group_items([](const Point& p) { return static_cast<std::uint64_t>(group_items(p.config)); })
      .local_bytes(local_bytes);
}

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "interleaved: a work-item's vectors are far apart, those of neighbouring work-items are "
             "neighbours; chunked: a work-item's vectors are neighbours; staged: through local memory",
             {"interleaved", "chunked", "staged"},
             "interleaved"})
      .axis({"work_group", "work-items of a group", {1, 16, 32, 64, 128, 256}, 64})
      .axis({"granularity", "vectors per work-item", {1, 2, 4, 8, 16}, 1})
      .axis({"vector_width", "elements of a load or store", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loop over the vectors of a work-item", {1, 2, 4, 8}, 1})
      .axis({"padding", "1: arrays are padded to whole groups, and no tail is tested for", {0, 1}, 0})
      .default_setting("chunked", {{"work_group", 1}, {"granularity", 16}, {"vector_width", 16}})
      .default_setting("chunked", {{"work_group", 256}, {"granularity", 1}, {"vector_width", 4}}, is_gpu)
      .constrain("unroll must be at most granularity: the loop over vectors has no more iterations",
                 [](const Point& p) { return p["unroll"] <= p["granularity"]; });
  add_staged(space);
  return space;
}

// Neither paper states its sizes. Figure 9 limits the groups of a unit, without and with 1, 2 and 4 warps
// that load.
std::vector<PaperSetting> paper_settings() {
  const ValueMap problem{{"n", 1 << 24}};
  const ValueMap staged{{"variant", "staged"}, {"work_group", 64}, {"granularity", 16}, {"vector_width", 1}};
  std::vector<PaperSetting> settings = {{"optimization_principles_2008 Table 3", problem, {}}};
  for (const int dummy : {0, 4, 8, 16, 24, 32, 40}) {
    const ValueMap limited{{"dummy", dummy}};
    settings.push_back({"cudadma_2011 Figure 9", problem, limited});
    for (const int loaders : {32, 64, 128}) {
      const ValueMap limited_staged =
          staged.with("loaders", loaders).with("buffering", "double").with("dummy", dummy);
      settings.push_back({"cudadma_2011 Figure 9", problem, limited_staged});
      settings.push_back({"cudadma_2011 Section 4", problem, limited_staged.with("barrier", "named")});
    }
  }
  // Fewer groups than local memory can enforce.
  for (const int groups : {1, 2, 3, 4}) {
    const ValueMap few{{"groups", groups}};
    settings.push_back({"cudadma_2011 Figure 9", problem, few});
    for (const int loaders : {32, 64, 128}) {
      settings.push_back({"cudadma_2011 Figure 9", problem,
                          staged.with("granularity", 1)
                              .with("loaders", loaders)
                              .with("buffering", "double")
                              .with("groups", groups)});
    }
  }
  for (const char* barrier : {"group", "named"}) {
    settings.push_back({"cudadma_2011 Section 4", problem,
                        staged.with("loaders", 128)
                            .with("buffering", "double")
                            .with("barrier", barrier)
                            .with("prefetch", 1)});
  }
  return settings;
}

}  // namespace

std::int64_t group_items(const Config& config) {
  return config.integer("work_group") + (is_split(config) ? config.integer("loaders") : 0);
}

}  // namespace saxpy

const Dwarf& saxpy_dwarf() {
  static const ArrayDwarf<saxpy::SaxpyInput> dwarf(saxpy::make_info(), saxpy::make_space(), saxpy::make_case,
                                                   saxpy::paper_settings());
  return dwarf;
}

}  // namespace dwarfsweep
