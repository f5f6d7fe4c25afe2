#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <span>

#include "dwarfs/fem/fem.hpp"
#include "harness/device/host.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep::fem {
namespace {

std::size_t at(std::int32_t number) {
  return static_cast<std::size_t>(number);
}

/// Each node's neighbours, and itself, in ascending order.
std::vector<std::vector<std::int32_t>> neighbours(const Mesh& mesh, const Incidence& incidence) {
  std::vector<std::vector<std::int32_t>> around(mesh.nodes.size());
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < around.size(); ++node) {
    std::vector<std::int32_t>& here = around[node];
    for (std::int32_t k = incidence.offsets[node]; k < incidence.offsets[node + 1]; ++k) {
      const Corners& corners = mesh.elements[at(incidence.corners[at(k)] / 4)];
      here.insert(here.end(), corners.begin(), corners.end());
    }
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
  }
  return around;
}

/// A 3 x 3 block of the matrix, column by column.
using Block = std::array<double, 9>;

/// An element's blocks of the matrix.
class ElementMatrix {
 public:
  ElementMatrix(const Body& body, std::size_t element) {
    const Mesh& mesh = body.mesh;
    const Corners& corners = mesh.elements[element];
    for (std::size_t a = 1; a < 4; ++a) {
      const Node& origin = mesh.nodes[at(corners[0])];
      const Node& p = mesh.nodes[at(corners[a % 3 + 1])];
      const Node& q = mesh.nodes[at(corners[(a + 1) % 3 + 1])];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t y = (axis + 1) % 3;
        const std::size_t z = (axis + 2) % 3;
        normal_[a][axis] = (double{p[y]} - double{origin[y]}) * (double{q[z]} - double{origin[z]}) -
                           (double{p[z]} - double{origin[z]}) * (double{q[y]} - double{origin[y]});
        normal_[0][axis] -= normal_[a][axis];
      }
    }
    const double scale = 1 / (6 * six_volumes(mesh, corners));
    lambda_ = double{body.lame[element].lambda} * scale;
    mu_ = double{body.lame[element].mu} * scale;
  }

  /// The part of corners a and b.
  void add(std::size_t a, std::size_t b, Block& block) const {
    double both = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) both += normal_[a][axis] * normal_[b][axis];
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = 0; q < 3; ++q) {
        block[3 * q + p] += lambda_ * normal_[a][p] * normal_[b][q] + mu_ * normal_[a][q] * normal_[b][p] +
                            (p == q ? mu_ * both : 0);
      }
    }
  }

 private:
  double normal_[4][3] = {};
  double lambda_, mu_;
};

/// Cuts items, which have Count nodes each, into patches along a Hilbert curve. `finish` gets the numbers of
/// a patch's items, its nodes, and places among these of the items' nodes.
template <std::size_t Count, typename Finish>
void for_each_patch(const Mesh& mesh, const std::vector<std::array<std::int32_t, Count>>& items,
                    std::size_t most_items, std::size_t most_nodes, const Finish& finish) {
  const std::vector<std::int32_t> order = hilbert_order(mesh.nodes, items);
  std::vector<std::int32_t> place(mesh.nodes.size(), -1);  // in the current patch
  std::vector<std::int32_t> found;
  std::vector<std::array<std::uint16_t, Count>> places;
  std::size_t first = 0;
  const auto end_patch = [&] {
    finish(std::span<const std::int32_t>(order).subspan(first, places.size()), found, places);
    for (const std::int32_t node : found) place[at(node)] = -1;
    first += places.size();
    found.clear();
    places.clear();
  };
  for (const std::int32_t item : order) {
    const auto& of_item = items[at(item)];
    const auto is_new = [&](std::int32_t node) { return place[at(node)] < 0; };
    const auto new_nodes = static_cast<std::size_t>(std::count_if(of_item.begin(), of_item.end(), is_new));
    if (places.size() == most_items || found.size() + new_nodes > most_nodes) end_patch();
    places.emplace_back();
    for (std::size_t a = 0; a < Count; ++a) {
      if (is_new(of_item[a])) {
        place[at(of_item[a])] = static_cast<std::int32_t>(found.size());
        found.push_back(of_item[a]);
      }
      places.back()[a] = static_cast<std::uint16_t>(place[at(of_item[a])]);
    }
  }
  end_patch();
}

}  // namespace

