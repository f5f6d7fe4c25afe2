// Random graphs for bfs: uniform and Kronecker.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "dwarfs/bfs/input.hpp"
#include "harness/space/error.hpp"
#include "harness/space/rounding.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::bfs {
namespace {

// Both kinds of graph draw their edges in parts, each from a seed of its own, so that any number of threads
// draws the same edges in both passes over them (count, then store).

// 2^33 stored edges are 32 GiB of neighbours.
constexpr double max_generated_edges = 8589934592.0;

struct UniformEdges {
  static constexpr std::int64_t nodes_per_part = 4096;
  std::int64_t nodes;
  std::int64_t degree;
  std::uint64_t seed;

  [[nodiscard]] std::int64_t parts() const { return ceil_div(nodes, nodes_per_part); }

  template <typename Visit>
  void visit_part(std::int64_t part, const Visit& visit) const {
    Random random(seed_of_part(seed, static_cast<std::uint64_t>(part)));
    const std::int64_t min_edges = degree / 3;
    const auto spread = static_cast<std::uint64_t>(degree - 2 * min_edges + 1);
    const std::int64_t end = std::min(nodes, (part + 1) * nodes_per_part);
    for (std::int64_t from = part * nodes_per_part; from < end; ++from) {
      const std::int64_t count = min_edges + static_cast<std::int64_t>(random.below(spread));
      for (std::int64_t i = 0; i < count; ++i) {
        visit(from, static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(nodes))));
      }
    }
  }
};

class KroneckerEdges {
 public:
  KroneckerEdges(std::int64_t nodes, std::int64_t degree, std::uint64_t seed)
      : nodes_(nodes), edges_(nodes * degree), seed_(seed), names_(static_cast<std::size_t>(nodes)) {
    std::iota(names_.begin(), names_.end(), 0);
    constexpr std::uint64_t names_part = ~std::uint64_t{0};
    Random(seed_of_part(seed, names_part)).shuffle(names_);
    if (edges_ == 0) return;
    Random random(seed_of_part(seed, 0));
    const std::int64_t first = draw(random).first;
    std::iter_swap(names_.begin() + first, std::find(names_.begin(), names_.end(), 0));
  }

  [[nodiscard]] std::int64_t parts() const { return ceil_div(edges_, edges_per_part); }

  template <typename Visit>
  void visit_part(std::int64_t part, const Visit& visit) const {
    Random random(seed_of_part(seed_, static_cast<std::uint64_t>(part)));
    const std::int64_t count = std::min(edges_per_part, edges_ - part * edges_per_part);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto [from, to] = draw(random);
      visit(names_[from], names_[to]);
    }
  }

 private:
  static constexpr std::int64_t edges_per_part = 65536;

  // One pair of bits per level of the recursion; half a random word decides which quarter of the matrix it
  // falls into.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> draw(Random& random) const {
    constexpr auto below_a = static_cast<std::uint32_t>(0.57 * 0x1p32);
    constexpr auto below_b = static_cast<std::uint32_t>(0.76 * 0x1p32);
    constexpr auto below_c = static_cast<std::uint32_t>(0.95 * 0x1p32);
    const int levels = std::bit_width(static_cast<std::uint64_t>(nodes_ - 1));
    for (;;) {
      std::int64_t from = 0;
      std::int64_t to = 0;
      std::uint64_t word = 0;
      for (int level = 0; level < levels; ++level) {
        word = level % 2 == 0 ? random.next() : word >> 32;
        const auto chance = static_cast<std::uint32_t>(word);
        const bool lower = chance >= below_b;
        const bool right = lower ? chance >= below_c : chance >= below_a;
        from = 2 * from + (lower ? 1 : 0);
        to = 2 * to + (right ? 1 : 0);
      }
      if (from < nodes_ && to < nodes_) return {from, to};
    }
  }

  std::int64_t nodes_;
  std::int64_t edges_;
  std::uint64_t seed_;
  std::vector<std::int32_t> names_;
};

std::int64_t fetch_increment(std::int64_t& counter) {
  std::int64_t before = 0;
#pragma omp atomic capture
  before = counter++;
  return before;
}

// Threads fill a list in any order; sorting it makes the graph the same every time, and orders the loads by
// address.
template <typename Edges>
Adjacency both_ways(const Edges& edges, std::int64_t nodes) {
  Adjacency graph;
  graph.offsets.assign(static_cast<std::size_t>(nodes) + 1, 0);
  const std::int64_t parts = edges.parts();
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t part = 0; part < parts; ++part) {
    edges.visit_part(part, [&](std::int64_t from, std::int64_t to) {
      fetch_increment(graph.offsets[from + 1]);
      fetch_increment(graph.offsets[to + 1]);
    });
  }
  std::partial_sum(graph.offsets.begin(), graph.offsets.end(), graph.offsets.begin());
  graph.neighbours.resize(static_cast<std::size_t>(graph.offsets.back()));
  std::vector<std::int64_t> next(graph.offsets.begin(), graph.offsets.end() - 1);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t part = 0; part < parts; ++part) {
    edges.visit_part(part, [&](std::int64_t from, std::int64_t to) {
      graph.neighbours[fetch_increment(next[from])] = static_cast<std::int32_t>(to);
      graph.neighbours[fetch_increment(next[to])] = static_cast<std::int32_t>(from);
    });
  }
#pragma omp parallel for schedule(dynamic, 1024)
  for (std::int64_t node = 0; node < nodes; ++node) {
    std::sort(graph.neighbours.begin() + graph.offsets[node],
              graph.neighbours.begin() + graph.offsets[node + 1]);
  }
  return graph;
}

}  // namespace

Adjacency generate_graph(const Problem& problem, std::uint64_t seed) {
  const std::int64_t nodes = problem.integer("nodes");
  const std::int64_t degree = problem.integer("degree");
  const bool kronecker = problem.string("graph") == "kronecker";
  require_source(problem.integer("source"), nodes);
  const double stored = static_cast<double>(nodes) * static_cast<double>(degree) * (kronecker ? 2 : 1);
  if (stored > max_generated_edges) {
    throw UsageError(
        fmt::format("bfs: {} nodes of degree {} make about {:.0f} stored edges; at most {:.0f} are generated",
                    nodes, degree, stored, max_generated_edges));
  }
  return kronecker ? both_ways(KroneckerEdges(nodes, degree, seed), nodes)
                   : both_ways(UniformEdges{nodes, degree, seed}, nodes);
}

}  // namespace dwarfsweep::bfs
