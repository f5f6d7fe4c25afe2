// fem: every axis over odd meshes, on devices and on the host; motions known in closed form; files; planted
// errors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "dwarfs/fem/fem.hpp"
#include "dwarfs/fem/input.hpp"
#include "harness/formats/gmsh.hpp"
#include "tests/input_files.hpp"
#include "tests/points.hpp"
#include "tests/standard_tests.hpp"

EVERY_AXIS_TEST("fem", "[heavy][long]")
OTHER_STANDARD_TESTS("fem")

using namespace dwarfsweep::fem;

namespace {

const Dwarf& fem_of_tests() {
  return find_dwarf("fem");
}

ValueMap boxes(int nx, int ny, int nz, int steps) {
  return {{"nx", nx}, {"ny", ny}, {"nz", nz}, {"steps", steps}};
}

const FemInput& input_of(const Loaded& loaded) {
  return dynamic_cast<const FemInput&>(*loaded.input);
}

ValueMap of(const char* variant, ValueMap settings) {
  return settings.with("variant", variant);
}

const std::vector<ValueMap> points = {
    {},
    {{"layout", "soa"}, {"work_group", 16}},
    of("coloured", {{"layout", "float4"}}),
    of("node_gather", {{"layout", "soa"}, {"work_group", 32}}),
    of("csr", {{"work_group", 16}}),
    of("csr", {{"layout", "float4"}, {"slice", 8}}),
    of("csr", {{"layout", "soa"}, {"slice", 32}, {"work_group", 1}}),
    of("staged", {{"patch", 64}, {"work_group", 16}}),
    of("staged", {{"patch", 128}, {"memory", "local"}, {"layout", "float4"}, {"work_group", 64}}),
    of("edges", {{"patch", 64}, {"work_group", 16}, {"layout", "soa"}}),
    of("edges", {{"patch", 128}, {"memory", "local"}, {"layout", "float4"}, {"work_group", 64}})};

// The first edge of a tetrahedron and the two planes at it, in the two versions of the format.
const char* const version_2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n50 9 9 "
    "9\n$EndNodes\n"
    "$Elements\n2\n1 2 2 0 1 10 20 30\n2 4 2 0 1 10 20 30 40\n$EndElements\n";
const char* const version_4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Comments\nanything 7\n$EndComments\n$Nodes\n2 5 10 50\n0 1 0 "
    "1\n10\n0 0 0\n"
    "3 1 0 4\n20\n30\n40\n50\n1 0 0\n0 1 0\n0 0 1\n9 9 9\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 10 20 "
    "30\n3 1 4 1\n"
    "2 10 20 30 40\n$EndElements\n";

}  // namespace

TEST_CASE("fem: each axis, several at a time", "[device][fem][variants]") {
  check_settings(fem_of_tests(), points, fem_of_tests().info().checks.odd_problems);
}

TEST_CASE("fem: thin bodies, and many steps", "[device][fem][heavy]") {
  check_settings(fem_of_tests(), points,
                 {boxes(1, 1, 40, 3), boxes(7, 9, 1, 2).with("order", "shuffled"), boxes(4, 3, 3, 40)});
}

