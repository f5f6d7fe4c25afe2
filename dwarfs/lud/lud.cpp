// LU decomposition without pivoting (dense linear algebra): A = L U in place, single precision, any order.
// What runs on a device is in cases.cpp, with kernels_cl/lud/lud.cl.
//
// The device's matrix is padded with an identity tail to an order that the tile divides: nothing else changes
// by it.
//
// Work. Operations are those of Gaussian elimination, multiplications, subtractions and divisions alike:
// 2/3 n^3 - n^2/2 - n/6 in total, whatever the blocking. Bytes: every kernel reads each element it needs once
// and writes each element it changes once; in total the matrix is read once and written once. Items are the
// elements that a kernel changes; in total those of the matrix. The identity tail does not count.
#include <cmath>

#include "dwarfs/lud/input.hpp"
#include "dwarfs/lud/lud.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep {
namespace {

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "lud";
  info.title = "LU decomposition without pivoting";
  info.pattern = "dense linear algebra";
  info.kernels = {"diagonal", "perimeter", "internal", "tiles"};
  info.item = "elements";
  info.keys = {{"n", "order of the matrix", 256, 1, 65536}};
  // The working set is the matrix: 25 KiB, 225 KiB, 7.9 MiB, 64 MiB.
  info.sizes = {{"tiny", {{"n", 80}}},    {"small", {{"n", 240}}},  {"medium", {{"n", 1440}}},
                {"large", {{"n", 4096}}}, {"paper", {{"n", 4096}}}, {"paper", {{"n", 8192}}}};
  info.input_formats = "one matrix: Matrix Market, or .dat: n, then n x n numbers by rows";
  info.first_choice = [](const Problem&, const Capabilities& device) -> ValueMap {
    return {{"variant", device.is_gpu ? "dataflow" : "blocked"}};
  };
  info.demand = [](const Problem& problem) {
    const double n = problem.real("n");
    return Demand{4 * n * n, 8 * n * n, 2 * n * n * n / 3, std::ceil(n / 64)};  // panels of 64
  };
  info.checks.odd_problems = {{{"n", 37}}, {{"n", 1}}, {{"n", 70}}};
  info.checks.refused_problems = {{{"n", 400000}}};
  info.checks.large_problems = {{{"n", 16000}}};
  info.checks.single_item_settings = {{{"variant", "blocked"}, {"work_group", 1}, {"memory", "global"}}};
  info.checks.small_local_settings = {{{"work_group", 16}}};
  info.checks.random_problems.maxima = {{"n", 1100}};  // cubic work; more than four of the widest panels
  info.checks.results = {"lu"};
  return info;
}

class Lud final : public Dwarf {
 public:
  Lud() : Dwarf(make_info(), lud::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return random_matrix(static_cast<std::size_t>(problem.integer("n")), seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    require_files("lud", info().input_formats, files, 1);
    const std::string& file = files.front();
    std::shared_ptr<LudInput> input = read_square_matrix(file);
    const auto order = static_cast<std::int64_t>(input->order());
    Problem problem =
        make_problem("lud", info().keys, {"file", with_found("lud", request, "n", order, file)});
    return {std::move(problem), std::move(input)};
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return lud::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return lud_host_case(loaded, threads);
  }

  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override;
};

std::vector<PaperSetting> Lud::paper_settings() const {
  std::vector<PaperSetting> settings;
  for (const int n : {4096, 8192}) {
    const auto add = [&](const std::string& figure, const ValueMap& values) {
      settings.push_back({"thesis_2013 " + figure, {{"n", n}}, values});
    };
    // The perimeter as the thesis prints it.
    const auto add_perimeter = [&](const std::string& figure, const ValueMap& values) {
      add(figure, values.with("accumulate", "local"));
    };
    add_perimeter("6.2", {{"granularity", 1}});
    // The coarsened code has the tile below the diagonal transposed.
    for (const int g : {2, 4, 8, 16}) add_perimeter("6.2", {{"granularity", g}, {"layout", "transposed"}});
    for (const int tile : {16, 32}) add_perimeter("6.4", {{"work_group", tile}});
    for (const int width : {1, 2, 4, 8, 16}) {
      add_perimeter("6.6", {{"granularity", width}, {"vector_width", width}});
    }
    for (const int factor : {1, 16}) add_perimeter("6.8", {{"unroll", factor}});
    for (const int factor : {2, 16}) add_perimeter("6.8", {{"unroll", factor}, {"unrolled_loops", "even"}});
    for (const auto& [figure, direction] :
         {std::pair("6.12", "internal_x"), std::pair("6.15", "internal_y")}) {
      add(figure, {{"granularity", 1}});
      for (const int g : {2, 4, 8}) add(figure, {{"granularity", g}, {"direction", direction}});
    }
    for (const int tile : {16, 32}) add("6.17", {{"work_group", tile}});
    for (const char* layout : {"direct", "transposed"}) add("6.20", {{"layout", layout}});
    add("6.19", {{"layout", "transposed_stores"}});
    for (const int width : {1, 2, 4, 8}) add("6.22", {{"layout", "transposed"}, {"vector_width", width}});
    add("6.24", {{"layout", "direct"}, {"vector_width", 1}});
    for (const int width : {2, 4, 8}) add("6.24", {{"layout", "transposed"}, {"vector_width", width}});
    for (const int factor : {1, 2, 4, 8}) add("6.26", {{"unroll", factor}});
  }
  return settings;
}

}  // namespace

const Dwarf& lud_dwarf() {
  static const Lud dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
