#include "dwarfs/rpes/rpes.hpp"
#include "harness/device/kinds.hpp"

namespace dwarfsweep::rpes {
namespace {

constexpr std::int64_t table_bytes = 257 * 16;

bool copies(const Point& p) {
  return p.config.string("memory") == "local";
}

void add_axes(Space& space) {
  space
      .axis({"variant",
             "primitive: a work-item per term, and sums of groups; contracted: all terms of an integral in a "
             "work-item; pairs: products of pairs of functions, in tiles",
             {"primitive", "contracted", "pairs"},
             "primitive"})
      .axis({"work_group", "work-items of a group", {1, 32, 64, 128, 256}, 64})
      .axis({"granularity",
             "integrals per work-item; pairs: rows of them",
             {1, 2, 4, 8},
             1,
             {"contracted", "pairs"}})
      .axis({"vector_width", "neighbouring integrals in a vector", {1, 2, 4, 8, 16}, 1, {"pairs"}})
      .axis({"unroll", "of the loop over the primitives of a row", {1, 3, 9}, 1, {"pairs"}})
      .axis({"f0",
             "intervals: polynomials by intervals; table: series around points; polynomial: one for all "
             "below 16; "
             "erf: the built-in function",
             {"intervals", "table", "polynomial", "erf"},
             "intervals"})
      .axis({"memory",
             "where the table of F0 and the rows of pairs are; local: each group copies them",
             {"global", "local"},
             "global"})
      .axis({"screening",
             "quartet: terms whose prefactor squared is at most 1e-23 are left out",
             {"quartet", "none"},
             "quartet",
             {"primitive", "contracted"}})
      .axis({"functions",
             "1 / sqrt and exp: precise; native; newton: roots by integers and multiply-adds",
             {"precise", "native", "newton"},
             "precise"})
      .axis({"reduction",
             "of a group's terms: tree; item: by its first work-item",
             {"tree", "item"},
             "tree",
             {"primitive"}});
}

}  // namespace

Space make_space() {
  Space space;
  add_axes(space);
  space.constrain("vector_width above 1 requires f0=polynomial or f0=erf, which do not branch",
                  [](const Point& p) {
                    const std::string& f0 = p.config.string("f0");
                    return p["vector_width"] == 1 || f0 == "polynomial" || f0 == "erf";
                  });
  space.constrain("memory=local requires f0=table or variant=pairs", [](const Point& p) {
    return !copies(p) || p.config.string("f0") == "table" || p.variant() == "pairs";
  });
  space.local_bytes([](const Point& p) {
    std::int64_t bytes = p.variant() == "primitive" ? 4 * p["work_group"] : 0;
    if (copies(p) && p.config.string("f0") == "table") bytes += table_bytes;
    const std::int64_t primitives = p.problem.integer("primitives");
    if (copies(p) && p.variant() == "pairs") bytes += 16 * p["granularity"] * primitives * primitives;
    return static_cast<std::uint64_t>(bytes);
  });
  space.default_setting("contracted", {{"f0", "polynomial"}});
  // A work-item alone, with vectors as wide as registers: what a CPU wants.
  space.default_setting("pairs", {{"work_group", 1},
                                  {"granularity", 1},
                                  {"vector_width", 4},
                                  {"f0", "polynomial"},
                                  {"functions", "newton"}});
  for (const std::int64_t lanes : {8, 16})
    space.default_setting("pairs", {{"vector_width", lanes}},
                          [lanes](const Capabilities& device) { return is_cpu_of_lanes(device, lanes); });
  space.default_setting("pairs",
                        {{"work_group", 128},
                         {"granularity", 2},
                         {"vector_width", 1},
                         {"unroll", 9},
                         {"memory", "local"},
                         {"functions", "native"}},
                        is_gpu);
  space.default_setting("pairs", {{"memory", "global"}}, lacks_local_memory);
  return space;
}

// A row per work-item if two rows leave compute units without work-items; half of the matrix of pairs is
// computed. On an H100, of 128 atoms, two rows were the best.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const ValueMap choice{{"variant", "pairs"}};
  const std::int64_t pairs = problem.integer("atoms") * (problem.integer("atoms") + 1) / 2;
  const std::int64_t enough = std::int64_t{device.compute_units} * 256;
  return device.is_gpu && pairs * pairs / 4 < enough ? choice.with("granularity", 1) : choice;
}

// OpenCL grants rsqrt and exp 2 and 3 ulp; newton is exact to 1.8 u. Native functions have no bound; we
// assume that they are no worse than the estimate that x86 processors document for the root, 1.5 * 2^-12.
Method method_of(const Config& config) {
  constexpr double unit = 0x1p-24;
  Method method;
  const bool native = config.string("functions") == "native";
  method.root = native ? 1.5 * 0x1p-12 : 4 * unit;
  method.exponential = native ? 1.5 * 0x1p-12 : 6 * unit;
  const std::string& f0 = config.string("f0");
  method.boys = (f0 == "erf" ? 48 : f0 == "table" ? 8 : 16) * unit;
  method.screened = config.string("variant") != "pairs" && config.string("screening") == "quartet";
  return method;
}

}  // namespace dwarfsweep::rpes