Colours::Colours(const Mesh& mesh) {
  // Greedily: an element gets the first colour that no element at its nodes has. More words are added as
  // colours are.
  std::size_t words = 1;
  std::vector<std::uint64_t> used(mesh.nodes.size());
  std::vector<std::int32_t> colour(mesh.elements.size());
  std::vector<std::int32_t> counts;
  for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
    std::size_t found = 64 * words;
    for (std::size_t word = 0; word < words && found == 64 * words; ++word) {
      std::uint64_t taken = 0;
      for (const std::int32_t node : mesh.elements[i]) taken |= used[at(node) * words + word];
      if (~taken != 0) found = 64 * word + static_cast<std::size_t>(std::countr_one(taken));
    }
    if (found == 64 * words) {
      std::vector<std::uint64_t> more(mesh.nodes.size() * (words + 1));
      for (std::size_t k = 0; k < used.size(); ++k) more[k / words * (words + 1) + k % words] = used[k];
      used.swap(more);
      ++words;
    }
    for (const std::int32_t node : mesh.elements[i])
      used[at(node) * words + found / 64] |= std::uint64_t{1} << (found % 64);
    if (found >= counts.size()) counts.resize(found + 1);
    ++counts[found];
    colour[i] = static_cast<std::int32_t>(found);
  }
  begins.assign(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), begins.begin() + 1);
  std::vector<std::int32_t> next(begins.begin(), begins.end() - 1);
  order.resize(mesh.elements.size());
  for (std::size_t i = 0; i < colour.size(); ++i)
    order[at(next[at(colour[i])]++)] = static_cast<std::int32_t>(i);
}

BlockMatrix::BlockMatrix(const Body& body, std::size_t slice) {
  const Mesh& mesh = body.mesh;
  const Incidence incidence(mesh);
  const Around around = neighbours(mesh, incidence);
  make_places(around, slice);
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < around.size(); ++node) {
    std::vector<Block> row(around[node].size());
    for (std::int32_t k = incidence.offsets[node]; k < incidence.offsets[node + 1]; ++k) {
      const std::int32_t corner = incidence.corners[at(k)];
      const ElementMatrix matrix(body, at(corner / 4));
      for (std::size_t b = 0; b < 4; ++b) {
        const auto place =
            std::lower_bound(around[node].begin(), around[node].end(), mesh.elements[at(corner / 4)][b]);
        matrix.add(at(corner % 4), b, row[static_cast<std::size_t>(place - around[node].begin())]);
      }
    }
    for (std::size_t k = 0; k < row.size(); ++k)
      for (std::size_t c = 0; c < 9; ++c)
        blocks[((at(offsets[node / slice]) + k) * 9 + c) * slice + node % slice] =
            static_cast<float>(row[k][c]);
  }
}

BlockMatrix::BlockMatrix(const SparseMatrix& matrix, std::size_t slice) {
  const auto rows = static_cast<std::size_t>(matrix.rows);
  Around around((rows + 2) / 3);
  const auto begin_of = [&](std::size_t row) { return matrix.offsets[std::min(row, rows)]; };
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < around.size(); ++node) {
    std::vector<std::int32_t>& here = around[node];
    for (std::int64_t k = begin_of(3 * node); k < begin_of(3 * node + 3); ++k)
      here.push_back(matrix.columns[static_cast<std::size_t>(k)] / 3);
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
  }
  make_places(around, slice);
#pragma omp parallel for schedule(static)
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t node = row / 3;
    for (std::int64_t k = begin_of(row); k < begin_of(row + 1); ++k) {
      const std::int32_t column = matrix.columns[static_cast<std::size_t>(k)];
      const auto place = std::lower_bound(around[node].begin(), around[node].end(), column / 3);
      const std::size_t block =
          at(offsets[node / slice]) + static_cast<std::size_t>(place - around[node].begin());
      blocks[(block * 9 + 3 * at(column % 3) + row % 3) * slice + node % slice] =
          matrix.values[static_cast<std::size_t>(k)];
    }
  }
}

