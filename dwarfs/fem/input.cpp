#include "dwarfs/fem/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/device/host.hpp"
#include "harness/formats/gmsh.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::fem {
namespace {

void require_memory(double nodes, double elements) {
  // The body, what variants make of it (a matrix of 15 blocks for each node), and the check's numbers, among
  // them 36 of each element.
  require_host_memory(fmt::format("fem: {:.0f} nodes, {:.0f} tetrahedra and their check", nodes, elements),
                      static_cast<std::uint64_t>(std::min(1000 * nodes + 460 * elements, 0x1p62)));
}

/// The largest sum of a row of |K| / m, in absolute values of every term: no eigenvalue of K / m is larger.
/// dt sqrt(that) < 2 is stable.
double largest_row_sum(const Body& body) {
  std::vector<std::array<double, 3>> sums(body.mesh.nodes.size());
  for (std::size_t i = 0; i < body.mesh.elements.size(); ++i) {
    const Corners& corners = body.mesh.elements[i];
    double edge[3][3];
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        edge[k][axis] = std::abs(double{body.mesh.nodes[static_cast<std::size_t>(corners[k + 1])][axis]} -
                                 double{body.mesh.nodes[static_cast<std::size_t>(corners[0])][axis]});
    }
    double normal[4][3] = {};
    double all[3] = {};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t p = (axis + 1) % 3;
        const std::size_t q = (axis + 2) % 3;
        const auto& a = edge[(k + 1) % 3];
        const auto& b = edge[(k + 2) % 3];
        normal[k + 1][axis] = a[p] * b[q] + a[q] * b[p];
        normal[0][axis] += normal[k + 1][axis];
      }
    }
    for (const auto& n : normal)
      for (std::size_t axis = 0; axis < 3; ++axis) all[axis] += n[axis];
    const double scale = 1 / (6 * six_volumes(body.mesh, corners));
    const double lambda = double{body.lame[i].lambda} * scale;
    const double mu = double{body.lame[i].mu} * scale;
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t p = 0; p < 3; ++p) {
        for (std::size_t q = 0; q < 3; ++q) {
          sums[static_cast<std::size_t>(corners[a])][p] +=
              lambda * normal[a][p] * all[q] + mu * normal[a][q] * all[p] + mu * normal[a][q] * all[q];
        }
      }
    }
  }
  double largest = 0;
  for (std::size_t node = 0; node < sums.size(); ++node)
    for (const double sum : sums[node]) largest = std::max(largest, sum / double{body.mass[node]});
  return largest;
}

Loaded loaded(Problem problem, Mesh mesh, std::uint64_t seed) {
  arrange(mesh, problem.string("order"), seed_of_part(seed, 1));
  Body body = make_body(std::move(mesh), problem);
  Motion motion = random_motion(body.mesh.nodes.size(), seed_of_part(seed, 2));
  return {std::move(problem), std::make_shared<FemInput>(std::move(body), std::move(motion))};
}

}  // namespace

Body make_body(Mesh mesh, const Problem& problem) {
  Body body;
  body.mesh = std::move(mesh);
  body.steps = static_cast<int>(problem.integer("steps"));
  const double beta = problem.real("beta");
  const double nu = problem.real("nu");
  double low = body.mesh.nodes.front()[2];
  double high = low;
  for (const Node& node : body.mesh.nodes) {
    low = std::min(low, double{node[2]});
    high = std::max(high, double{node[2]});
  }
  std::vector<double> mass(body.mesh.nodes.size());
  for (const Corners& corners : body.mesh.elements) {
    double z = 0;
    for (const std::int32_t node : corners)
      z += double{body.mesh.nodes[static_cast<std::size_t>(node)][2]} / 4;
    z = (z - low) / (high - low);
    const double young = std::exp(beta * z);
    body.lame.push_back({static_cast<float>(young * nu / ((1 + nu) * (1 - 2 * nu))),
                         static_cast<float>(young / (2 * (1 + nu)))});
    const double quarter = std::exp(beta * z / 2) * six_volumes(body.mesh, corners) / 24;
    for (const std::int32_t node : corners) mass[static_cast<std::size_t>(node)] += quarter;
  }
  body.mass.assign(mass.begin(), mass.end());
  body.dt = static_cast<float>(0.9 * 2 / std::sqrt(largest_row_sum(body)));
  return body;
}

Motion random_motion(std::size_t nodes, std::uint64_t seed) {
  Motion motion;
  std::uint64_t part = 0;
  std::vector<float> values(3 * nodes);
  for (auto* vectors : {&motion.u, &motion.v}) {
    Random(seed_of_part(seed, part++)).fill_uniform(values, -1, 1);
    vectors->resize(nodes);
    for (std::size_t i = 0; i < values.size(); ++i) (*vectors)[i / 3][i % 3] = values[i];
  }
  return motion;
}

std::shared_ptr<const FemInput> generate_body(const Problem& problem, std::uint64_t seed) {
  const double boxes = problem.real("nx") * problem.real("ny") * problem.real("nz");
  require_memory((problem.real("nx") + 1) * (problem.real("ny") + 1) * (problem.real("nz") + 1), 6 * boxes);
  Mesh mesh =
      box_mesh(problem.integer("nx"), problem.integer("ny"), problem.integer("nz"), seed_of_part(seed, 0));
  orient(mesh, "fem");
  return std::static_pointer_cast<const FemInput>(loaded(problem, std::move(mesh), seed).input);
}

Loaded load_body(const DwarfInfo& info, const ValueMap& request, const std::string& file) {
  TetrahedralMesh read = read_gmsh(std::filesystem::path(file));
  require_memory(static_cast<double>(read.nodes.size()), static_cast<double>(read.tetrahedra.size()));
  Mesh mesh{std::move(read.nodes), std::move(read.tetrahedra)};
  orient(mesh, file);
  return loaded(make_problem(info.name, info.keys, {"file", request}), std::move(mesh), 1);
}

}  // namespace dwarfsweep::fem
