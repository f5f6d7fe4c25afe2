#include <algorithm>
#include <numeric>

#include "dwarfs/bfs/frontier_plan.hpp"
#include "dwarfs/bfs/input.hpp"
#include "dwarfs/registry.hpp"
#include "harness/run/launcher.hpp"
#include "tests/catch.hpp"
#include "tests/input_files.hpp"
#include "tests/made_up_devices.hpp"
#include "tests/points.hpp"

using namespace dwarfsweep;
using namespace dwarfsweep::test;
using bfs::Adjacency;
using bfs::GraphInput;
using bfs::unreached;

namespace {

const Dwarf& dwarf() {
  return find_dwarf("bfs");
}

Adjacency from_pairs(std::int64_t nodes, const std::vector<std::pair<int, int>>& edges) {
  Adjacency graph;
  graph.offsets.assign(static_cast<std::size_t>(nodes) + 1, 0);
  for (const auto& edge : edges) ++graph.offsets[edge.first + 1];
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  graph.neighbours.resize(edges.size());
  std::vector<std::int64_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
  for (const auto& [from, to] : edges) graph.neighbours[next[from]++] = to;
  return graph;
}

Loaded as_loaded(Adjacency graph, std::int32_t source) {
  const Problem problem{
      "file",
      {{"nodes", graph.nodes()}, {"degree", 0}, {"graph", "file"}, {"source", static_cast<int>(source)}}};
  return {problem, std::make_shared<GraphInput>(std::move(graph), source, false)};
}

const GraphInput& graph_of(const Loaded& loaded) {
  return static_cast<const GraphInput&>(*loaded.input);
}

// Every variant at its start.
void check_variants(const Loaded& loaded) {
  for (const Value& variant : dwarf().space().find("variant").values) {
    const Outcome outcome = run_point(dwarf(), loaded, dwarf().space().default_config(variant.string()));
    INFO(variant.string() << ": " << outcome.reason);
    CHECK(outcome.status == Status::ok);
  }
}

// 0 -> 1 -> 2 ... , one way only.
Adjacency path(std::int64_t nodes) {
  std::vector<std::pair<int, int>> edges;
  for (int node = 0; node + 1 < nodes; ++node) edges.emplace_back(node, node + 1);
  return from_pairs(nodes, edges);
}

// Node 0 leads to all others, and each of them to the next: one long list among short ones.
Adjacency star(std::int64_t nodes) {
  std::vector<std::pair<int, int>> edges;
  for (int node = 1; node < nodes; ++node) {
    edges.emplace_back(0, node);
    if (node + 1 < nodes) edges.emplace_back(node, node + 1);
  }
  return from_pairs(nodes, edges);
}

// Parallel edges, self loops, a part that cannot be reached, a node without edges; edges one way only.
Adjacency odd_graph() {
  return from_pairs(
      9, {{3, 3}, {3, 1}, {3, 1}, {1, 5}, {5, 0}, {1, 0}, {0, 3}, {2, 4}, {4, 2}, {8, 3}, {5, 7}, {7, 7}});
}
const std::vector<std::int32_t> odd_levels{2, 1, unreached, 0, unreached, 2, unreached, 3, unreached};

}  // namespace

TEST_CASE("bfs: every axis on small odd graphs", "[device][bfs][axes]") {
  check_one_at_a_time(dwarf(), {{"nodes", 301}, {"degree", 5}, {"source", 17}});
}

TEST_CASE("bfs: every axis on graphs of several levels and of heavy nodes", "[device][bfs][heavy]") {
  check_one_at_a_time(dwarf(), {{"nodes", 20011}, {"degree", 3}, {"source", 20010}});
  check_one_at_a_time(dwarf(), {{"nodes", 3000}, {"degree", 16}, {"graph", "kronecker"}});
}

TEST_CASE("bfs: random points", "[device][bfs]") {
  check_random_points(dwarf(), {{"nodes", 257}, {"degree", 4}, {"graph", "kronecker"}}, 4);
}

