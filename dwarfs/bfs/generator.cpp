#include "dwarfs/bfs/input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

#include "harness/error.hpp"
#include "harness/random.hpp"

namespace dwarfsweep::bfs {
namespace {

// --- generators; both passes over the edges (count, then store) draw them from the seed of their part ---

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
    const std::int64_t fewest = degree / 3;
    const auto spread = static_cast<std::uint64_t>(degree - 2 * fewest + 1);
    const std::int64_t end = std::min(nodes, (part + 1) * nodes_per_part);
    for (std::int64_t from = part * nodes_per_part; from < end; ++from) {
      const std::int64_t count = fewest + static_cast<std::int64_t>(random.below(spread));
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

  // One pair of bits per level of the recursion; half a random word decides which of the four quarters it
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

// Threads fill a list in any order; sorting it makes the graph the same again, and neighbours near in memory.
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

// --- search by bitmap ---

constexpr std::int64_t word_bits = 64;
using Bitmap = std::vector<std::uint64_t>;

bool has_bit(const Bitmap& bitmap, std::int32_t node) {
  return ((bitmap[node / word_bits] >> (node % word_bits)) & 1U) != 0;
}

// True for the one thread that sets the bit.
bool claim_bit(Bitmap& bitmap, std::int32_t node) {
  const std::uint64_t bit = std::uint64_t{1} << (node % word_bits);
  std::uint64_t& word = bitmap[node / word_bits];
  std::uint64_t before = 0;
#pragma omp atomic read
  before = word;
  if ((before & bit) != 0) return false;
#pragma omp atomic capture
  {
    before = word;
    word |= bit;
  }
  return (before & bit) == 0;
}

// What all threads of one search share. A node with a reached in-neighbour is found by the level after that
// neighbour's, so while a level is searched any reached in-neighbour of an unreached node is in the frontier,
// and the bitmap of reached nodes as it was before the level is all that pulling needs.
struct Search {
  const Adjacency& outgoing;
  const Adjacency& incoming;
  std::vector<std::int32_t>& levels;
  Bitmap reached;
  Bitmap next_reached;
  std::vector<std::int32_t> frontier;
  std::vector<std::int32_t> next;
  std::int64_t frontier_edges = 0;
  std::int64_t unexplored_edges = 0;
  std::int64_t next_edges = 0;
  std::int32_t level = 0;
};

struct Found {
  std::vector<std::int32_t> nodes;
  std::int64_t edges = 0;

  void add(const Search& search, std::int32_t node) {
    search.levels[node] = search.level + 1;
    nodes.push_back(node);
    edges += search.outgoing.degree(node);
  }
};

void push(Search& search, Found& found) {
  const auto count = static_cast<std::int64_t>(search.frontier.size());
#pragma omp for schedule(dynamic, 256)
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int32_t node = search.frontier[i];
    for (std::int64_t edge = search.outgoing.offsets[node]; edge < search.outgoing.offsets[node + 1];
         ++edge) {
      const std::int32_t neighbour = search.outgoing.neighbours[edge];
      if (claim_bit(search.reached, neighbour)) found.add(search, neighbour);
    }
  }
}

bool leads_from_reached(const Search& search, std::int32_t node) {
  const auto first = search.incoming.neighbours.begin() + search.incoming.offsets[node];
  const auto last = search.incoming.neighbours.begin() + search.incoming.offsets[node + 1];
  return std::any_of(first, last, [&](std::int32_t from) { return has_bit(search.reached, from); });
}

void pull(Search& search, Found& found) {
  const auto words = static_cast<std::int64_t>(search.reached.size());
  const std::int64_t nodes = search.outgoing.nodes();
#pragma omp for schedule(dynamic, 64)
  for (std::int64_t word = 0; word < words; ++word) {
    std::uint64_t reached = search.reached[word];
    for (std::uint64_t missing = ~reached; missing != 0; missing &= missing - 1) {
      const std::int64_t node = word * word_bits + std::countr_zero(missing);
      if (node >= nodes) break;
      if (!leads_from_reached(search, static_cast<std::int32_t>(node))) continue;
      reached |= std::uint64_t{1} << (node % word_bits);
      found.add(search, static_cast<std::int32_t>(node));
    }
    search.next_reached[word] = reached;
  }
}

// Each thread's finds become part of the next frontier.
void collect(Search& search, Found& found) {
#pragma omp critical(dwarfsweep_bfs_collect)
  {
    search.next.insert(search.next.end(), found.nodes.begin(), found.nodes.end());
    search.next_edges += found.edges;
  }
  found.nodes.clear();
  found.edges = 0;
}

void advance(Search& search, bool pulled) {
  if (pulled) std::swap(search.reached, search.next_reached);
  std::swap(search.frontier, search.next);
  search.next.clear();
  search.unexplored_edges -= search.frontier_edges;
  search.frontier_edges = std::exchange(search.next_edges, 0);
  ++search.level;
}

// Beamer's rule: pull once the frontier has a good part of the edges that are left, and only a wide frontier.
bool should_pull(const Search& search) {
  return search.frontier_edges > search.unexplored_edges / 14 &&
         static_cast<std::int64_t>(search.frontier.size()) > search.outgoing.nodes() / 24;
}

}  // namespace

void require_source(std::int64_t source, std::int64_t nodes) {
  if (source >= 0 && source < nodes) return;
  throw UsageError(fmt::format("bfs: the source {} is not a node: the graph has {} nodes, numbered from 0",
                               source, nodes));
}

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

Adjacency transposed(const Adjacency& graph) {
  Adjacency result;
  result.offsets.assign(graph.offsets.size(), 0);
  for (const std::int32_t to : graph.neighbours) ++result.offsets[to + 1];
  std::partial_sum(result.offsets.begin(), result.offsets.end(), result.offsets.begin());
  result.neighbours.resize(graph.neighbours.size());
  std::vector<std::int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      result.neighbours[next[graph.neighbours[edge]]++] = static_cast<std::int32_t>(node);
    }
  }
  return result;
}

