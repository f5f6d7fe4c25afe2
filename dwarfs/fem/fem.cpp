// Motion of an elastic body on an irregular mesh (unstructured grid): what the dwarf says of itself. The
// method is in kernels_cl/fem/fem.cl, the check's bounds in verification.cpp.
//
// Work. Items are element steps. Each step needs all of the one before: in total it reads the corners and the
// parameters of each element, 24 bytes, and the position, displacement, velocity and mass of each node, and
// writes displacement and velocity, 64 bytes. An element step is 165 operations, a node's 12. The kernels'
// own lines count what a variant stores between its launches in addition: `force` forces, `advance` the same.
//
// A matrix from a file makes another problem, the product y = A x, which csr alone computes. Items are then
// the matrix's entries: 2 operations each, and 8 bytes for value and column; 12 bytes for a row.
#include "dwarfs/fem/fem.hpp"
#include "dwarfs/fem/input.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/formats/token_reader.hpp"
#include "harness/run/dwarf.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep {
namespace {

ValueMap cube(int n) {
  return {{"nx", n}, {"ny", n}, {"nz", n}};
}

// The paper does not state its mesh.
ValueMap paper_problem() {
  return cube(40).with("steps", 10).with("order", "shuffled");
}

DwarfInfo make_info() {
  constexpr double max = 4096;
  DwarfInfo info;
  info.name = "fem";
  info.title = "Motion of an elastic body on an irregular mesh";
  info.pattern = "unstructured grid";
  info.kernels = {"force", "advance", "step", "product"};
  info.item = "element steps, or entries of a matrix";
  info.keys = {
      {"nx", "boxes of six tetrahedra along x; 0 with a file", 40, 0, max},
      {"ny", "boxes along y", 40, 0, max},
      {"nz", "boxes along z", 40, 0, max},
      {"steps", "time steps", 10, 1, 1000, {}, KeyRole::detail},
      {"order", "of nodes and elements", "hilbert", 0, 0, {"hilbert", "shuffled"}},
      {"beta", "grading: Young's modulus is exp(beta z), z from 0 to 1", 1.0, 0, 10},
      {"nu", "Poisson's ratio", 0.3, 0, 0.45},
      {"rows", "of a matrix from a file, whose product is computed; 0: a body moves", 0, 0, 0x1p31 - 1}};
  // Elements and nodes, 36 bytes an element: 22 KiB, 730 KiB, 14 MiB, 210 MiB.
  info.sizes = {{"tiny", cube(4)},
                {"small", cube(15)},
                {"medium", cube(40)},
                {"large", cube(99)},
                {"paper", paper_problem()}};
  info.input_formats =
      "a Gmsh mesh (ASCII, version 2.2 or 4.1), of which only the linear tetrahedra are used; or a square "
      "matrix "
      "(Matrix Market, coordinate, .mtx), whose product with a vector variant csr computes";
  info.demand = [](const Problem& problem) {
    const double elements = 6 * problem.real("nx") * problem.real("ny") * problem.real("nz");
    const double steps = problem.real("steps");
    return Demand{36 * elements, 36 * elements * steps, 167 * elements * steps, 2 * steps};
  };
  info.first_choice = fem::first_choice;
  info.checks.odd_problems = {{{"nx", 1}, {"ny", 1}, {"nz", 1}, {"steps", 1}},
                              {{"nx", 2}, {"ny", 3}, {"nz", 2}, {"steps", 2}},
                              {{"nx", 3}, {"ny", 5}, {"nz", 4}, {"steps", 1}, {"order", "shuffled"}}};
  info.checks.refused_problems = {{{"nx", 4096}, {"ny", 4096}, {"nz", 4096}}};
  info.checks.large_problems = {cube(110)};
  info.checks.single_item_settings = {{{"variant", "csr"}, {"work_group", 1}}};
  info.checks.small_local_settings = {{{"variant", "csr"}}};
  info.checks.random_problems.maxima = {{"steps", 4}};
  info.checks.random_problems.fit = [](const ValueMap& drawn) {  // 0 boxes are a file's, and so are rows
    ValueMap fit = drawn.with("rows", 0);
    for (const char* key : {"nx", "ny", "nz"})
      fit = fit.with(key, std::max<std::int64_t>(1, fit.integer(key)));
    return fit;
  };
  info.checks.results = {"u", "v", "y"};
  return info;
}

class Fem final : public Dwarf {
 public:
  Fem() : Dwarf(make_info(), fem::make_space()) {}

  [[nodiscard]] std::shared_ptr<const Input> generate(const Problem& problem,
                                                      std::uint64_t seed) const override {
    for (const char* key : {"nx", "ny", "nz"}) {
      if (problem.integer(key) == 0)
        throw UsageError(std::string("fem: problem key '") + key +
                         "' is 0, which only a mesh by --input may have");
    }
    if (fem::is_product(problem))
      throw UsageError("fem: problem key 'rows' is not 0, which only a matrix by --input may have");
    return fem::generate_body(problem, seed);
  }

  [[nodiscard]] Loaded load(const ValueMap& request, const std::vector<std::string>& files) const override {
    ValueMap values = request;
    for (const char* key : {"nx", "ny", "nz"})
      values = with_found("fem", values, key, 0, "a mesh or matrix by --input");
    require_files("fem", info().input_formats, files, 1);
    if (is_matrix_market(read_text(files.front()), files.front()))
      return fem::load_product(info(), values, files.front());
    return fem::load_body(info(), values, files.front());
  }

  [[nodiscard]] std::unique_ptr<Case> make_case(const Setup& setup) const override {
    return fem::make_case(setup);
  }

  [[nodiscard]] std::unique_ptr<HostCase> prepare_host(const Loaded& loaded, int threads) const override {
    if (fem::is_product(loaded.problem)) {
      return fem::make_product_host_case(std::static_pointer_cast<const fem::ProductInput>(loaded.input),
                                         threads);
    }
    return fem::make_host_case(std::static_pointer_cast<const fem::FemInput>(loaded.input), threads);
  }

  // The text has a kernel for each step over an irregular mesh, 61 bytes of local memory for each thread.
  [[nodiscard]] std::vector<PaperSetting> paper_settings() const override {
    const std::string figure = "optimization_principles_2008 Table 3";
    return {{figure, paper_problem(), {{"variant", "element_atomic"}}},
            {figure, paper_problem(), {{"variant", "staged"}}}};
  }
};

}  // namespace

const Dwarf& fem_dwarf() {
  static const Fem dwarf;
  return dwarf;
}

}  // namespace dwarfsweep
