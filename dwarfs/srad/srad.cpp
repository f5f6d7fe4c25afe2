// Speckle reducing anisotropic diffusion (structured grid): what the dwarf tells of itself. The method is in
// kernels_cl/srad/srad.cl, what runs on a device in srad_cases, the reference in srad_reference.
//
// Image. A file's grey value becomes exp(value / maxval), as the classic program makes exp(value / 255) of
// eight bits: speckle multiplies, and the result is positive. The output's picture is 255 times the output's
// logarithm.
//
// Work. Items are pixel iterations. In total a step reads and writes the image once, 8 bytes per pixel, and
// does 44 operations per pixel as the formulas at the head of the kernel file stand: 4 for the sums, 31 for c
// (each division counts once), 9 for the update. `statistics` reads its region; `diffusion_1` reads the image
// and writes c and four differences, `diffusion_2` reads those and changes the image; `diffusion` is a fused
// step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dwarfs/srad/cases.hpp"
#include "dwarfs/srad/input.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/pgm.hpp"
#include "harness/host_memory.hpp"
#include "harness/status.hpp"

namespace dwarfsweep {
namespace {

using srad::is_fused;
using srad::Parameters;
using srad::SradInput;

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "branches: tile and edge arrays; halo: tile with its halo; fused: a step in one, down columns; "
             "fused_rows: the same along rows, for CPUs",
             {"branches", "halo", "fused", "fused_rows"},
             "branches"})
      .axis({"work_group",
             "branches, halo: edge of a tile; fused, fused_rows: the square of it is a group's work-items",
             {1, 8, 16, 32},
             16})
      .axis({"granularity", "rows per work-item", {1, 4, 16, 32, 64}, 1})
      .axis({"vector_width",
             "neighbouring columns computed at once",
             {1, 2, 4, 8, 16},
             1,
             {"halo", "fused", "fused_rows"}})
      .axis({"unroll",
             "of the loop over a work-item's rows; fused_rows: of the loop over vectors of a row",
             {1, 2, 4},
             1})
      .axis({"padding",
             "0: columns beyond the image are clamped; 1: rows are padded with their first and last pixel",
             {0, 1},
             0,
             {"halo", "fused", "fused_rows"}})
      .axis({"sync",
             "how steps follow each other: a launch each, flags within one launch, or these on CPUs where "
             "groups may wait",
             {"auto", "launches", "flags"},
             "auto",
             {"fused_rows"}})
      .axis({"stores",
             "into the caches, past them, or past them where they do not hold the images",
             {"auto", "cached", "streamed"},
             "auto",
             {"fused_rows"}})
      .default_setting("halo", {{"padding", 1}})
      .default_setting(
          "fused",
          {{"work_group", 8}, {"granularity", 64}, {"vector_width", 4}, {"unroll", 2}, {"padding", 1}})
      .default_setting("fused", {{"granularity", 16}, {"unroll", 1}}, is_gpu)
      .default_setting("fused_rows",
                       {{"work_group", 1}, {"granularity", 32}, {"vector_width", 16}, {"padding", 1}});
  space.constrain("a tile's edge is 8, 16 or 32",
                  [](const Point& p) { return is_fused(p.variant()) || p["work_group"] >= 8; });
  space.constrain("a work-item cannot have more rows than the tile", [](const Point& p) {
    return is_fused(p.variant()) || p["granularity"] <= p["work_group"];
  });
  space.constrain("a vector cannot be wider than the tile", [](const Point& p) {
    return is_fused(p.variant()) || p["vector_width"] <= p["work_group"];
  });
  space.constrain("flags need groups of one work-item, and the whole image as region of interest",
                  [](const Point& p) {
                    return p.config.string("sync") != "flags" ||
                           (p["work_group"] == 1 && p.problem.integer("roi_rows") == 0 &&
                            p.problem.integer("roi_cols") == 0);
                  });
  space.constrain("the loop over rows cannot be unrolled further than it runs", [](const Point& p) {
    return p.variant() == "fused_rows" || p["unroll"] <= p["granularity"];
  });
  space.constrain("vectors read beyond a row's end, which has to be padded",
                  [](const Point& p) { return p["vector_width"] == 1 || p["padding"] == 1; });
  space.constrain("a fused step reads beyond a row's end, which has to be padded",
                  [](const Point& p) { return !is_fused(p.variant()) || p["padding"] == 1; });
  space.group_items([](const Point& p) {
    const std::int64_t square = p["work_group"] * p["work_group"];
    const std::int64_t items = is_fused(p.variant()) ? square : square / p["granularity"] / p["vector_width"];
    return static_cast<std::uint64_t>(items);
  });
  space.local_bytes([](const Point& p) {
    const auto edge = static_cast<std::uint64_t>(p["work_group"]);
    const std::uint64_t reduction =
        8 * std::max<std::uint64_t>(srad::max_group, is_fused(p.variant()) ? edge * edge : 0);
    if (p.variant() == "branches") return std::max(reduction, 4 * (edge * edge + 4 * edge));
    if (p.variant() != "halo") return reduction;
    return std::max(reduction,
                    4 * (edge + 2) * round_up(edge + 2, static_cast<std::uint64_t>(p["vector_width"])));
  });
  return space;
}