// Linear displacements give a stress that is the same in all elements of one material: no force acts on an
// inner node, and the forces at all nodes add up to nothing. Rigid motions give no stress, and so no force at
// all.
TEST_CASE("fem: the patch test, and rigid motions", "[device][fem]") {
  const ValueMap problem = boxes(4, 5, 3, 1).with("beta", 0.0);
  const Loaded made = generated(fem_of_tests(), problem);
  const Body& body = input_of(made).body();
  const auto is_inner = [&](const Node& x) {
    return x[0] > 0 && x[0] < 4 && x[1] > 0 && x[1] < 5 && x[2] > 0 && x[2] < 3;
  };
  const float stretched[3][3] = {{0.5F, 0.25F, -1}, {0.125F, 2, 0.75F}, {-0.5F, 0.25F, 1}};
  const float turned[3][3] = {{0, -0.5F, 0.25F}, {0.5F, 0, -1}, {-0.25F, 1, 0}};
  for (const auto& matrix : {stretched, turned}) {
    Motion start;
    for (const Node& x : body.mesh.nodes) {
      Node u{};
      for (std::size_t p = 0; p < 3; ++p)
        u[p] = matrix[p][0] * x[0] + matrix[p][1] * x[1] + matrix[p][2] * x[2] + 1;
      start.u.push_back(u);
      start.v.push_back({});
    }
    const Loaded loaded{made.problem, std::make_shared<FemInput>(body, start)};
    for (const ValueMap& settings : points) {
      const Config config = fem_of_tests().space().set(fem_of_tests().space().baseline(), settings);
      const Dump dump = dumped(fem_of_tests(), loaded, config);
      const double allowed = run_point(fem_of_tests(), loaded, config).check.tolerance;
      double sum = 0;
      double inner = 0;
      double outer = 0;
      for (std::size_t node = 0; node < body.mesh.nodes.size(); ++node) {
        const double v = dump.floats.at("v")[3 * node + 1];
        sum += double{body.mass[node]} * v;
        double& largest = is_inner(body.mesh.nodes[node]) ? inner : outer;
        largest = std::max(largest, std::abs(v));
      }
      INFO(settings.to_string());
      // Of what is 0, the float displacements' own rounding is less than the errors that the check allows.
      CHECK(inner <= 2 * allowed);
      CHECK(std::abs(sum) <= 2 * allowed * static_cast<double>(body.mesh.nodes.size()));
      if (&matrix[0][0] == &turned[0][0]) {
        CHECK(outer <= 2 * allowed);
      } else {
        CHECK(outer > 100 * allowed);
      }
    }
  }
}

namespace {

/// Displacements' or velocities' gradients of an element: h[p][q] of component p in direction q, and the
/// volume.
struct Gradient {
  Gradient(const Mesh& mesh, const Corners& corners, const std::vector<float>& x) {
    const auto edge = [&](std::size_t k, std::size_t axis) {
      return double{mesh.nodes[static_cast<std::size_t>(corners[k])][axis]} -
             double{mesh.nodes[static_cast<std::size_t>(corners[0])][axis]};
    };
    double all_terms = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t q = 0; q < 3; ++q) {
        const auto part = [&](std::size_t a, std::size_t b) {
          return edge((k + 1) % 3 + 1, (q + a) % 3) * edge((k + 2) % 3 + 1, (q + b) % 3);
        };
        const double normal = part(1, 2) - part(2, 1);
        if (k == 0) {
          volume += edge(1, q) * normal / 6;
          all_terms += std::abs(edge(1, q)) * (std::abs(part(1, 2)) + std::abs(part(2, 1))) / 6;
        }
        for (std::size_t p = 0; p < 3; ++p) {
          const auto of = [&](std::size_t corner) {
            return double{x[3 * static_cast<std::size_t>(corners[corner]) + p]};
          };
          h[p][q] += (of(k + 1) - of(0)) * normal;
        }
      }
    }
    for (auto& row : h)
      for (double& value : row) value /= 6 * volume;
    flatness = all_terms / volume;
  }

  double h[3][3] = {};
  double volume = 0, flatness = 0;
};

/// x K y.
double product(const Body& body, const std::vector<float>& x, const std::vector<float>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < body.mesh.elements.size(); ++i) {
    const Gradient a(body.mesh, body.mesh.elements[i], x);
    const Gradient b(body.mesh, body.mesh.elements[i], y);
    double shear = 0;
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t q = 0; q < 3; ++q) shear += (a.h[p][q] + a.h[q][p]) * (b.h[p][q] + b.h[q][p]) / 2;
    const double traces = (a.h[0][0] + a.h[1][1] + a.h[2][2]) * (b.h[0][0] + b.h[1][1] + b.h[2][2]);
    sum += a.volume * (double{body.lame[i].lambda} * traces + double{body.lame[i].mu} * shear);
  }
  return sum;
}

/// x M x.
double weighed(const Body& body, const std::vector<float>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += double{body.mass[i / 3]} * x[i] * x[i];
  return sum;
}

}  // namespace