TEST_CASE("bfs: more random points", "[device][bfs][heavy]") {
  check_random_points(dwarf(), {{"nodes", 9999}}, 8);
  check_random_points(dwarf(), {{"nodes", 4097}, {"degree", 20}, {"graph", "kronecker"}}, 8);
}

TEST_CASE("bfs: a few points of the full space, at tiny and at an odd size", "[device][bfs][heavy]") {
  check_full_space(dwarf(), {{"nodes", 999}, {"degree", 5}, {"graph", "kronecker"}}, 4);
}

TEST_CASE("bfs: the full space, at tiny and at an odd size", "[device][bfs][heavy][long]") {
  check_full_space(dwarf(), {{"nodes", 999}, {"degree", 5}, {"graph", "kronecker"}}, 100);
}

TEST_CASE("bfs: graphs with a known answer", "[device][bfs]") {
  const Loaded odd = as_loaded(odd_graph(), 3);
  CHECK(graph_of(odd).reference().levels == odd_levels);
  CHECK(graph_of(odd).reference().reached_edges == 9);
  check_variants(odd);
  check_variants(as_loaded(odd_graph(), 6));  // the node without edges
  check_variants(as_loaded(from_pairs(1, {}), 0));
  check_variants(as_loaded(from_pairs(1, {{0, 0}}), 0));
  check_variants(as_loaded(path(20), 0));
  check_variants(as_loaded(path(20), 19));
  check_variants(as_loaded(star(700), 0));
  check_variants(as_loaded(star(700), 650));
}

TEST_CASE("bfs: a deep graph and a list longer than any group", "[device][bfs][heavy]") {
  check_variants(as_loaded(path(400), 0));
  check_variants(as_loaded(star(60000), 0));
  check_variants(as_loaded(star(60000), 59990));
}

// On a GPU sync=auto comes to the same point.
TEST_CASE("bfs: groups of one that pull 512 nodes at once, in one launch", "[device][bfs]") {
  const Outcome outcome = run_point(dwarf(), {{"nodes", 20011}},
                                    {{"variant", "direction_optimising"},
                                     {"work_group", 1},
                                     {"granularity", 512},
                                     {"team", 1},
                                     {"sync", "barrier"},
                                     {"claims", "atomic"}});
  INFO(outcome.reason);
  const DeviceInfo& device = test_session().device();
  const bool can = device.groups_may_wait() && device.max_iterations == 0;
  CHECK(outcome.status == (can ? Status::ok : Status::unsupported));
}

TEST_CASE("bfs: a wrong level does not pass", "[device][bfs]") {
  const Loaded loaded = as_loaded(odd_graph(), 3);
  const Dump dump = dumped(dwarf(), loaded, dwarf().space().baseline());
  std::vector<std::int32_t> levels = dump.integers.at("levels");
  CHECK(levels == odd_levels);

  levels[5] = 3;
  const Check check = bfs::compare(graph_of(loaded), levels);
  CHECK_FALSE(check.ok);
  CHECK(check.message == "level of node 5: got 3, wanted 2");
  CHECK_FALSE(bfs::compare(graph_of(loaded), std::span(levels).first(8)).ok);
}

TEST_CASE("bfs: times are reported under the names of the information", "[device][bfs][variants]") {
  const Loaded loaded = generated(dwarf(), {{"nodes", 500}, {"degree", 3}});
  for (const Value& variant : dwarf().space().find("variant").values) {
    Workspace workspace(test_session());
    const auto subject = dwarf().prepare(workspace, loaded, dwarf().space().default_config(variant.string()));
    subject->upload();
    subject->reset();
    Launcher launcher(test_session());
    subject->launch(launcher);
    launcher.finish();
    Sample sample;
    launcher.collect(sample);
    std::vector<std::string> names = dwarf().info().kernels;
    names.emplace_back("total");
    for (const KernelTime& time : sample.kernels) {
      INFO(variant.string() << " reports " << time.kernel);
      CHECK(std::find(names.begin(), names.end(), time.kernel) != names.end());
    }
  }
}