void BlockMatrix::make_places(const Around& around, std::size_t slice) {
  const std::size_t nodes = around.size();
  offsets.push_back(0);
  for (std::size_t first = 0; first < nodes; first += slice) {
    std::size_t longest = 0;
    for (std::size_t node = first; node < std::min(first + slice, nodes); ++node)
      longest = std::max(longest, around[node].size());
    const std::size_t end = at(offsets.back()) + longest;
    if (end > std::numeric_limits<std::int32_t>::max())
      throw PointFailure(Status::rejected, "the matrix takes more than 2^31 rows of blocks");
    offsets.push_back(static_cast<std::int32_t>(end));
  }
  // One row with entries in all columns makes all rows of its slice as long.
  const std::size_t places = at(offsets.back()) * slice;
  require_host_memory(fmt::format("fem: {} blocks, with slice={}", places, slice), 40 * places);
  columns.resize(places);
  blocks.resize(9 * columns.size());
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < (nodes + slice - 1) / slice * slice; ++node) {
    const std::size_t begin = at(offsets[node / slice]);
    for (std::size_t k = begin; k < at(offsets[node / slice + 1]); ++k) {
      const bool filled = node < nodes && k - begin < around[node].size();
      columns[k * slice + node % slice] =
          filled ? around[node][k - begin] : static_cast<std::int32_t>(std::min(node, nodes - 1));
    }
  }
}

template <typename Put>
void PatchForces::add_patch(const std::vector<std::int32_t>& found, const Forces& of_node, const Put& put) {
  std::vector<std::size_t> sorted(found.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(of_node[b].size(), found[a]) < std::pair(of_node[a].size(), found[b]);
  });
  for (const std::size_t node : sorted) {
    nodes.push_back(found[node]);
    counts.push_back(static_cast<std::uint16_t>(of_node[node].size()));
  }
  std::uint16_t slot = 0;
  for (std::size_t rank = 0; rank < of_node[sorted.front()].size(); ++rank) {
    ranks.push_back(slot);
    for (std::size_t k = 0; k < sorted.size() && of_node[sorted[k]].size() > rank; ++k)
      put(std::size_t{of_node[sorted[k]][rank]}, static_cast<std::uint16_t>(k), slot++);
  }
  node_offsets.push_back(static_cast<std::int32_t>(nodes.size()));
  rank_offsets.push_back(static_cast<std::int32_t>(ranks.size()));
}