GraphInput::GraphInput(Adjacency outgoing, std::int32_t source, bool symmetric)
    : outgoing_(std::move(outgoing)), source_(source), symmetric_(symmetric) {}

const Adjacency& GraphInput::incoming() const {
  if (symmetric_) return outgoing_;
  if (!incoming_) incoming_ = transposed(outgoing_);
  return *incoming_;
}

const Reference& GraphInput::reference() const {
  if (reference_) return *reference_;
  Reference reference;
  reference.levels = serial_levels(outgoing_, source_);
  if (const std::string broken = broken_rule(outgoing_, source_, reference.levels); !broken.empty()) {
    throw std::logic_error("bfs: the reference is no breadth-first search: " + broken);
  }
  for (std::int64_t node = 0; node < outgoing_.nodes(); ++node) {
    if (reference.levels[node] == unreached) continue;
    ++reference.reached_nodes;
    reference.reached_edges += outgoing_.degree(node);
  }
  reference_ = std::move(reference);
  return *reference_;
}

std::vector<std::int32_t> serial_levels(const Adjacency& graph, std::int32_t source) {
  std::vector<std::int32_t> levels(static_cast<std::size_t>(graph.nodes()), unreached);
  std::vector<std::int32_t> queue{source};
  queue.reserve(levels.size());
  levels[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::int32_t node = queue[head];
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const std::int32_t neighbour = graph.neighbours[edge];
      if (levels[neighbour] != unreached) continue;
      levels[neighbour] = levels[node] + 1;
      queue.push_back(neighbour);
    }
  }
  return levels;
}

void parallel_levels(const GraphInput& input, int threads, std::vector<std::int32_t>& levels) {
  const Adjacency& graph = input.outgoing();
  const std::size_t words = static_cast<std::size_t>(ceil_div(graph.nodes(), word_bits));
  levels.assign(static_cast<std::size_t>(graph.nodes()), unreached);
  levels[input.source()] = 0;
  Search search{graph, input.incoming(), levels, Bitmap(words), Bitmap(words), {input.source()}, {}};
  claim_bit(search.reached, input.source());
  search.frontier_edges = graph.degree(input.source());
  search.unexplored_edges = graph.edges();
#pragma omp parallel num_threads(threads)
  {
    Found found;
    while (!search.frontier.empty()) {
      const bool pulling = should_pull(search);
      if (pulling) {
        pull(search, found);
      } else {
        push(search, found);
      }
      collect(search, found);
#pragma omp barrier
#pragma omp single
      advance(search, pulling);
    }
  }
}

std::string broken_rule(const Adjacency& graph, std::int32_t source, std::span<const std::int32_t> levels) {
  std::vector<bool> has_parent(levels.size(), false);
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    if ((levels[node] == 0) != (node == source)) {
      return fmt::format("node {} has level {}, and the source is {}", node, levels[node], source);
    }
    if (levels[node] == unreached) continue;
    for (std::int64_t edge = graph.offsets[node]; edge < graph.offsets[node + 1]; ++edge) {
      const std::int32_t to = graph.neighbours[edge];
      if (levels[to] == unreached || levels[to] > levels[node] + 1) {
        return fmt::format("node {} of level {} leads to node {} of level {}", node, levels[node], to,
                           levels[to]);
      }
      if (levels[to] == levels[node] + 1) has_parent[to] = true;
    }
  }
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    if (node != source && levels[node] != unreached && !has_parent[node]) {
      return fmt::format("node {} has level {}, but no edge comes from level {}", node, levels[node],
                         levels[node] - 1);
    }
  }
  return "";
}

Check compare(const GraphInput& input, std::span<const std::int32_t> levels) {
  const std::vector<std::int32_t>& wanted = input.reference().levels;
  Check check;
  if (levels.size() != wanted.size()) {
    check.message = fmt::format("{} levels, wanted {}", levels.size(), wanted.size());
    return check;
  }
  const auto [got, want] = std::mismatch(levels.begin(), levels.end(), wanted.begin());
  check.ok = got == levels.end();
  if (!check.ok) {
    check.max_error = 1;
    check.message = fmt::format("level of node {}: got {}, wanted {}", got - levels.begin(), *got, *want);
  }
  return check;
}

}  // namespace dwarfsweep::bfs
