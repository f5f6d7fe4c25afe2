// saxpy (dense linear algebra): y = a x + y. Work: items are elements, of 12 bytes and 2 operations each.
#include <cfloat>
#include <cmath>

#include "dwarfs/saxpy/staged.hpp"
#include "harness/run/array_dwarf.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep {
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

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "chunked: a work-item's vectors are neighbours; staged: through local memory",
             {"interleaved", "chunked", "staged"},
             "interleaved"})
      .axis({"work_group", "work-items of a group", {1, 16, 32, 64, 128, 256}, 64})
      .axis({"granularity", "vectors per work-item", {1, 2, 4, 8, 16}, 1})
      .axis({"vector_width", "elements of a load or store", {1, 2, 4, 8, 16}, 1})
      .axis({"unroll", "of the loop over the vectors of a work-item", {1, 2, 4, 8}, 1})
      .axis({"padding", "1: arrays are padded to whole groups, and no tail is tested for", {0, 1}, 0})
      .default_setting("chunked", {{"work_group", 1}, {"granularity", 16}, {"vector_width", 16}})
      .default_setting("chunked", {{"work_group", 256}, {"granularity", 1}, {"vector_width", 4}}, is_gpu)
      .constrain("the loop over vectors cannot be unrolled further than it runs",
                 [](const Point& p) { return p["unroll"] <= p["granularity"]; });
  saxpy::add_staged(space);
  return space;
}

struct SaxpyInput final : Input {
  SaxpyInput(const Problem& problem, Random& random)
      : a(static_cast<float>(problem.real("a"))), x(static_cast<std::size_t>(problem.integer("n"))), y(x) {
    random.fill_uniform(x, -1, 1);
    random.fill_uniform(y, -1, 1);
  }
  [[nodiscard]] std::size_t results() const { return y.size(); }
  // Two roundings, or one where they are fused: at most 2^-24 (2 |a x| + |y|), and a little of second order.
  // A product and a sum below FLT_MIN may be flushed to zero.
  [[nodiscard]] Expected expected(std::size_t i) const {
    const double product = static_cast<double>(a) * x[i];
    return {product + y[i], 0x1p-23 * (std::abs(product) + std::abs(y[i])) + 2 * FLT_MIN};
  }
  void compute(std::vector<float>& results, int threads) const {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::size_t i = 0; i < y.size(); ++i) results[i] = a * x[i] + y[i];
  }

  float a;
  std::vector<float> x, y;
};

class SaxpyCase final : public ArrayCase {
 public:
  explicit SaxpyCase(const Setup& setup)
      : ArrayCase(setup),
        input_(setup.input<SaxpyInput>()),
        group_(static_cast<std::size_t>(saxpy::group_items(setup.config))),
        n_(input_->results()),
        chunk_(setup.size("work_group") * setup.size("granularity") * setup.size("vector_width")),
        allocated_(setup.integer("padding") != 0 ? round_up(n_, chunk_) : n_),
        x_(input<float>("x", input_->x, {n_}, allocated_)),
        y_(updated<float>("y_in", "y", input_->y, {n_}, expected_by(input_), allocated_)),
        kernel_(setup.kernel("saxpy", "saxpy",
                             setup.macros().define("GROUP_ITEMS", static_cast<std::int64_t>(group_)))) {}

  void launch(Launcher& launcher) override {
    launcher.run(kernel_, ceil_div(n_, chunk_) * group_, group_, input_->a, cl_ulong{n_}, x_, y_);
  }
  [[nodiscard]] std::vector<Work> work() const override {
    const auto n = static_cast<double>(n_);
    return {{"saxpy", 12 * n, 2 * n, n}, {"total", 12 * n, 2 * n, n}};
  }

 private:
  std::shared_ptr<const SaxpyInput> input_;
  std::size_t group_, n_, chunk_, allocated_;
  Buffer<float> x_, y_;
  Kernel kernel_;
};

}  // namespace

const Dwarf& saxpy_dwarf() {
  static const ArrayDwarf<SaxpyInput, SaxpyCase> dwarf(make_info(), make_space(), saxpy::paper_settings());
  return dwarf;
}

}  // namespace dwarfsweep
