#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "dwarfs/fem/fem.hpp"
#include "harness/device/host.hpp"
#include "harness/space/error.hpp"

namespace dwarfsweep::fem {
namespace {

std::size_t at(std::int32_t number) {
  return static_cast<std::size_t>(number);
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
  const std::size_t nodes = mesh.nodes.size();
  const Incidence incidence(mesh);
  // Which nodes are around each, in ascending order.
  Around around(nodes);
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < nodes; ++node) {
    std::vector<std::int32_t>& here = around[node];
    for (std::int32_t k = incidence.offsets[node]; k < incidence.offsets[node + 1]; ++k) {
      const Corners& corners = mesh.elements[at(incidence.corners[at(k)] / 4)];
      here.insert(here.end(), corners.begin(), corners.end());
    }
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
  }
  make_places(around, slice);
#pragma omp parallel for schedule(static)
  for (std::size_t node = 0; node < nodes; ++node) {
    std::vector<std::array<double, 9>> row(around[node].size());
    for (std::int32_t k = incidence.offsets[node]; k < incidence.offsets[node + 1]; ++k) {
      const std::int32_t corner = incidence.corners[at(k)];
      const Corners& corners = mesh.elements[at(corner / 4)];
      const double volume = six_volumes(mesh, corners) / 6;
      double normal[4][3] = {};
      for (std::size_t a = 1; a < 4; ++a) {
        const Node& origin = mesh.nodes[at(corners[0])];
        const Node& p = mesh.nodes[at(corners[a % 3 + 1])];
        const Node& q = mesh.nodes[at(corners[(a + 1) % 3 + 1])];
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const std::size_t y = (axis + 1) % 3;
          const std::size_t z = (axis + 2) % 3;
          normal[a][axis] = (double{p[y]} - double{origin[y]}) * (double{q[z]} - double{origin[z]}) -
                            (double{p[z]} - double{origin[z]}) * (double{q[y]} - double{origin[y]});
          normal[0][axis] -= normal[a][axis];
        }
      }
      const double scale = 1 / (36 * volume);
      const double lambda = double{body.lame[at(corner / 4)].lambda} * scale;
      const double mu = double{body.lame[at(corner / 4)].mu} * scale;
      const auto& own_normal = normal[at(corner % 4)];
      for (std::size_t b = 0; b < 4; ++b) {
        const auto place = std::lower_bound(around[node].begin(), around[node].end(), corners[b]);
        auto& block = row[static_cast<std::size_t>(place - around[node].begin())];
        double both = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) both += own_normal[axis] * normal[b][axis];
        for (std::size_t p = 0; p < 3; ++p) {
          for (std::size_t q = 0; q < 3; ++q) {
            block[3 * q + p] += lambda * own_normal[p] * normal[b][q] + mu * own_normal[q] * normal[b][p] +
                                (p == q ? mu * both : 0);
          }
        }
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

Patches::Patches(const Body& body, std::size_t largest) {
  const Mesh& mesh = body.mesh;
  const std::vector<std::int32_t> order = hilbert_order(mesh);
  std::vector<std::int32_t> place(mesh.nodes.size(), -1);  // in the current patch
  std::vector<std::vector<std::uint16_t>> of_node;         // its forces, as 4 * element + corner
  element_offsets.push_back(0);
  node_offsets.push_back(0);
  rank_offsets.push_back(0);
  const auto finish = [&] {
    const auto first_element = at(element_offsets.back());
    const auto first_node = at(node_offsets.back());
    const std::vector<std::int32_t> found(nodes.begin() + node_offsets.back(), nodes.end());
    std::vector<std::size_t> sorted(found.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(of_node[b].size(), found[a]) < std::pair(of_node[a].size(), found[b]);
    });
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      nodes[first_node + k] = found[sorted[k]];
      place[at(found[sorted[k]])] = -1;
      counts.push_back(static_cast<std::uint16_t>(of_node[sorted[k]].size()));
    }
    slots.resize(corners.size());
    std::uint16_t slot = 0;
    for (std::size_t rank = 0; rank < of_node[sorted.front()].size(); ++rank) {
      ranks.push_back(slot);
      for (std::size_t k = 0; k < sorted.size() && of_node[sorted[k]].size() > rank; ++k) {
        const std::size_t force = of_node[sorted[k]][rank];
        corners[first_element + force / 4][force % 4] = static_cast<std::uint16_t>(k);
        slots[first_element + force / 4][force % 4] = slot++;
      }
    }
    of_node.clear();
    element_offsets.push_back(static_cast<std::int32_t>(corners.size()));
    node_offsets.push_back(static_cast<std::int32_t>(nodes.size()));
    rank_offsets.push_back(static_cast<std::int32_t>(ranks.size()));
  };
  for (const std::int32_t element : order) {
    const Corners& global = mesh.elements[at(element)];
    const auto is_new = [&](std::int32_t node) { return place[at(node)] < 0; };
    const auto new_nodes = static_cast<std::size_t>(std::count_if(global.begin(), global.end(), is_new));
    const bool full =
        corners.size() - at(element_offsets.back()) == largest || of_node.size() + new_nodes > largest / 2;
    if (full) finish();
    const std::size_t number = corners.size() - at(element_offsets.back());
    for (std::size_t a = 0; a < 4; ++a) {
      if (is_new(global[a])) {
        place[at(global[a])] = static_cast<std::int32_t>(of_node.size());
        nodes.push_back(global[a]);
        of_node.emplace_back();
      }
      of_node[at(place[at(global[a])])].push_back(static_cast<std::uint16_t>(4 * number + a));
    }
    corners.emplace_back();  // finish() knows the places
    lame.push_back(body.lame[at(element)]);
  }
  finish();
  offsets.assign(mesh.nodes.size() + 1, 0);
  for (const std::int32_t node : nodes) ++offsets[at(node) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int32_t> next(offsets.begin(), offsets.end() - 1);
  entries.resize(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k)
    entries[at(next[at(nodes[k])]++)] = static_cast<std::int32_t>(k);
}

}  // namespace dwarfsweep::fem
