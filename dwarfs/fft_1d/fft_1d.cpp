// fft_1d (spectral): complex transforms of one dimension. This file describes the dwarf. The method is in
// kernels_cl/fft_1d/fft_1d.cl, the check's bounds in verification.cpp.
//
// Work. Items are numbers. In total a run reads and writes each of them once, 16 bytes, however many passes
// it makes: what a pass leaves could stay in a cache; `fft` moves these bytes in each of its launches.
// Operations are counted as is usual, 5 log2 n per number.
#include <cmath>

#include <algorithm>
#include <bit>

#include "dwarfs/fft_1d/fft_1d.hpp"
#include "dwarfs/fft_1d/signal.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

ValueMap of(int n, int batch) {
  return {{"n", n}, {"batch", batch}};
}

// The sizes of the paper's table 4.
const std::vector<int> published = {1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 25, 1 << 26};

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "fft_1d";
  info.title = "Fourier transform in one dimension";
  info.pattern = "spectral";
  info.kernels = {"fft"};
  info.item = "numbers";
  constexpr bool only_powers_of_two = true;
  info.keys = {
      {"n", "complex numbers of a transform", 4096, 2, 0x1p26, {}, KeyRole::by_kind, only_powers_of_two},
      {"batch", "transforms", 1, 1, 0x1p28},
      {"direction", "inverse has the factor 1/n", "forward", 0, 0, {"forward", "inverse"}}};
  // Signal and spectrum: 32 KiB, 1 MiB, 16 MiB, 128 MiB.
  info.sizes = {{"tiny", of(1 << 11, 1)},
                {"small", of(1 << 16, 1)},
                {"medium", of(1 << 20, 1)},
                {"large", of(1 << 23, 1)}};
  for (const int n : published) info.sizes.push_back({"paper", of(n, 1)});
  info.input_formats =
      "a file of complex numbers: .npy of complex64 or complex128, (n) or (batch, n), or of floats, "
      "(n, 2) or (batch, n, 2); any other name: pairs of little-endian 32-bit floats, n or batch as "
      "requested, else one transform of all";
  info.first_choice = fft_1d::first_choice;
  info.demand = [](const Problem& problem) {
    const double numbers = problem.real("n") * problem.real("batch");
    const double bits = std::log2(problem.real("n"));
    const double passes = std::ceil(bits / 9);
    return Demand{16 * numbers, 16 * numbers * passes, 5 * numbers * bits, passes};
  };
  info.checks.odd_problems = {{{"n", 512}, {"batch", 3}},
                              {{"n", 32}, {"batch", 13}, {"direction", "inverse"}}};
  info.checks.refused_problems = {{{"n", 1 << 26}, {"batch", 1 << 28}}};
  info.checks.large_problems = {{{"n", 1 << 25}, {"batch", 2}}};
  info.checks.single_item_settings = {
      {{"variant", "stockham"}, {"work_group", 1}, {"granularity", 4}, {"vector_width", 4}, {"radix", 16}}};
  info.checks.small_local_settings = {{{"variant", "global"}}};
  info.checks.results = {"spectrum"};
  info.checks.random_problems.fit = [](const ValueMap& drawn) {
    const auto n = static_cast<std::uint64_t>(std::max<std::int64_t>(2, drawn.integer("n")));
    return drawn.with("n", static_cast<std::int64_t>(std::bit_floor(n)));
  };
  return info;
}

class Fft final : public Dwarf {
 public:
  Fft() : Dwarf(make_info(), fft_1d::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return fft_1d::random_signal(problem, seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return fft_1d::load_signal(info(), request, files);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return fft_1d::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return fft_1d::make_host_case(std::static_pointer_cast<const fft_1d::Signal>(loaded.input), threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    std::vector<PaperSetting> settings;
    const ValueMap staged{{"variant", "staged"}};
    const ValueMap named = staged.with("barrier", "named").with("prefetch", 1);
    for (const int n : published) {
      settings.push_back({"cudadma_2011 Table 4", of(n, 1), staged});
      // Twice as many warps compute as load, as in the work's groups of 16 and 8: those take 128 KiB here.
      const ValueMap groups{{"work_group", 128}, {"granularity", 32}};
      for (const ValueMap& setting : {staged, named}) {
        ValueMap of_the_work = setting;
        for (const auto& [axis, value] : groups.entries()) of_the_work = of_the_work.with(axis, value);
        settings.push_back({"cudadma_2011 Section 6.3", of(n, 1), of_the_work});
      }
      settings.push_back({"cudadma_2011 Section 4", of(n, 1), named});
    }
    return settings;
  }
};

}  // namespace

const Dwarf& fft_1d_dwarf() {
  static const Fft dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