void PatchForces::list_entries(std::size_t nodes_of_mesh) {
  offsets.assign(nodes_of_mesh + 1, 0);
  for (const std::int32_t node : nodes) ++offsets[at(node) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int32_t> next(offsets.begin(), offsets.end() - 1);
  entries.resize(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k)
    entries[at(next[at(nodes[k])]++)] = static_cast<std::int32_t>(k);
}

ElementPatches::ElementPatches(const Body& body, std::size_t largest) {
  const Mesh& mesh = body.mesh;
  for_each_patch(mesh, mesh.elements, largest, largest / 2,
                 [&](std::span<const std::int32_t> elements, const std::vector<std::int32_t>& found,
                     const std::vector<std::array<std::uint16_t, 4>>& of_elements) {
                   const std::size_t first = corners.size();
                   Forces of_node(found.size());
                   for (std::size_t k = 0; k < elements.size(); ++k) {
                     for (std::size_t a = 0; a < 4; ++a)
                       of_node[of_elements[k][a]].push_back(static_cast<std::uint16_t>(4 * k + a));
                     lame.push_back(body.lame[at(elements[k])]);
                   }
                   corners.resize(first + elements.size());
                   slots.resize(corners.size());
                   add_patch(found, of_node, [&](std::size_t force, std::uint16_t place, std::uint16_t slot) {
                     corners[first + force / 4][force % 4] = place;
                     slots[first + force / 4][force % 4] = slot;
                   });
                   element_offsets.push_back(static_cast<std::int32_t>(corners.size()));
                 });
  list_entries(mesh.nodes.size());
}

EdgePatches::EdgePatches(const Body& body, std::size_t largest) {
  const Mesh& mesh = body.mesh;
  std::vector<Edge> all;
  const std::vector<std::vector<std::int32_t>> around = neighbours(mesh, Incidence(mesh));
  for (std::size_t node = 0; node < around.size(); ++node) {
    for (const std::int32_t other : around[node])
      if (at(other) > node) all.push_back({static_cast<std::int32_t>(node), other});
  }
  const auto most_nodes = most_edge_patch_nodes(static_cast<std::int64_t>(largest));
  for_each_patch(mesh, all, largest, static_cast<std::size_t>(most_nodes),
                 [&](std::span<const std::int32_t>, const std::vector<std::int32_t>& found,
                     const std::vector<std::array<std::uint16_t, 2>>& ends) { add_edges(found, ends); });
  list_entries(mesh.nodes.size());
  assemble(body);
}

void EdgePatches::add_edges(const std::vector<std::int32_t>& found,
                            std::vector<std::array<std::uint16_t, 2>> ends) {
  // An edge belongs to its first end. It is turned as long as the first end has at least two more.
  std::vector<std::size_t> owned_edges(found.size());
  for (const auto& [a, b] : ends) ++owned_edges[a];
  for (bool turned = true; turned;) {
    turned = false;
    for (auto& [a, b] : ends) {
      if (owned_edges[a] < owned_edges[b] + 2) continue;
      --owned_edges[a];
      ++owned_edges[b];
      std::swap(a, b);
      turned = true;
    }
  }
  std::vector<std::vector<std::uint16_t>> own(found.size());  // the other ends of its edges
  for (const auto& [a, b] : ends) own[a].push_back(b);
  std::vector<std::uint16_t> sorted(found.size());
  std::iota(sorted.begin(), sorted.end(), std::uint16_t{0});
  std::sort(sorted.begin(), sorted.end(), [&](std::uint16_t a, std::uint16_t b) {
    return std::pair(own[b].size(), found[a]) < std::pair(own[a].size(), found[b]);
  });
  std::vector<std::uint8_t> place(found.size());
  for (std::size_t k = 0; k < sorted.size(); ++k) place[sorted[k]] = static_cast<std::uint8_t>(k);
  // Forces on other ends have the numbers of their edges, sums of own edges numbers behind these.
  const std::size_t first_edge = edges.size();
  const std::size_t first_node = patch_nodes.size();
  Forces of_node(found.size());
  for (const std::uint16_t node : sorted) {
    patch_nodes.push_back(found[node]);
    owned.push_back({0, static_cast<std::uint8_t>(own[node].size())});
    of_node[node].push_back(static_cast<std::uint16_t>(ends.size() + place[node]));
  }
  for (std::size_t turn = 0; turn < own[sorted.front()].size(); ++turn) {
    turns.push_back(static_cast<std::uint16_t>(edges.size() - first_edge));
    for (std::size_t k = 0; k < sorted.size() && own[sorted[k]].size() > turn; ++k) {
      const std::uint16_t other = own[sorted[k]][turn];
      of_node[other].push_back(static_cast<std::uint16_t>(edges.size() - first_edge));
      edges.push_back({found[sorted[k]], found[other]});
      others.push_back(place[other]);
    }
  }
  slots.resize(edges.size());
  add_patch(found, of_node, [&](std::size_t force, std::uint16_t /*place*/, std::uint16_t slot) {
    if (force < ends.size()) {
      slots[first_edge + force] = slot;
    } else {
      owned[first_node + force - ends.size()][0] = static_cast<std::uint8_t>(slot);
    }
  });
  edge_offsets.push_back(static_cast<std::int32_t>(edges.size()));
  turn_offsets.push_back(static_cast<std::int32_t>(turns.size()));
}

void EdgePatches::assemble(const Body& body) {
  const Mesh& mesh = body.mesh;
  const Incidence incidence(mesh);
  blocks.resize(9 * edges.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto [node, other] = edges[k];
    Block block{};
    for (std::int32_t i = incidence.offsets[at(node)]; i < incidence.offsets[at(node) + 1]; ++i) {
      const std::int32_t corner = incidence.corners[at(i)];
      const Corners& corners = mesh.elements[at(corner / 4)];
      for (std::size_t b = 0; b < 4; ++b)
        if (corners[b] == other) ElementMatrix(body, at(corner / 4)).add(at(corner % 4), b, block);
    }
    for (std::size_t c = 0; c < 9; ++c) {
      const std::size_t place = c < 8 ? (c / 4 * edges.size() + k) * 4 + c % 4 : 8 * edges.size() + k;
      blocks[place] = static_cast<float>(block[c]);
    }
  }
}

}  // namespace dwarfsweep::fem
