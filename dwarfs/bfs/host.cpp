#include "dwarfs/bfs/bfs.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "dwarfs/bfs/input.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {
namespace {

constexpr std::int64_t host_word_bits = 64;
using Bitmap = std::vector<std::uint64_t>;

bool has_bit(const Bitmap& bitmap, std::int32_t node) {
  return ((bitmap[node / host_word_bits] >> (node % host_word_bits)) & 1U) != 0;
}

// True for the one thread that sets the bit.
bool claim_bit(Bitmap& bitmap, std::int32_t node) {
  const std::uint64_t bit = std::uint64_t{1} << (node % host_word_bits);
  std::uint64_t& word = bitmap[node / host_word_bits];
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

// What all threads of one search share. A node with a reached in-neighbour is found at the latest on the
// level after that neighbour's, so while a level is searched any reached in-neighbour of an unreached node is
// in the frontier, and the bitmap of reached nodes as it was before the level is all that pulling needs.
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

// What one thread has found on a level.
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
      const std::int64_t node = word * host_word_bits + std::countr_zero(missing);
      if (node >= nodes) break;
      if (!leads_from_reached(search, static_cast<std::int32_t>(node))) continue;
      reached |= std::uint64_t{1} << (node % host_word_bits);
      found.add(search, static_cast<std::int32_t>(node));
    }
    search.next_reached[word] = reached;
  }
}

// Appends what each thread has found to the next frontier.
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

// Beamer's rule: pull once the frontier has more than 1/14 of the edges that are left, and only a wide
// frontier.
bool should_pull(const Search& search) {
  return search.frontier_edges > search.unexplored_edges / 14 &&
         static_cast<std::int64_t>(search.frontier.size()) > search.outgoing.nodes() / 24;
}

class BfsHostCase final : public HostCase {
 public:
  BfsHostCase(std::shared_ptr<const GraphInput> input, int threads)
      : input_(std::move(input)), threads_(threads) {
    static_cast<void>(input_->incoming());  // outside the timed region
  }
  void reset() override { std::fill(levels_.begin(), levels_.end(), unreached); }
  void run() override {
    if (threads_ == 1) {
      levels_ = serial_levels(input_->outgoing(), input_->source());
    } else {
      parallel_levels(*input_, threads_, levels_);
    }
  }
  [[nodiscard]] Check check() const override { return compare(*input_, levels_); }

 private:
  std::shared_ptr<const GraphInput> input_;
  int threads_;
  std::vector<std::int32_t> levels_;
};

}  // namespace

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
  const std::size_t words = static_cast<std::size_t>(ceil_div(graph.nodes(), host_word_bits));
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

std::unique_ptr<HostCase> make_host_case(std::shared_ptr<const GraphInput> input, int threads) {
  return std::make_unique<BfsHostCase>(std::move(input), threads);
}

}  // namespace dwarfsweep::bfs