// Twice the leapfrog energy is Q = v M v + u_n K u_(n-1), with u_(n-1) = u_n - dt v; a step keeps it. Let the
// body start with v = 0. A vibration of frequency w has w dt <= 1.8 (verification.cpp), so that 1 - (w dt)^2
// / 4 >= 0.19; as its part of Q stays w^2 u_0^2, its u is at most 2.3 u_0 and its v at most 2.3 w u_0. Rigid
// motions keep u_0. So in any step, with |.| the root of the mass-weighted square, |u| <= 2.3 |u_0| and |v|
// <= 2.3 sqrt(Q). The roundings of a step change sqrt(Q) by at most r_v + sqrt(L) r_u of the head of
// verification.cpp, where sqrt(L) = 1.8 / dt:
//   r_v = u (1.02 R dt L |u| + 10 |v|),  r_u = u (3 dt |v| + |u|),  R = 35 + 8 max |V| / V + elements + 3
//   blocks.
// No node has more than 24 elements and 15 blocks in these meshes.
TEST_CASE("fem: energy is kept over 1,000 steps", "[device][fem][heavy]") {
  constexpr int steps = 1000;
  const Loaded made = generated(fem_of_tests(), boxes(4, 3, 3, steps));
  const Body& body = input_of(made).body();
  Motion start = input_of(made).start();
  for (Node& v : start.v) v = {};
  const Loaded loaded{made.problem, std::make_shared<FemInput>(body, start)};
  const auto energy = [&](const std::vector<float>& u, const std::vector<float>& v) {
    return weighed(body, v) + product(body, u, u) - double{body.dt} * product(body, v, u);
  };
  for (const ValueMap& settings : points) {
    const Dump dump = dumped(fem_of_tests(), loaded,
                             fem_of_tests().space().set(fem_of_tests().space().baseline(), settings));
    const std::vector<float>& before = dump.floats.at("u_in");
    double flattest = 1;
    for (const Corners& corners : body.mesh.elements)
      flattest = std::max(flattest, Gradient(body.mesh, corners, before).flatness);
    const double dt = body.dt;
    const double root = std::sqrt(energy(before, dump.floats.at("v_in")));
    const double u = 2.3 * std::sqrt(weighed(body, before));
    const double v = 2.3 * root;
    const double rounds = 35 + 8 * flattest + 24 + 3 * 15;
    const double of_v = 0x1p-24 * (1.02 * rounds * 1.8 * 1.8 / dt * u + 10 * v);
    const double of_u = 0x1p-24 * (3 * dt * v + u);
    const double allowed = steps * (of_v + 1.8 / dt * of_u);
    const double after = std::sqrt(energy(dump.floats.at("u"), dump.floats.at("v")));
    INFO(settings.to_string() << ": " << root << ", then " << after);
    CHECK(std::abs(after - root) <= allowed);
    CHECK(allowed < 0.5 * root);
  }
}

TEST_CASE("fem: a tetrahedron by hand", "[device][fem]") {
  const ScratchDirectory folder;
  const std::string file = folder.file("one.msh", version_2).string();
  const Loaded loaded =
      fem_of_tests().load({{"steps", 1}, {"order", "hilbert"}, {"beta", 0.0}, {"nu", 0.25}}, {file});
  CHECK(loaded.problem.integer("nx") == 0);
  Body body = input_of(loaded).body();
  // E = 1, nu = 1/4: lambda = mu = 0.4. u = (x, 0, 0): H has one component, 1; the stress is diag(1.2, 0.4,
  // 0.4). Corner (1, 0, 0) has the gradient (1, 0, 0) and the volume is 1/6: its force is (-0.2, 0, 0), its
  // mass 1/24.
  Motion start;
  for (const Node& x : body.mesh.nodes) start.u.push_back({x[0], 0, 0});
  start.v.assign(4, {});
  const Loaded one{loaded.problem, std::make_shared<FemInput>(body, start)};
  for (const ValueMap& settings : points) {
    const Dump dump =
        dumped(fem_of_tests(), one, fem_of_tests().space().set(fem_of_tests().space().baseline(), settings));
    for (std::size_t node = 0; node < 4; ++node) {
      const Node& x = body.mesh.nodes[node];
      const double scale = double{body.dt} * 24;
      const double sum = x[0] + x[1] + x[2];
      const double wanted[3] = {sum == 0 ? 0.2 : -0.2 * x[0], sum == 0 ? 0.4 / 6 : -0.4 / 6 * x[1],
                                sum == 0 ? 0.4 / 6 : -0.4 / 6 * x[2]};
      for (std::size_t axis = 0; axis < 3; ++axis)
        CHECK(std::abs(dump.floats.at("v")[3 * node + axis] - scale * wanted[axis]) < 1e-5 * scale);
    }
  }
}

