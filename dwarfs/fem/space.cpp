#include "dwarfs/fem/fem.hpp"
#include "harness/device/kinds.hpp"

namespace dwarfsweep::fem {

Space make_space() {
  Space space;
  space
      .axis({"variant",
             "element_atomic: elements add to their nodes' forces atomically; coloured: a launch for each "
             "colour "
             "of elements without common nodes; node_gather: forces of elements are stored, and added up by "
             "node; "
             "csr: product with the assembled matrix, or with one from a file, in blocks; staged: patches of "
             "elements add up in local memory; edges: patches of edges do, with blocks of the matrix",
             {"element_atomic", "coloured", "node_gather", "csr", "staged", "edges"},
             "element_atomic"})
      .axis({"work_group", "work-items of a group", {1, 16, 32, 64, 128, 256, 512}, 64})
      .axis({"layout",
             "vectors of nodes: aos: three floats; soa: an array for each component; float4: aligned",
             {"aos", "soa", "float4"},
             "aos"})
      .axis({"atomics",
             "cas: additions by compare and exchange; ptx: by an instruction, where the device takes inline "
             "PTX",
             {"cas", "ptx"},
             "cas",
             {"element_atomic"}})
      .axis({"slice", "nodes whose blocks of the matrix lie side by side", {1, 8, 16, 32, 64}, 1, {"csr"}})
      .axis({"patch",
             "the most elements or edges of a patch; half as many nodes, with edges also at most 256",
             {64, 128, 256, 512, 1024},
             256,
             {"staged", "edges"}})
      .axis({"memory",
             "positions and displacements of a patch: through the caches, or in local memory",
             {"global", "local"},
             "global",
             {"staged", "edges"}})
      .axis({"unroll", "of the loop over a node's own edges", {1, 2, 4}, 1, {"edges"}})
      .axis(submission_axis())
      .default_setting("csr", {{"work_group", 64}})
      .default_setting("csr", {{"work_group", 128}, {"slice", 32}, {"layout", "float4"}}, is_gpu)
      .default_setting("node_gather", {{"layout", "float4"}}, is_gpu)
      .default_setting("coloured", {{"layout", "float4"}}, is_gpu)
      .default_setting("staged", {{"work_group", 16}, {"patch", 128}})
      .default_setting(
          "staged", {{"work_group", 128}, {"patch", 256}, {"layout", "float4"}, {"memory", "local"}}, is_gpu)
      .default_setting("edges", {{"work_group", 16}, {"patch", 128}})
      .default_setting(
          "edges", {{"work_group", 128}, {"patch", 512}, {"layout", "float4"}, {"memory", "local"}}, is_gpu);
  space.constrain("atomics=ptx requires a device that takes inline PTX",
                  [](const Point& p) { return p.config.string("atomics") == "cas" || p.device.inline_ptx; });
  space.constrain("a matrix by --input requires variant=csr: it has no elements",
                  [](const Point& p) { return !is_product(p.problem) || p.variant() == "csr"; });
  space.local_bytes([](const Point& p) -> std::uint64_t {
    const bool edges = p.variant() == "edges";
    if (!edges && p.variant() != "staged") return 0;
    const bool local = p.config.string("memory") == "local";
    const std::int64_t words = edges ? 3 * p["patch"] + (local ? 6 : 3) * most_edge_patch_nodes(p["patch"])
                                     : (local ? 15 : 12) * p["patch"];
    return static_cast<std::uint64_t>(words) * sizeof(float);
  });
  return space;
}

// From so many boxes on, half the matrix and the sums of patches are fewer bytes for a GPU than the matrix,
// by more than the second launch of each step costs. An H200 takes 0.16 ms by edges and 0.17 by csr for 99^3
// boxes, but 0.034 and 0.019 for 40^3.
constexpr std::int64_t many_boxes = 1 << 19;

// Groups shrink until every compute unit has some. The size of a mesh from a file is not in its problem; it
// is taken for large.
ValueMap first_choice(const Problem& problem, const Capabilities& device) {
  const std::int64_t boxes = problem.integer("nx") * problem.integer("ny") * problem.integer("nz");
  const std::int64_t units = device.compute_units;
  const bool many = boxes == 0 || boxes >= many_boxes;
  if (device.is_gpu && device.local_is_dedicated && many && !is_product(problem))
    return {{"variant", "edges"}};
  const std::int64_t nodes = is_product(problem) ? problem.integer("rows") / 3 : boxes;
  std::int64_t group = device.is_gpu ? 128 : 64;
  while (nodes > 0 && group > (device.is_gpu ? 32 : 16) && nodes / group < 4 * units) group /= 2;
  return {{"variant", "csr"}, {"work_group", group}};
}

}  // namespace dwarfsweep::fem
