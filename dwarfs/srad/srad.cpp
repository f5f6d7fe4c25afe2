// Speckle reducing anisotropic diffusion (structured grid). This file describes the dwarf. The method is in
// kernels_cl/srad/srad.cl.
//
// The output's picture, output.pgm of --dump, is 255 times the output's logarithm.
//
// Work. Items are pixel iterations. In total a step reads and writes the image once, 8 bytes per pixel, as
// each step needs the statistics of the whole image before it, and does 44 operations per pixel as the
// formulas at the head of the kernel file stand: 4 for the sums, 31 for c (each division counts once), 9 for
// the update. `statistics` reads its region; `diffusion_1` reads the image and writes c and four differences,
// `diffusion_2` reads those and changes the image; `diffusion` is a fused step.
#include <algorithm>

#include "dwarfs/srad/input.hpp"
#include "dwarfs/srad/srad.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

// Moves a region of interest into the image, and limits the steps: each has launches of its own.
ValueMap fitted(const ValueMap& drawn) {
  const std::int64_t rows = drawn.integer("rows");
  const std::int64_t cols = drawn.integer("cols");
  const std::int64_t top = drawn.integer("roi_top") % rows;
  const std::int64_t left = drawn.integer("roi_left") % cols;
  return drawn.with("iterations", std::min<std::int64_t>(drawn.integer("iterations"), 5000))
      .with("roi_top", top)
      .with("roi_left", left)
      .with("roi_rows", drawn.integer("roi_rows") % (rows - top + 1))
      .with("roi_cols", drawn.integer("roi_cols") % (cols - left + 1));
}

DwarfInfo make_info() {
  constexpr double max = 1 << 20;
  DwarfInfo info;
  info.name = "srad";
  info.title = "Speckle reducing anisotropic diffusion";
  info.pattern = "structured grid";
  info.kernels = {"statistics", "diffusion_1", "diffusion_2", "diffusion"};
  info.item = "pixel iterations";
  info.keys = {
      {"rows", "rows of the image", 256, 1, max},
      {"cols", "columns of the image", 256, 1, max},
      {"iterations", "steps", 2, 1, 1'000'000, {}, KeyRole::detail},
      {"lambda", "step length", 0.5, 0, 1},
      {"roi_top", "first row of the region of interest", 0, 0, max - 1, {}, KeyRole::detail},
      {"roi_left", "first column of the region of interest", 0, 0, max - 1, {}, KeyRole::detail},
      {"roi_rows", "rows of the region of interest (0: to the last)", 0, 0, max, {}, KeyRole::detail},
      {"roi_cols", "columns of the region of interest (0: to the last)", 0, 0, max, {}, KeyRole::detail}};
  const auto square = [](int n) { return ValueMap{{"rows", n}, {"cols", n}}; };
  // An image read and one written: 32 KiB, 512 KiB, 8 MiB, 128 MiB; diffusion_2 moves 3.5 times that.
  info.sizes = {{"tiny", square(64)},    {"small", square(256)},  {"medium", square(1024)},
                {"large", square(4096)}, {"paper", square(4096)}, {"paper", square(8192)}};
  info.input_formats = "one PGM image (P2 or P5); a grey value becomes exp(value / maxval)";
  info.demand = [](const Problem& problem) {
    const double pixels = problem.real("rows") * problem.real("cols");
    const double iterations = problem.real("iterations");
    return Demand{8 * pixels, 8 * pixels * iterations, 44 * pixels * iterations, 1 + 2 * iterations};
  };
  info.first_choice = srad::first_choice;
  info.checks.odd_problems = {{{"rows", 19}, {"cols", 33}},
                              {{"rows", 45},
                               {"cols", 17},
                               {"iterations", 3},
                               {"lambda", 0.25},
                               {"roi_top", 3},
                               {"roi_left", 2},
                               {"roi_rows", 11},
                               {"roi_cols", 9}},
                              {{"rows", 1}, {"cols", 7}},
                              {{"rows", 70}, {"cols", 3}}};
  info.checks.refused_problems = {{{"rows", 900000}, {"cols", 900000}}};
  info.checks.large_problems = {{{"rows", 16000}, {"cols", 16000}}};
  info.checks.single_item_settings = {{{"variant", "fused_rows"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "halo"}}};
  info.checks.random_problems.maxima = {
      {"roi_top", 4000}, {"roi_left", 4000}, {"roi_rows", 4000}, {"roi_cols", 4000}};
  info.checks.random_problems.fit = fitted;
  info.checks.results = {"output"};
  return info;
}

class Srad final : public Dwarf {
 public:
  Srad() : Dwarf(make_info(), srad::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return srad::generate_image(srad::parameters_of(problem), seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return srad::load_image(info(), request, files);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return srad::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return srad::make_host_case(std::static_pointer_cast<const srad::SradInput>(loaded.input), threads);
  }

  // Thesis, figures 6.41 (padding) and 6.43 (geometry, from the padded code), at both announced sizes;
  // performance study, figure 4: 18 x 18 values in local memory for groups of 16 x 16.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    std::vector<PaperSetting> settings;
    const std::pair<std::string, Value> whole{"tile_arrays", "published"};
    for (const int n : {4096, 8192}) {
      const ValueMap problem{{"rows", n}, {"cols", n}};
      settings.push_back({"thesis_2013 6.41", problem, {{"variant", "branches"}, whole}});
      settings.push_back({"thesis_2013 6.41", problem, {{"variant", "halo"}, whole}});
      for (const int edge : {16, 32})
        settings.push_back({"thesis_2013 6.43", problem, {{"variant", "halo"}, {"work_group", edge}, whole}});
    }
    settings.push_back({"performance_study_2008 Figure 4",
                        {{"rows", 2048}, {"cols", 2048}},
                        {{"variant", "halo"}, {"work_group", 16}}});
    return settings;
  }
};

}  // namespace

const Dwarf& srad_dwarf() {
  static const Srad dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