DwarfInfo make_info() {
  constexpr double most = 1 << 20;
  DwarfInfo info;
  info.name = "srad";
  info.title = "Speckle reducing anisotropic diffusion";
  info.pattern = "structured grid";
  info.kernels = {"statistics", "diffusion_1", "diffusion_2", "diffusion"};
  info.item = "pixel iterations";
  info.keys = {{"rows", "rows of the image", 256, 1, most},
               {"cols", "columns of the image", 256, 1, most},
               {"iterations", "steps", 2, 1, 1'000'000},
               {"lambda", "step length", 0.5, 0, 1},
               {"roi_top", "first row of the region of interest", 0, 0, most - 1},
               {"roi_left", "first column of the region of interest", 0, 0, most - 1},
               {"roi_rows", "rows of the region of interest (0: to the last)", 0, 0, most},
               {"roi_cols", "columns of the region of interest (0: to the last)", 0, 0, most}};
  const auto square = [](int n) { return ValueMap{{"rows", n}, {"cols", n}}; };
  // An image read and one written: 32 KiB, 512 KiB, 8 MiB, 128 MiB; diffusion_2 moves 3.5 times that.
  info.sizes = {{"tiny", square(64)},    {"small", square(256)},  {"medium", square(1024)},
                {"large", square(4096)}, {"paper", square(4096)}, {"paper", square(8192)}};
  info.input_formats = "one PGM image (P2 or P5); a grey value becomes exp(value / maxval)";
  return info;
}

void require_memory(const Parameters& p) {
  // The image, and the reference: pixels and coefficients in double precision, twice while they are compared.
  require_host_memory(fmt::format("srad: an image of {} x {} and its check", p.rows, p.cols),
                      p.pixels() * (sizeof(float) + 3 * sizeof(double)));
}

class Srad final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    const Parameters p = srad::parameters_of(problem);
    require_memory(p);
    return std::make_shared<SradInput>(p, srad::speckled_image(p, seed));
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override;

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    return srad::make_case(
        {workspace, space_, config, std::static_pointer_cast<const SradInput>(loaded.input)});
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return srad::make_host_case(std::static_pointer_cast<const SradInput>(loaded.input), threads);
  }

  // Thesis, figures 6.41 (padding) and 6.43 (geometry, from the padded code), at both announced sizes;
  // performance study, figure 4: groups of 16 x 16.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    std::vector<PaperSetting> settings;
    for (const int n : {4096, 8192}) {
      const ValueMap problem{{"rows", n}, {"cols", n}};
      settings.push_back({"thesis_2013 6.41", problem, {{"variant", "branches"}}});
      settings.push_back({"thesis_2013 6.41", problem, {{"variant", "halo"}}});
      for (const int edge : {16, 32})
        settings.push_back({"thesis_2013 6.43", problem, {{"variant", "halo"}, {"work_group", edge}}});
    }
    settings.push_back(
        {"performance_study_2008 Figure 4", {{"rows", 2048}, {"cols", 2048}}, {{"work_group", 16}}});
    return settings;
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

Loaded Srad::load(const ValueMap& request, const std::vector<std::string>& files) const {
  require_files("srad", info_.input_formats, files, 1);
  GreyImage grey = read_pgm(files.front());
  ValueMap values = with_found("srad", request, "rows", grey.rows, files.front());
  values = with_found("srad", values, "cols", grey.cols, files.front());
  Problem problem = make_problem(info_.name, info_.keys, {"file", values});
  const Parameters p = srad::parameters_of(problem);
  require_memory(p);
  for (float& pixel : grey.pixels)
    pixel = static_cast<float>(std::exp(static_cast<double>(pixel) / static_cast<double>(grey.maxval)));
  return {std::move(problem), std::make_shared<SradInput>(p, std::move(grey.pixels))};
}

}  // namespace

const Dwarf& srad_dwarf() {
  static const Srad dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