TEST_CASE("fem: the elements of a colour have no node in common", "[fem]") {
  const Loaded loaded = generated(fem_of_tests(), boxes(5, 4, 6, 1));
  const Mesh& mesh = input_of(loaded).body().mesh;
  const Colours colours(mesh);
  std::vector<std::int32_t> all = colours.order;
  std::sort(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == static_cast<std::int32_t>(i));
  for (std::size_t colour = 0; colour + 1 < colours.begins.size(); ++colour) {
    std::set<std::int32_t> nodes;
    for (std::int32_t k = colours.begins[colour]; k < colours.begins[colour + 1]; ++k)
      for (const std::int32_t node :
           mesh.elements[static_cast<std::size_t>(colours.order[static_cast<std::size_t>(k)])])
        CHECK(nodes.insert(node).second);
  }
}

namespace {

std::size_t at(std::int32_t place) {
  return static_cast<std::size_t>(place);
}

void check_limits(const PatchForces& patches, const std::vector<std::int32_t>& item_offsets,
                  std::size_t most_items, std::size_t most_nodes) {
  CHECK(patches.counts.size() == patches.nodes.size());
  CHECK(patches.entries.size() == patches.nodes.size());
  REQUIRE(item_offsets.size() == patches.node_offsets.size());
  for (std::size_t k = 0; k + 1 < item_offsets.size(); ++k) {
    CHECK(at(item_offsets[k + 1] - item_offsets[k]) <= most_items);
    CHECK(at(patches.node_offsets[k + 1] - patches.node_offsets[k]) <= most_nodes);
  }
}

/// The node of the mesh that adds up the force in this slot of a patch.
std::int32_t node_of_slot(const PatchForces& patches, std::size_t patch, int slot) {
  const auto begins = patches.ranks.begin() + patches.rank_offsets[patch];
  for (std::int32_t i = patches.node_offsets[patch]; i < patches.node_offsets[patch + 1]; ++i) {
    const auto end = begins + patches.counts[at(i)];
    if (std::find(begins, end, slot - (i - patches.node_offsets[patch])) != end) return patches.nodes[at(i)];
  }
  return -1;
}

}  // namespace

TEST_CASE("fem: patches keep to their limits and have every element once", "[fem]") {
  const Loaded loaded = generated(fem_of_tests(), boxes(9, 8, 7, 1).with("order", "shuffled"));
  const Body& body = input_of(loaded).body();
  for (const std::size_t largest : {std::size_t{64}, std::size_t{1024}}) {
    const ElementPatches patches(body, largest);
    check_limits(patches, patches.element_offsets, largest, largest / 2);
    CHECK(patches.slots.size() == body.mesh.elements.size());
    std::multiset<std::set<std::int32_t>> elements;
    for (std::size_t k = 0; k + 1 < patches.element_offsets.size(); ++k) {
      // Every force has a slot of its own, which is one of its node's.
      std::set<int> slots;
      for (std::int32_t i = patches.element_offsets[k]; i < patches.element_offsets[k + 1]; ++i) {
        std::set<std::int32_t> corners;
        for (std::size_t a = 0; a < 4; ++a) {
          const int slot = patches.slots[at(i)][a];
          const std::int32_t node = patches.nodes[at(patches.node_offsets[k] + patches.corners[at(i)][a])];
          CHECK(slots.insert(slot).second);
          CHECK(node_of_slot(patches, k, slot) == node);
          corners.insert(node);
        }
        elements.insert(corners);
      }
    }
    std::multiset<std::set<std::int32_t>> all;
    for (const Corners& corners : body.mesh.elements) all.emplace(corners.begin(), corners.end());
    CHECK(elements == all);
  }
}

