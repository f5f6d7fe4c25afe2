// sad (structured grid): sums of absolute differences for motion estimation, each block of 4 x 4 pixels
// against each offset. This file describes the dwarf.
//
// Work: items are sums. A sum takes 8 operations on words of four pixels: for each row of the block a
// difference and an addition. Frames are read once, sums, two bytes each, written once: with instructions for
// four bytes that is the limit, without them it is integer arithmetic.
#include "dwarfs/sad/sad.hpp"
#include "dwarfs/sad/frames.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

ValueMap problem_of(int rows, int cols, int search) {
  return {{"rows", rows}, {"cols", cols}, {"search", search}};
}

// The least frame that H.264's test sequences have (QCIF), and offsets of up to 16 pixels.
ValueMap paper_problem() {
  return problem_of(144, 176, 33);
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "sad";
  info.title = "sums of absolute differences for motion estimation";
  info.pattern = "structured grid";
  info.kernels = {"expand", "sad"};
  info.item = "sums of a block and an offset";
  info.arithmetic = Arithmetic::integer;
  info.keys = {{"rows", "of a frame, in pixels", 144, 1, 1 << 16},
               {"cols", "of a frame, in pixels", 176, 1, 1 << 16},
               {"search", "offsets in each direction, from -(search / 2) on", 33, 1, 256}};
  // 216 KiB, 3.3 MiB, 13 MiB and 270 MiB, nearly all of it sums.
  info.sizes = {{"tiny", problem_of(32, 48, 9)},
                {"small", paper_problem()},
                {"medium", problem_of(288, 352, 33)},
                {"large", problem_of(1088, 1920, 33)},
                {"paper", paper_problem()}};
  info.input_formats =
      "two PGM images (P2 or P5) of one size and one byte per pixel: the current and the reference frame";
  info.first_choice = [](const Problem&, const Capabilities& device) -> ValueMap {
    return {{"variant", device.inline_ptx ? "words" : "vectors"}};
  };
  info.demand = [](const Problem& problem) {
    const double pixels = problem.real("rows") * problem.real("cols");
    const double sums = pixels / 16 * problem.real("search") * problem.real("search");
    const double bytes = 2 * pixels + 2 * sums;
    return Demand{bytes, bytes, 8 * sums, 3};
  };
  info.checks.odd_problems = {problem_of(13, 18, 5), problem_of(1, 30, 20)};
  info.checks.refused_problems = {problem_of(1 << 16, 1 << 16, 256)};
  info.checks.large_problems = {problem_of(4096, 8192, 16)};
  info.checks.single_item_settings = {{{"variant", "vectors"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "direct"}}};
  info.checks.results = {"sad"};
  info.checks.random_problems.maxima = {{"search", 40}};
  return info;
}

class Sad final : public Dwarf {
 public:
  Sad() : Dwarf(make_info(), sad::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return sad::generate_frames(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return sad::load_frames(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return sad::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return sad::make_host_case(std::static_pointer_cast<const sad::SadInput>(loaded.input), threads);
  }

  // The papers state neither sizes nor settings. Carving's 908 configurations are of the offsets per
  // work-item, the unrolling of three loops, and the work of a group; the plan varies one of them at a time,
  // and complete unrolling, on which the principles remark.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string table_3 = "optimization_principles_2008 Table 3";
    const std::string table_5 = "optimization_carving_2008 Table 5";
    const ValueMap problem = paper_problem();
    std::vector<PaperSetting> settings = {
        {table_3, problem, {{"granularity", 4}, {"unroll", 4}, {"unroll_columns", 4}, {"unroll_offsets", 4}}},
        {table_5, problem, {}}};
    const auto vary = [&](const char* axis, const std::vector<int>& values) {
      for (const int value : values) settings.push_back({table_5, problem, {{axis, value}}});
    };
    vary("granularity", {2, 4, 8, 16});
    vary("unroll", {2, 4});
    vary("unroll_columns", {2, 4});
    vary("blocks", {2, 4, 8});
    vary("work_group", {32, 128, 256});
    // Table 3's kernel by its numbers of work-items and bytes; then what else the text and the public code
    // have.
    const std::string h264 = "optimization_principles_2008 Section 5";
    const ValueMap kernel{{"granularity", 27}, {"work_group", 41}, {"unroll", 4}, {"results", "local"}};
    settings.push_back({h264, problem, kernel});
    settings.push_back({h264, problem, kernel.with("source", "image")});
    settings.push_back({h264, problem, kernel.with("register_tile", 3)});
    settings.push_back({h264, problem, kernel.with("source", "image").with("register_tile", 3)});
    settings.push_back({h264,
                        problem,
                        {{"granularity", 18},
                         {"work_group", 64},
                         {"unroll", 4},
                         {"results", "local"},
                         {"source", "image"},
                         {"register_tile", 3}}});
    return settings;
  }
};

}  // namespace

const Dwarf& sad_dwarf() {
  static const Sad dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
