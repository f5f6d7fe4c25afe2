// mri (spectral): images from samples at any places of the Fourier space, by direct sums. This file
// describes the dwarf.
//
// Work: items are pairs of a voxel and a sample. Each takes 5 operations for the phase, 1 to bring it into
// the functions' unit, 2 for sine and cosine, and 4 (q) or 8 (fhd) for the sums. Before, each sample takes 3
// (q) or 6 operations for its weight. Voxels, samples, phi and data are read once, results written once. On a
// GPU the rate of sine and cosine is the limit: 8 pairs per cycle and compute unit on NVIDIA's.
#include "dwarfs/mri/mri.hpp"
#include "dwarfs/mri/scan.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

constexpr double operations_by_time = 32;  // a pair takes as long as this many operations
constexpr int paper_voxels = 8192;
constexpr int paper_samples = 3072;

ValueMap problem_of(int voxels, int samples, const char* kind = "q") {
  return {{"voxels", voxels}, {"samples", samples}, {"kind", kind}};
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "mri";
  info.title = "MRI reconstruction from non-Cartesian samples";
  info.pattern = "spectral";
  info.kernels = {"weights", "mri"};
  info.item = "pairs of a voxel and a sample";
  info.keys = {{"voxels", "places of the image", paper_voxels, 1, 0x1p28},
               {"samples", "samples of the Fourier space", paper_samples, 1, 1 << 20},
               {"kind", "what is summed: Q or F^H d", "q", 0, 0, {"q", "fhd"}}};
  info.sizes = {{"tiny", problem_of(1024, 256)},
                {"small", problem_of(8192, 1024)},
                {"medium", problem_of(16384, 2048)},
                {"large", problem_of(1 << 20, 16384)},
                {"paper", problem_of(paper_voxels, paper_samples)},
                {"paper", problem_of(paper_voxels, paper_samples, "fhd")}};
  info.input_formats =
      "three .npy of floats: voxels (voxels x 3), samples (samples x 3), phi (samples x 2: real, "
      "imaginary); with kind=fhd a fourth, data (samples x 2); the product of positions is in turns";
  info.first_choice = [](const Problem&, const Capabilities&) -> ValueMap { return {{"variant", "tiled"}}; };
  info.demand = [](const Problem& problem) {
    const double voxels = problem.real("voxels");
    const double samples = problem.real("samples");
    const double bytes = 20 * voxels + 28 * samples;
    return Demand{bytes, bytes, operations_by_time * voxels * samples, 2 * (1 + samples / 3276)};
  };
  info.checks.odd_problems = {problem_of(131, 19), problem_of(1, 37, "fhd")};
  info.checks.refused_problems = {problem_of(1 << 28, 1 << 20)};
  info.checks.large_problems = {problem_of(50000000, 1)};
  info.checks.single_item_settings = {{{"variant", "tiled"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "direct"}}};
  info.checks.results = {"q", "fhd"};
  return info;
}

class Mri final : public Dwarf {
 public:
  Mri() : Dwarf(make_info(), mri::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return mri::generate_scan(problem, seed);
  }
  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return mri::load_scan(info(), request, files);
  }
  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return mri::make_case(setup);
  }
  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return mri::make_host_case(std::static_pointer_cast<const mri::MriInput>(loaded.input), threads);
  }

  // Neither paper states its sizes or settings. Carving's 896 configurations are seven numbers of samples per
  // launch by 128 of group size and unrolling: here 16 groups by 8; the plan varies one of them at a time,
  // with the layout that its text says was found later, and the functions to which the principles owe 30 %.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string table_3 = "optimization_principles_2008 Table 3";
    const std::string table_5 = "optimization_carving_2008 Table 5";
    const ValueMap fhd = problem_of(paper_voxels, paper_samples, "fhd");
    std::vector<PaperSetting> settings;
    const ValueMap published{{"layout", "aos"}, {"functions", "native"}, {"accumulate", "local"}};
    for (const ValueMap& problem : {problem_of(paper_voxels, paper_samples), fhd}) {
      settings.push_back({table_3, problem, published});
      settings.push_back(
          {"optimization_principles_2008 Section 5", problem, published.with("data_memory", "global")});
    }
    settings.push_back({table_5, fhd, {}});
    for (const char* layout : {"soa", "aos"}) {
      for (const int samples : {32, 64, 128, 256, 512, 1024, 2048}) {
        settings.push_back({"optimization_carving_2008 Figure 5",
                            fhd,
                            {{"layout", layout}, {"samples_per_launch", samples}}});
      }
    }
    const auto vary = [&](const char* axis, const std::vector<int>& values) {
      for (const int value : values) settings.push_back({table_5, fhd, {{axis, value}}});
    };
    vary("work_group", {32, 64, 256, 512});
    vary("unroll", {2, 4, 8});
    vary("samples_per_launch", {32, 64, 128, 256, 1024, 2048});
    return settings;
  }
};

}  // namespace

const Dwarf& mri_dwarf() {
  static const Mri dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