TEST_CASE("fem: patches keep to their limits and have every edge once", "[fem]") {
  const Loaded loaded = generated(fem_of_tests(), boxes(9, 8, 7, 1).with("order", "shuffled"));
  const Body& body = input_of(loaded).body();
  std::multiset<std::set<std::int32_t>> all;
  for (const Corners& corners : body.mesh.elements) {
    for (const std::int32_t a : corners)
      for (const std::int32_t b : corners)
        if (a < b && !all.contains({a, b})) all.insert({a, b});
  }
  for (const std::size_t largest : {std::size_t{64}, std::size_t{1024}}) {
    const EdgePatches patches(body, largest);
    check_limits(patches, patches.edge_offsets, largest, std::min<std::size_t>(largest / 2, 256));
    std::multiset<std::set<std::int32_t>> edges;
    for (std::size_t k = 0; k + 1 < patches.edge_offsets.size(); ++k) {
      const auto first_node = patches.node_offsets[k];
      std::set<int> slots;
      std::int32_t reached = patches.edge_offsets[k];
      for (std::int32_t i = first_node; i < patches.node_offsets[k + 1]; ++i) {
        const std::int32_t node = patches.patch_nodes[at(i)];
        CHECK(slots.insert(patches.owned[at(i)][0]).second);
        CHECK(node_of_slot(patches, k, patches.owned[at(i)][0]) == node);
        for (std::int32_t turn = 0; turn < patches.owned[at(i)][1]; ++turn) {
          const std::int32_t edge =
              patches.edge_offsets[k] + i - first_node + patches.turns[at(patches.turn_offsets[k] + turn)];
          const std::int32_t other = patches.patch_nodes[at(first_node + patches.others[at(edge)])];
          CHECK(patches.edges[at(edge)] == Edge{node, other});
          CHECK(slots.insert(patches.slots[at(edge)]).second);
          CHECK(node_of_slot(patches, k, patches.slots[at(edge)]) == other);
          edges.insert({node, other});
          ++reached;
        }
      }
      CHECK(reached == patches.edge_offsets[k + 1]);
    }
    CHECK(edges == all);
  }
}

TEST_CASE("fem: reads meshes of both versions", "[fem]") {
  for (const char* content : {version_2, version_4}) {
    const TetrahedralMesh mesh = read_gmsh(std::string_view(content), "one.msh");
    REQUIRE(mesh.nodes.size() == 4);  // the fifth belongs to no tetrahedron
    REQUIRE(mesh.tetrahedra.size() == 1);
    CHECK(mesh.nodes[3] == std::array<float, 3>{0, 0, 1});
    CHECK(mesh.tetrahedra[0] == std::array<std::int32_t, 4>{0, 1, 2, 3});
  }
  const ScratchDirectory folder;
  const std::string file = folder.file("one.msh", version_4).string();
  const Loaded loaded = fem_of_tests().load({{"steps", 3}}, {file});
  CHECK(fem_of_tests().prepare_host(loaded, 1) != nullptr);
  for (const ValueMap& settings : points) {
    const Config config = fem_of_tests().space().set(fem_of_tests().space().baseline(), settings);
    if (test_session().device().capabilities.work_group_items > 0)
      CHECK(run_point(fem_of_tests(), loaded, config).status == Status::ok);
  }
}

TEST_CASE("fem: meshes that are none say where and what was expected", "[fem]") {
  const auto message = [](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return usage_error([&] { (void)read_gmsh(std::string_view(text), "one.msh"); });
  };
  CHECK(message(version_2, "2.2", "3.0").find("one.msh, line 2: expected the version 2.2 or 4.1") == 0);
  CHECK(message(version_2, "2.2 0", "2.2 1").find("one.msh, line 2: expected the file type 0, ASCII") == 0);
  CHECK(message(version_2, "$Nodes\n5", "$Nodes\n5000").find("one.msh") == 0);
  CHECK(message(version_2, "20 1 0 0", "20 1 nan 0").find("one.msh, line 7: expected a coordinate") == 0);
  CHECK(message(version_2, "20 1 0 0", "10 1 0 0").find("one.msh, line 7: node 10 is there twice") == 0);
  CHECK(message(version_2, "30 40\n", "30 41\n")
            .find("one.msh, line 15: expected a node of the section $Nodes") == 0);
  CHECK(message(version_2, "30 40\n", "30 -4\n").find("one.msh, line 15: expected a node of an element") ==
        0);
  CHECK(message(version_2, "30 40\n", "30 30\n")
            .find("one.msh, line 15: expected a tetrahedron of four nodes") == 0);
  CHECK(message(version_2, "2 4 2 0 1", "2 99 2 0 1").find("one.msh, line 15: expected an element's type") ==
        0);
  CHECK(message(version_2, "2 4 2 0 1 10 20 30 40\n", "2 2 2 0 1 10 20 30\n") ==
        "one.msh, line 16: expected tetrahedra (elements of type 4) before the end of the elements, found "
        "none");
  CHECK(message(version_2, "$EndElements\n", "").find("expected '$EndElements'") != std::string::npos);
  CHECK(message(version_4, "2 5 10 50", "1 5 10 50").find("expected 5 nodes in all blocks, found 1") !=
        std::string::npos);
  CHECK(message(version_4, "3 1 4 1\n", "3 1 4 2\n").find("expected the number of elements of a block") !=
        std::string::npos);
  const ScratchDirectory folder;
  std::string flat = version_2;
  flat.replace(flat.find("40 0 0 1"), 8, "40 1 1 0");
  const std::string file = folder.file("flat.msh", flat).string();
  CHECK(usage_error([&] { (void)fem_of_tests().load({}, {file}); }).find(file + ": tetrahedron 1 ") == 0);
  CHECK(usage_error([&] {
          (void)fem_of_tests().load({{"nx", 3}}, {file});
        }).find("fem: problem key 'nx' is '3'") == 0);
  CHECK(usage_error([&] {
          (void)generated(fem_of_tests(), boxes(3, 0, 3, 1));
        }).find("fem: problem key 'ny' is 0") == 0);
}

