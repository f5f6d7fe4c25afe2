// sgemv: y = alpha * op(A) * x + beta * y in single precision (dense linear algebra).
//
// A is row-major, m x n, rows lda apart; op(A) is A or, with transposed=1, its transpose. Work: each element
// of A is read once and takes a multiplication and an addition; x and (unless beta is 0) y are read once, y
// is written once. m and n are at least 1: of an empty product there is nothing to time. How results are
// checked stands in sgemv_reference.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>

#include "dwarfs/sgemv/cases.hpp"
#include "harness/dwarf.hpp"
#include "harness/error.hpp"
#include "harness/formats/matrix.hpp"

namespace dwarfsweep {
namespace {

using sgemv::group_items;
using sgemv::is_transposed;
using sgemv::local_bytes;
using sgemv::MatrixInput;
using sgemv::reduce_group;
using sgemv::stages_matrix;

constexpr std::int64_t longest_edge = std::int64_t{1} << 30;  // two of them fit the kernels' ints

const std::vector<std::string> staged = {"vec_single",  "vec_double",  "vec_manual",
                                         "both_single", "both_double", "both_manual"};

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "how rows, terms and loads are spread over work-items",
             {"row_per_item", "row_per_group", "vec_single", "vec_double", "vec_manual", "both_single",
              "both_double", "both_manual", "split_k"},
             "row_per_item"})
      .axis({"work_group",
             "work-items per group; in vec_* and both_* those that compute",
             {1, 16, 64, 128, 256, 512, 1024},
             128})
      .axis({"granularity",
             "rows (transposed: vectors of columns) per work-item; per group in row_per_group",
             {1, 2, 4, 8},
             1})
      .axis({"vector_width", "width of loads and arithmetic", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loop over the terms", {1, 2, 4, 8}, 1})
      .axis({"padding",
             "rows on the device begin at multiples of so many elements (0: as in lda)",
             {0, 16, 64},
             0})
      .axis({"tile", "terms per stage in local memory", {16, 32, 64, 128, 256}, 128, staged})
      .axis({"loader",
             "asynchronous copies, or lanes of the group that only load",
             {"async", "split"},
             "async",
             staged})
      .axis({"loaders", "loading lanes per set (loader=split)", {32, 64, 128}, 32, staged})
      .axis({"lanes",
             "work-items side by side on a row (0: chosen for device and matrix)",
             {0, 1, 4, 32, 128},
             0,
             {"split_k"}})
      .axis({"splits",
             "chunks of the terms (0: chosen for device and matrix)",
             {0, 1, 2, 8, 64},
             0,
             {"split_k"}});
  for (const std::string& variant : staged) {
    // A staged matrix needs as many rows of it as there are computing lanes.
    if (stages_matrix(variant)) {
      space.default_setting(variant, {{"work_group", 64}, {"tile", 32}});
    } else {
      space.default_setting(variant, {{"tile", 128}});
    }
  }
  space.default_setting("row_per_group", {{"work_group", 64}})
      .default_setting("row_per_group", {{"work_group", 128}, {"vector_width", 4}, {"unroll", 4}}, is_gpu)
      .default_setting(
          "split_k",
          {{"work_group", 1}, {"granularity", 4}, {"vector_width", 16}, {"unroll", 2}, {"padding", 16}})
      .default_setting("split_k",
                       {{"work_group", 128}, {"granularity", 1}, {"vector_width", 4}, {"unroll", 1}}, is_gpu);
  space
      .constrain("loading lanes are counted only where there are any: loaders needs loader=split",
                 [](const Point& p) { return p.config.string("loader") == "split" || p["loaders"] == 32; })
      .constrain("the lanes of a row must be part of one work-group",
                 [](const Point& p) { return p["lanes"] <= p["work_group"]; })
      .constrain("a transposed row's lane that works alone is a group of its own, so work_group must be 1",
                 [](const Point& p) { return !is_transposed(p) || p["lanes"] != 1 || p["work_group"] == 1; })
      .group_items([](const Point& p) {
        const std::int64_t reduces = p.variant() == "split_k" ? reduce_group : 1;
        return static_cast<std::uint64_t>(std::max(group_items(p.config), reduces));
      })
      .local_bytes(local_bytes);
  return space;
}

DwarfInfo make_info() {
  DwarfInfo info;
  info.name = "sgemv";
  info.title = "matrix-vector product in single precision";
  info.pattern = "dense linear algebra";
  info.kernels = {"gemv", "reduce"};
  info.item = "matrix elements";
  const auto most = static_cast<double>(longest_edge);
  info.keys = {{"m", "rows of the matrix", 4096, 1, most},
               {"n", "columns of the matrix", 4096, 1, most},
               {"lda", "elements from one row to the next, 0: n", 0, 0, 2 * most},
               {"alpha", "factor of the product", 1.0, -FLT_MAX, FLT_MAX},
               {"beta", "factor of the y that is added", 0.0, -FLT_MAX, FLT_MAX},
               {"transposed", "1: the matrix is transposed, and y has n elements", 0, 0, 1}};
  // Matrices of 36 KiB, 1 MiB, 16 MiB and 256 MiB. The paper plots square matrices without naming sizes; its
  // matrix is column-major, which a row-major matrix is when transposed.
  info.sizes = {{"tiny", {{"m", 96}, {"n", 96}}},
                {"small", {{"m", 512}, {"n", 512}}},
                {"medium", {{"m", 2048}, {"n", 2048}}},
                {"large", {{"m", 8192}, {"n", 8192}}},
                {"paper", {{"m", 4096}, {"n", 4096}, {"transposed", 1}}}};
  info.input_formats = "one matrix: Matrix Market array, or .dat (n, then n x n numbers row by row)";
  return info;
}

class Sgemv final : public Dwarf {
 public:
  [[nodiscard]] const DwarfInfo& info() const override { return info_; }
  [[nodiscard]] const Space& space() const override { return space_; }

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    auto input = std::make_shared<MatrixInput>(sgemv::shape_of(problem));
    input->fill_matrix(seed);
    input->fill_vectors(seed);
    return input;
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    require_files("sgemv", info_.input_formats, files, 1);
    const Matrix matrix = read_matrix(files.front());
    ValueMap values = with_found("sgemv", request, "m", matrix.rows, files.front());
    values = with_found("sgemv", values, "n", matrix.cols, files.front());
    Problem problem = make_problem("sgemv", info_.keys, {"file", values});
    auto input = std::make_shared<MatrixInput>(sgemv::shape_of(problem));
    for (std::int64_t row = 0; row < matrix.rows; ++row) {
      std::copy_n(matrix.values.begin() + row * matrix.cols, matrix.cols,
                  input->matrix.begin() + row * input->shape.row_stride);
    }
    input->fill_vectors(1);
    return {std::move(problem), std::move(input)};
  }

  [[nodiscard]] std::unique_ptr<Case> prepare(Workspace& workspace, const Loaded& loaded,
                                              const Config& config) const override {
    return sgemv::make_case(workspace, std::static_pointer_cast<const MatrixInput>(loaded.input), space_,
                            config);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    return sgemv::make_host_case(std::static_pointer_cast<const MatrixInput>(loaded.input), threads);
  }

  // The paper's loaders are lanes (warps) of the group.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const ValueMap problem{{"m", 4096}, {"n", 4096}, {"transposed", 1}};
    std::vector<PaperSetting> settings;
    for (const std::string& variant : staged) {
      settings.push_back({"cudadma_2011 Figure 10", problem, {{"variant", variant}, {"loader", "split"}}});
    }
    return settings;
  }

 private:
  DwarfInfo info_ = make_info();
  Space space_ = make_space();
};

}  // namespace

const Dwarf& sgemv_dwarf() {
  static const Sgemv dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