TEST_CASE("bfs: the rules of the reference can be broken", "[bfs]") {
  const auto broken = [](std::size_t node, std::int32_t level) {
    std::vector<std::int32_t> levels = odd_levels;
    levels[node] = level;
    return bfs::broken_rule(odd_graph(), 3, levels);
  };
  CHECK(broken(3, 0).empty());
  CHECK(broken(3, 1) == "node 3 has level 1, and the source is 3");
  CHECK(broken(1, 0) == "node 1 has level 0, and the source is 3");
  CHECK(broken(5, 3) == "node 1 of level 1 leads to node 5 of level 3");
  CHECK(broken(7, unreached) == "node 5 of level 2 leads to node 7 of level -1");
  CHECK(broken(7, 2) == "node 7 has level 2, but no edge comes from level 1");
  CHECK(broken(6, 4) == "node 6 has level 4, but no edge comes from level 3");
}

TEST_CASE("bfs: searches on the host", "[bfs]") {
  check_host(dwarf(), {{"nodes", 1}, {"degree", 0}});
  check_host(dwarf(), {{"nodes", 5003}});
  check_host(dwarf(), {{"nodes", 20000}, {"degree", 16}, {"graph", "kronecker"}});
  for (const Loaded& loaded :
       {as_loaded(odd_graph(), 3), as_loaded(path(300), 5), as_loaded(star(9000), 0)}) {
    for (const int threads : {1, 3}) {
      const auto host_case = dwarf().prepare_host(loaded, threads);
      host_case->reset();
      host_case->run();
      INFO(threads << " threads: " << host_case->check().message);
      CHECK(host_case->check().ok);
    }
  }
}

TEST_CASE("bfs: generated graphs are the same every time, and as described", "[bfs]") {
  const Loaded uniform = generated(dwarf(), {{"nodes", 10000}});
  const Adjacency& graph = graph_of(uniform).outgoing();
  CHECK(graph.neighbours == graph_of(generated(dwarf(), {{"nodes", 10000}})).outgoing().neighbours);
  CHECK(graph.neighbours != graph_of(generated(dwarf(), {{"nodes", 10000}}, 2)).outgoing().neighbours);
  CHECK(transposed(graph).neighbours == graph.neighbours);
  // 10000 draws of 2, 3 or 4 edges, both ways: 60000 with a standard deviation of 2 * sqrt(10000 * 2 / 3) =
  // 163.
  CHECK(std::abs(static_cast<double>(graph.edges()) - 60000) < 6 * 163);
  CHECK(*std::min_element(graph.neighbours.begin(), graph.neighbours.end()) >= 0);
  CHECK(*std::max_element(graph.neighbours.begin(), graph.neighbours.end()) == 9999);

  const Loaded kronecker = generated(dwarf(), {{"nodes", 5000}, {"degree", 16}, {"graph", "kronecker"}});
  const Adjacency& heavy = graph_of(kronecker).outgoing();
  CHECK(heavy.edges() == 2 * 5000 * 16);
  CHECK(transposed(heavy).neighbours == heavy.neighbours);
  CHECK(heavy.degree(0) > 0);
  std::int64_t lonely = 0;
  std::int64_t heaviest = 0;
  for (std::int64_t node = 0; node < heavy.nodes(); ++node) {
    lonely += heavy.degree(node) == 0 ? 1 : 0;
    heaviest = std::max(heaviest, heavy.degree(node));
  }
  // Uniform ends would leave 5000 * exp(-32) nodes alone, and give none more than about 32 + 6 * sqrt(32)
  // edges.
  CHECK(lonely > 100);
  CHECK(heaviest > 500);
}

