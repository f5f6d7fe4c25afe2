// sgemv: y = alpha * op(A) * x + beta * y in single precision (dense linear algebra). This file describes the
// dwarf.
//
// A is row-major, m x n, rows lda apart; op(A) is A or, with transposed=1, its transpose. Work: each element
// of A is read once and takes a multiplication and an addition; x and (unless beta is 0) y are read once, y
// is written once. m and n are at least 1: an empty product cannot be timed. The method is in
// kernels_cl/sgemv/sgemv.cl, the check's error bound in verification.cpp.
#include <cfloat>

#include "dwarfs/sgemv/input.hpp"
#include "dwarfs/sgemv/sgemv.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep {
namespace {

constexpr std::int64_t max_edge = std::int64_t{1} << 30;  // two of them fit the kernels' ints

// The paper sweeps square matrices without naming sizes; its matrix is column-major, which a row-major matrix
// is when transposed.
ValueMap published(int edge) {
  return {{"m", edge}, {"n", edge}, {"transposed", 1}};
}

// Elements up to which a group for each row is faster than shares that wait for each other: an H200 takes 1.7
// us instead of 4.6 for 250 x 1893.
constexpr std::int64_t small_matrix = 1 << 20;

// A CPU adds rows of up to several hundred elements fastest by itself, one work-item each: through PoCL two
// cores take 2.4 ms instead of 7.3 for 2.7 M rows of 9, and 1.6 instead of 2.6 for 40,000 of 605. The
// variant split_k has a kernel for at most 8 elements without gaps: it takes 0.6 ms instead of 2.7 for 2.7 M
// rows of 3.
//
// Short rows are not padded, since that would multiply what is read. Longer rows are: two cores take 132 us
// instead of 179 for a transposed 472 x 11637. If a transposed matrix has many rows, a CPU adds 16 instead of
// 8 at once, so that it reads and writes the sums half as often. If there are too few outputs to occupy a
// GPU, work-items have several loads in flight, and large groups add more rows of a transposed matrix: fewer
// chunks remain to be added at the end.
//
// For a transposed matrix on a GPU, a group takes 16 columns with all their rows, if these groups occupy at
// least a quarter of the compute units and each unit has at most one. No group then waits for the sums of
// another: an H200 takes 8.8 us instead of 11.8 for 1449 x 781. So do those that have fewer than 128 rows of
// their 128 columns, 16 at a time where the device has room for it: each work-item then loads all its rows at
// once, and shares would only have to be added.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const std::int64_t rows = problem.integer("m");
  const std::int64_t columns = problem.integer("n");
  const std::int64_t units = device.compute_units;
  ValueMap split = {{"variant", "split_k"}};
  const bool transposed = problem.integer("transposed") == 1;
  const bool short_rows = columns <= 64 || (transposed && !device.is_gpu && columns < 256);
  if (short_rows) split = split.with("padding", 0);
  if (!device.is_gpu) {
    if (transposed) return !short_rows && rows >= 128 ? split.with("unroll", 4) : split;
    const std::int64_t row_stride = problem.integer("lda");
    const bool gapless = row_stride == 0 || row_stride == columns;
    if (gapless && columns <= sgemv::max_short_rows) return split;
    const bool rows_for_items = columns <= 768 && rows >= 1024 * units;
    if (!rows_for_items) return split;
    return {{"variant", "row_per_item"},
            {"work_group", 256},
            {"vector_width", columns < 24    ? 4
                             : columns < 256 ? 8
                                             : 16}};
  }
  if (columns >= 256 && rows * columns <= small_matrix && !transposed)
    return {{"variant", "row_per_group"},
            {"work_group", 256},
            {"vector_width", 4},
            {"unroll", 1},
            {"padding", 16}};
  if (!transposed) return rows < units ? split.with("unroll", 4) : split;
  if (device.work_group_items < 512) return split;
  const bool wide = columns > 128 * units;
  if (columns <= sgemv::max_short_rows)
    return rows < 128 ? split : split.with("work_group", 512).with("unroll", columns > 2 ? 1 : 4);
  if (rows < 128) {
    const int items = wide ? 128 : 512;
    int unroll = 1;
    while (unroll < 8 && (2 * unroll - 1) * (items / 32) < rows) unroll *= 2;
    return split.with("work_group", items).with("unroll", unroll).with("splits", 1);
  }
  // A group has 16 columns. Four lanes read them in one row, and the other work-items read other rows. An
  // H200 takes 12.4 us instead of 14.2 for 2607 x 2814, 10.1 instead of 13.9 for 760 x 6447, 10.9 instead
  // of 13.7 for 10000 x 300. A group has 128 columns if the matrix is wide: 36 us instead of 42 for 1000 x
  // 30000.
  if (wide && rows <= 1024 && columns <= 512 * units)
    return split.with("work_group", 512).with("unroll", 4).with("padding", 64).with("splits", 1);
  if (wide) return split;
  const std::int64_t groups = ceil_div(columns, 16);
  const bool enough = groups >= units || (4 * groups >= units && rows <= 4096);
  return split.with("work_group", 512)
      .with("unroll", 4)
      .with("padding", 64)
      .with("lanes", 4)
      .with("splits", enough ? 1 : 0);
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "sgemv";
  info.title = "matrix-vector product in single precision";
  info.pattern = "dense linear algebra";
  info.kernels = {"gemv", "reduce"};
  info.item = "matrix elements";
  const auto max = static_cast<double>(max_edge);
  info.keys = {
      {"m", "rows of the matrix", 4096, 1, max},
      {"n", "columns of the matrix", 4096, 1, max},
      {"lda", "elements from one row to the next, 0: n", 0, 0, 2 * max, {}, KeyRole::detail},
      {"alpha", "factor of the product", 1.0, -FLT_MAX, FLT_MAX},
      {"beta", "factor of the y that is added", 0.0, -FLT_MAX, FLT_MAX},
      {"transposed", "1: the matrix is transposed, and y has n elements", 0, 0, 1, {}, KeyRole::algorithm}};
  // Matrices of 36 KiB, 1 MiB, 16 MiB and 256 MiB.
  info.sizes = {{"tiny", {{"m", 96}, {"n", 96}}},
                {"small", {{"m", 512}, {"n", 512}}},
                {"medium", {{"m", 2048}, {"n", 2048}}},
                {"large", {{"m", 8192}, {"n", 8192}}},
                {"paper", published(1024)},
                {"paper", published(2048)},
                {"paper", published(4096)},
                {"paper", published(8192)}};
  info.input_formats = "one matrix: Matrix Market, or .dat (n, then n x n numbers row by row)";
  info.first_choice = first_choice;
  info.demand = [](const Problem& problem) {
    const double elements = problem.real("m") * problem.real("n");
    return Demand{4 * elements, 4 * elements, 2 * elements, 2};
  };
  info.checks.odd_problems = {{{"m", 33}, {"n", 57}},
                              {{"m", 70}, {"n", 41}, {"lda", 50}, {"alpha", 1.5}, {"beta", -0.5}},
                              {{"m", 45}, {"n", 91}, {"transposed", 1}, {"beta", 2}},
                              {{"m", 301}, {"n", 3}, {"transposed", 1}, {"beta", 2}}};
  info.checks.refused_problems = {{{"m", 900000}, {"n", 900000}}};
  info.checks.large_problems = {{{"m", 16000}, {"n", 16000}}};
  info.checks.single_item_settings = {{{"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "vec_single"}}};
  info.checks.random_problems.maxima = {{"lda", 300}};
  info.checks.random_problems.fit = [](const ValueMap& drawn) {
    const std::int64_t lda = drawn.integer("lda");
    const std::int64_t n = drawn.integer("n");
    return lda == 0 || lda >= n ? drawn : drawn.with("lda", n + lda);
  };
  info.checks.results = {"y"};
  return info;
}

class Sgemv final : public Dwarf {
 public:
  Sgemv() : Dwarf(make_info(), sgemv::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    return sgemv::generate_operands(sgemv::shape_of(problem), seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    return sgemv::load_matrix(info(), request, files);
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return sgemv::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return sgemv::make_host_case(std::static_pointer_cast<const sgemv::SgemvInput>(loaded.input), threads);
  }

  // The paper's loaders are lanes (warps) of the group.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    std::vector<PaperSetting> settings;
    for (const int edge : {1024, 2048, 4096, 8192}) {
      // The structure of what the paper starts from, Magma's: all threads load the vector, then all compute.
      settings.push_back(
          {"cudadma_2011 Figure 10", published(edge), {{"variant", "vec_single"}, {"loader", "all"}}});
      for (const char* barrier : {"group", "named"}) {
        settings.push_back(
            {"cudadma_2011 Section 4",
             published(edge),
             {{"variant", "vec_single"}, {"loader", "split"}, {"barrier", barrier}, {"prefetch", 1}}});
      }
      for (const std::string& variant : sgemv::staged_variants()) {
        settings.push_back(
            {"cudadma_2011 Figure 10", published(edge), {{"variant", variant}, {"loader", "split"}}});
        settings.push_back({"cudadma_2011 Section 4",
                            published(edge),
                            {{"variant", variant}, {"loader", "split"}, {"barrier", "named"}}});
      }
    }
    return settings;
  }
};

}  // namespace

const Dwarf& sgemv_dwarf() {
  static const Sgemv dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