namespace {

// Of `rows` rows: a diagonal, a band that wraps around, and a row that is full.
std::string market_of(int rows) {
  std::string entries;
  int count = 0;
  const auto add = [&](int i, int j, double value) {
    entries += std::to_string(i + 1) + " " + std::to_string(j + 1) + " " + std::to_string(value) + "\n";
    ++count;
  };
  for (int i = 0; i < rows; ++i) {
    add(i, i, i - 2.5);
    add(i, (i * 7 + 3) % rows, 0.3 * i);
    add(rows / 2, i, 1.0 / (i + 1));
  }
  const std::string size = std::to_string(rows);
  return "%%MatrixMarket matrix coordinate real general\n" + size + " " + size + " " + std::to_string(count) +
         "\n" + entries;
}

}  // namespace

TEST_CASE("fem: the product with a matrix from a file", "[device][fem]") {
  const ScratchDirectory folder;
  for (const int rows : {1, 3, 31, 200}) {
    const Loaded loaded = fem_of_tests().load({}, {folder.file("any.mtx", market_of(rows)).string()});
    CHECK(loaded.problem.integer("rows") == rows);
    for (const int threads : {1, 2}) {
      const std::unique_ptr<HostCase> host = fem_of_tests().prepare_host(loaded, threads);
      host->run();
      CHECK(host->check().ok);
    }
    for (const ValueMap& settings : points) {
      const Config config = fem_of_tests().space().set(fem_of_tests().space().baseline(), settings);
      const Outcome outcome = run_point(fem_of_tests(), loaded, config);
      INFO(rows << " " << settings.to_string() << ": " << outcome.reason);
      const bool multiplies = config.string("variant") == "csr";
      CHECK(outcome.status == (multiplies ? Status::ok : Status::rejected));
      if (!multiplies) CHECK(outcome.reason.find("requires variant=csr") != std::string::npos);
    }
  }
  const Loaded planted = fem_of_tests().load({}, {folder.file("any.mtx", market_of(31)).string()});
  const auto status = [&](const std::string& to) {
    return status_with("block[7 * SLICE], other.z", to, fem_of_tests(), planted, {{"variant", "csr"}});
  };
  CHECK(status("block[7 * SLICE], other.z") == Status::ok);  // nothing changed
  CHECK(status("block[7 * SLICE], other.y") == Status::wrong_result);
  // By hand: y = (2 x_0 - x_3, 0, 3 x_1, 2 x_0).
  const std::string file = folder
                               .file("four.mtx",
                                     "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 4 -1\n1 1 2\n"
                                     "3 2 3\n4 1 2\n")
                               .string();
  const Loaded four = fem_of_tests().load({}, {file});
  const Dump dump =
      dumped(fem_of_tests(), four,
             fem_of_tests().space().set(fem_of_tests().space().baseline(), of("csr", {{"slice", 8}})));
  const std::vector<float>& x = dump.floats.at("x");
  CHECK(dump.floats.at("y") == std::vector<float>{2 * x[0] - x[3], 0, 3 * x[1], 2 * x[0]});
  CHECK(dump.long_integers.at("offsets") == std::vector<std::int64_t>{0, 2, 2, 3, 4});
}