TEST_CASE("bfs: bad problems are refused in words", "[bfs]") {
  CHECK(usage_error([] {
          (void)generated(dwarf(), {{"nodes", 5}, {"source", 7}});
        }) == "bfs: the source 7 is not a node: the graph has 5 nodes, numbered from 0");
  CHECK(usage_error([] {
          (void)generated(dwarf(), {{"nodes", 1 << 30}, {"degree", 1000}});
        }) ==
        "bfs: 1073741824 nodes of degree 1000 make about 1073741824000 stored edges; at most 8589934592 are "
        "generated");
}

TEST_CASE("bfs: graphs from files", "[device][bfs][variants]") {
  const ScratchDirectory folder;
  const std::string classic = folder.file("graph.txt", "3\n0 1\n1 2\n3 0\n\n1\n3\n2 9\n0 1\n2 1\n");
  const Loaded loaded = dwarf().load({}, {classic});
  CHECK(loaded.problem.size == "file");
  CHECK(loaded.problem.values.to_string() == "nodes=3;degree=1;graph=file;source=1");
  CHECK(graph_of(loaded).reference().levels == std::vector<std::int32_t>{1, 0, 1});
  check_variants(loaded);
  const Loaded from_zero = dwarf().load({{"source", 0}}, {classic});
  CHECK(graph_of(from_zero).reference().levels == std::vector<std::int32_t>{0, unreached, 1});

  const std::string market =
      folder.file("graph.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n");
  CHECK(graph_of(dwarf().load({}, {market})).reference().levels == std::vector<std::int32_t>{0, 1, 2});
  const std::string list = folder.file("graph.el", "# from to\n0 2\n2 1\n");
  CHECK(graph_of(dwarf().load({}, {list})).reference().levels == std::vector<std::int32_t>{0, 2, 1});

  CHECK(usage_error([&] {
          (void)dwarf().load({{"source", 3}}, {list});
        }) == "bfs: the source 3 is not a node: the graph has 3 nodes, numbered from 0");
  CHECK(usage_error([&] {
          (void)dwarf().load({{"nodes", 3}}, {list});
        }) == "bfs: with an input file only 'source' can be set, not 'nodes'");
  CHECK(usage_error([&] {
          (void)dwarf().load({}, {list, list});
        }) ==
        "bfs takes one file: the classic bfs .txt, Matrix Market (.mtx) or an edge list; 2 files were given");
  const std::string empty = folder.file("graph.none", "# nothing\n");
  CHECK(usage_error([&] { (void)dwarf().load({}, {empty}); }) != "no error");
}

TEST_CASE("bfs: the kernels' parameter table, and the published settings", "[bfs]") {
  check_parameter_table(dwarf());
  const Space& space = dwarf().space();
  for (const PaperSetting& setting : dwarf().paper_settings()) {
    INFO(setting.figure);
    CHECK_NOTHROW(space.set(space.baseline(), setting.settings));
  }
}

TEST_CASE("bfs: on CPUs the more edges a graph has, the narrower frontiers are pulled", "[unit][bfs]") {
  DeviceInfo cpu = made_up_gpu("waves of 64");
  cpu.type = "cpu";
  cpu.derive_capabilities();
  const auto pulled_part = [&](std::int64_t degree, const char* claims) {
    constexpr std::size_t nodes = 64;
    bfs::PaddedLists lists;
    for (std::size_t node = 0; node <= nodes; ++node)
      lists.offsets.push_back(node * static_cast<std::uint64_t>(degree));
    lists.neighbours.resize(nodes * static_cast<std::size_t>(degree));
    const Config config =
        dwarf().space().set(dwarf().space().default_config("direction_optimising", cpu.capabilities),
                            {{"sync", "launches"}, {"claims", claims}}, cpu.capabilities);
    return bfs::make_plan(lists, config, cpu).pulled_part;
  };
  CHECK(pulled_part(1, "merged") == pulled_part(8, "merged"));
  CHECK(pulled_part(72, "merged") == 3 * pulled_part(8, "merged"));  // by the root of the degree
  CHECK(pulled_part(72, "atomic") == pulled_part(8, "atomic"));
}
