// h264 (structured grid): an encoder of video in H.264, Baseline profile, whose search for motion is on the
// device and whose rest is on the host: what the dwarf says of itself.
//
// Work: items are offsets of a macroblock. Each takes 64 differences of four bytes, 25 sums for the larger
// partitions and 41 comparisons. Frames are read once, and 41 vectors and costs per macroblock are written
// once: integer arithmetic is the limit. A run is the whole application, with transfers and the host's part.
#include "dwarfs/h264/h264.hpp"

#include <algorithm>

namespace dwarfsweep {
namespace {

constexpr double operations_by_time = 400;  // an offset takes as long as this many operations

ValueMap problem_of(int rows, int cols, int frames, int search) {
  return {{"rows", rows}, {"cols", cols}, {"frames", frames}, {"search", search}};
}

// The least frame of H.264's test sequences (QCIF), and offsets of up to 16 pixels.
ValueMap paper_problem() {
  return problem_of(144, 176, 10, 33);
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "h264";
  info.title = "H.264 encoder, its search for motion on the device";
  info.pattern = "structured grid";
  info.kernels = {"sad4", "larger", "choose", "search"};
  info.item = "offsets of a macroblock";
  info.arithmetic = Arithmetic::integer;
  info.keys = {
      {"rows", "of a frame, in pixels, even", 144, 2, 1 << 14},
      {"cols", "of a frame, in pixels, even", 176, 2, 1 << 14},
      {"frames", "of the video", 10, 2, 1 << 16},
      {"search", "offsets in each direction, from -(search / 2) on", 33, 1, 64},
      {"qp", "quantiser of all frames but the first, which is raw", 28, 0, 51, {}, KeyRole::detail},
      {"lambda", "what a bit of a vector costs, in units of difference", 6, 0, 255, {}, KeyRole::detail},
      {"predictor",
       "of vectors in their cost: zero, or that of the same macroblock in the previous frame",
       "zero",
       0,
       0,
       {"zero", "previous"},
       KeyRole::algorithm}};
  info.sizes = {{"tiny", problem_of(48, 64, 3, 17)},
                {"small", paper_problem()},
                {"medium", problem_of(288, 352, 10, 33)},
                {"large", problem_of(1088, 1920, 5, 33)},
                {"paper", paper_problem()}};
  info.input_formats =
      "a .y4m: video in 4:2:0 with 8 bits per sample (C420); or two or more PGM images (P2 or P5, one byte "
      "per "
      "pixel): frames without colour";
  info.first_choice = h264::first_choice;
  info.demand = [](const Problem& problem) {
    const double pixels = problem.real("rows") * problem.real("cols") * problem.real("frames");
    const double offsets = pixels / 256 * problem.real("search") * problem.real("search");
    return Demand{2 * pixels, 2 * pixels, operations_by_time * offsets, problem.real("frames")};
  };
  info.checks.odd_problems = {
      problem_of(34, 50, 3, 7).with("qp", 33),
      problem_of(18, 20, 4, 11).with("qp", 20).with("predictor", "previous").with("lambda", 20)};
  info.checks.refused_problems = {problem_of(1 << 14, 1 << 14, 1 << 16, 33)};
  info.checks.large_problems = {problem_of(1088, 1920, 300, 1)};
  info.checks.single_item_settings = {{{"variant", "vectors"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "three_kernels"}}};
  info.checks.results = {"vectors", "costs"};
  info.checks.random_problems.maxima = {{"frames", 4}, {"search", 20}, {"qp", 51}, {"lambda", 255}};
  info.checks.random_problems.fit = [](const ValueMap& values) {
    ValueMap fitting = values;
    for (const char* key : {"rows", "cols"})
      fitting = fitting.with(key, std::min<std::int64_t>(values.integer(key), 400) / 2 * 2);
    return fitting;
  };
  return info;
}

class H264 final : public Dwarf {
 public:
  H264() : Dwarf(make_info(), h264::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return h264::generate_video(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return h264::load_video(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return h264::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return h264::make_host_case(std::static_pointer_cast<const h264::VideoInput>(loaded.input), threads);
  }

  // The paper prints neither sizes nor settings. It unrolls the innermost loop and keeps tiles of the next
  // two in registers; 27 offsets per work-item follow from its table 3.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    return {{"optimization_principles_2008 Table 3", paper_problem(), {{"granularity", 27}, {"unroll", 4}}}};
  }
};

}  // namespace

const Dwarf& h264_dwarf() {
  static const H264 dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