TEST_CASE("fem: what is wrong with a matrix is said, and so is a wrong product", "[fem]") {
  const ScratchDirectory folder;
  const auto message = [&](const std::string& content, const ValueMap& request) {
    const std::string file = folder.file("bad.mtx", content).string();
    const std::string all = usage_error([&] { (void)fem_of_tests().load(request, {file}); });
    return all.rfind(file, 0) == 0 ? all.substr(file.size()) : all;
  };
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(message(banner + "2 3 1\n1 1 1\n", {}) ==
        ": the matrix has 2 rows and 3 columns; fem needs a square one");
  CHECK(message(banner + "2 2 1\n1 3 1\n", {}).find(", line 3: expected an entry's column") == 0);
  CHECK(message(banner + "2 2 2\n2 1 3e38\n2 2 1e38\n", {})
            .find(": the absolute values of row 2 sum to more than 1e+38") == 0);
  CHECK(message(banner + "2 2 1\n1 1 1\n", {{"steps", 5}}) ==
        "fem: problem key 'steps' is '5', but a product with a matrix has 1");
  CHECK(message("no banner", {}).find(", line 1: expected '%%MatrixMarket', found 'no'") == 0);
  CHECK(usage_error([&] {
          (void)generated(fem_of_tests(), boxes(3, 3, 3, 1).with("rows", 7));
        }).find("fem: problem key 'rows' is not 0") == 0);
  const Loaded loaded = fem_of_tests().load({}, {folder.file("good.mtx", market_of(40)).string()});
  const auto& input = dynamic_cast<const ProductInput&>(*loaded.input);
  std::vector<float> y;
  for (std::size_t row = 0; row < 40; ++row) {
    double sum = 0;
    for (std::int64_t k = input.matrix().offsets[row]; k < input.matrix().offsets[row + 1]; ++k)
      sum += double{input.matrix().values[static_cast<std::size_t>(k)]} *
             input.x()[static_cast<std::size_t>(input.matrix().columns[static_cast<std::size_t>(k)])];
    y.push_back(static_cast<float>(sum));
  }
  CHECK(input.check(y).ok);
  for (const float wrong : {1.00001F, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> one = y;
    one[7] *= wrong;
    CHECK_FALSE(input.check(one).ok);
  }
}

TEST_CASE("fem: one wrong value is seen, and so are small errors in all", "[device][fem]") {
  const Loaded loaded = generated(fem_of_tests(), boxes(5, 4, 4, 1));
  const Dump dump = dumped(fem_of_tests(), loaded, fem_of_tests().space().baseline());
  Motion right;
  for (std::size_t i = 0; i < dump.floats.at("u").size(); i += 3) {
    const auto at = [&](const char* name) {
      const std::vector<float>& values = dump.floats.at(name);
      return Node{values[i], values[i + 1], values[i + 2]};
    };
    right.u.push_back(at("u"));
    right.v.push_back(at("v"));
  }
  REQUIRE(input_of(loaded).check(right).ok);
  for (auto vectors : {&Motion::u, &Motion::v}) {
    for (const float wrong : {0.01F, std::numeric_limits<float>::quiet_NaN()}) {
      Motion motion = right;
      (motion.*vectors)[17][1] += wrong;
      CHECK_FALSE(input_of(loaded).check(motion).ok);
    }
    Motion motion = right;
    for (Node& one : motion.*vectors) one[2] *= 1.002F;
    CHECK_FALSE(input_of(loaded).check(motion).ok);
  }
}

TEST_CASE("fem: a step more or less is found, also after many", "[device][fem]") {
  for (const int steps : {2, 30}) {
    const Loaded loaded = generated(fem_of_tests(), boxes(6, 5, 4, steps));
    const Dump dump = dumped(fem_of_tests(), generated(fem_of_tests(), boxes(6, 5, 4, steps - 1)),
                             fem_of_tests().space().baseline());
    Motion motion;
    for (std::size_t i = 0; i < dump.floats.at("u").size(); i += 3) {
      const auto at = [&](const char* name) {
        const std::vector<float>& values = dump.floats.at(name);
        return Node{values[i], values[i + 1], values[i + 2]};
      };
      motion.u.push_back(at("u"));
      motion.v.push_back(at("v"));
    }
    CHECK_FALSE(input_of(loaded).check(motion).ok);
  }
}
