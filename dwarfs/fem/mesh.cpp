#include "dwarfs/fem/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/space/error.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::fem {

Mesh box_mesh(std::int64_t nx, std::int64_t ny, std::int64_t nz, std::uint64_t seed) {
  const std::int64_t counts[3] = {nx, ny, nz};
  Mesh mesh;
  mesh.nodes.reserve(static_cast<std::size_t>((nx + 1) * (ny + 1) * (nz + 1)));
  Random random(seed);
  for (std::int64_t z = 0; z <= nz; ++z) {
    for (std::int64_t y = 0; y <= ny; ++y) {
      for (std::int64_t x = 0; x <= nx; ++x) {
        const std::int64_t at[3] = {x, y, z};
        Node node{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double moved = 0.4 * random.uniform01() - 0.2;
          const bool inner = at[axis] > 0 && at[axis] < counts[axis];
          node[axis] = static_cast<float>(static_cast<double>(at[axis]) + (inner ? moved : 0));
        }
        mesh.nodes.push_back(node);
      }
    }
  }
  const auto number = [&](const std::array<std::int64_t, 3>& at) {
    return static_cast<std::int32_t>((at[2] * (ny + 1) + at[1]) * (nx + 1) + at[0]);
  };
  mesh.elements.reserve(static_cast<std::size_t>(6 * nx * ny * nz));
  for (std::int64_t z = 0; z < nz; ++z) {
    for (std::int64_t y = 0; y < ny; ++y) {
      for (std::int64_t x = 0; x < nx; ++x) {
        // A tetrahedron for each order of the axes: from one corner of the box to the opposite one, an axis
        // at a time.
        std::array<std::size_t, 3> axes = {0, 1, 2};
        do {
          std::array<std::int64_t, 3> at = {x, y, z};
          Corners corners{};
          corners[0] = number(at);
          for (std::size_t k = 0; k < 3; ++k) {
            ++at[axes[k]];
            corners[k + 1] = number(at);
          }
          mesh.elements.push_back(corners);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return mesh;
}

double six_volumes(const Mesh& mesh, const Corners& corners) {
  double e[3][3];
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      e[k][axis] = double{mesh.nodes[static_cast<std::size_t>(corners[k + 1])][axis]} -
                   double{mesh.nodes[static_cast<std::size_t>(corners[0])][axis]};
  }
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
         e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

void orient(Mesh& mesh, const std::string& source) {
  for (std::size_t i = 0; i < mesh.elements.size(); ++i) {
    Corners& corners = mesh.elements[i];
    const double volume = six_volumes(mesh, corners);
    if (volume < 0) std::swap(corners[2], corners[3]);
    double longest = 0;
    for (std::size_t k = 1; k < 4; ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        longest = std::max(longest, std::abs(double{mesh.nodes[static_cast<std::size_t>(corners[k])][axis]} -
                                             double{mesh.nodes[static_cast<std::size_t>(corners[0])][axis]}));
      }
    }
    // Flatter ones have gradients that single precision cannot distinguish from infinite ones.
    if (!(std::abs(volume) > 1e-4 * longest * longest * longest)) {
      throw InputError(
          source, "",
          fmt::format("tetrahedron {} (counted from 1, nodes {} {} {} {} from 0) is flat: fem needs "
                      "volumes above a ten-thousandth of the longest edge cubed",
                      i + 1, corners[0], corners[1], corners[2], corners[3]));
    }
  }
}

namespace {

constexpr int bits = 20;

/// Where a point is on a Hilbert curve through 2^20 cubed cells: J. Skilling, "Programming the Hilbert
/// curve", AIP Conference Proceedings 707, 2004.
std::uint64_t hilbert_index(std::array<std::uint32_t, 3> x) {
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1U) {
    for (std::uint32_t& axis : x) {
      if ((axis & q) != 0) {
        x[0] ^= q - 1;
      } else {
        const std::uint32_t t = (x[0] ^ axis) & (q - 1);
        x[0] ^= t;
        axis ^= t;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1U << (bits - 1); q > 1; q >>= 1U)
    if ((x[2] & q) != 0) t ^= q - 1;
  for (std::uint32_t& axis : x) axis ^= t;
  std::uint64_t index = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (const std::uint32_t axis : x) index = index * 2 + ((axis >> bit) & 1U);
  }
  return index;
}

using Position = std::array<double, 3>;

std::vector<std::int32_t> order_of(const std::vector<Position>& points) {
  Position low = points.front();
  double extent = 0;
  for (const Position& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis) low[axis] = std::min(low[axis], point[axis]);
  for (const Position& point : points)
    for (std::size_t axis = 0; axis < 3; ++axis) extent = std::max(extent, point[axis] - low[axis]);
  const double scale = extent > 0 ? ((1 << bits) - 1) / extent : 0;
  std::vector<std::pair<std::uint64_t, std::int32_t>> keys(points.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::array<std::uint32_t, 3> cell{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      cell[axis] = static_cast<std::uint32_t>((points[i][axis] - low[axis]) * scale);
    keys[i] = {hilbert_index(cell), static_cast<std::int32_t>(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::int32_t> order;
  for (const auto& key : keys) order.push_back(key.second);
  return order;
}

std::vector<std::int32_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  Random(seed).shuffle(order);
  return order;
}

template <typename T>
void reorder(std::vector<T>& items, const std::vector<std::int32_t>& order) {
  std::vector<T> result;
  result.reserve(items.size());
  for (const std::int32_t from : order) result.push_back(items[static_cast<std::size_t>(from)]);
  items.swap(result);
}

std::vector<std::int32_t> node_order(const Mesh& mesh) {
  std::vector<Position> points;
  for (const Node& node : mesh.nodes) points.push_back({node[0], node[1], node[2]});
  return order_of(points);
}

}  // namespace

template <std::size_t Count>
std::vector<std::int32_t> hilbert_order(const std::vector<Node>& nodes,
                                        const std::vector<std::array<std::int32_t, Count>>& items) {
  std::vector<Position> centres;
  for (const auto& corners : items) {
    Position centre{};
    for (const std::int32_t node : corners)
      for (std::size_t axis = 0; axis < 3; ++axis)
        centre[axis] += double{nodes[static_cast<std::size_t>(node)][axis]} / Count;
    centres.push_back(centre);
  }
  return order_of(centres);
}

template std::vector<std::int32_t> hilbert_order(const std::vector<Node>&, const std::vector<Corners>&);
template std::vector<std::int32_t> hilbert_order(const std::vector<Node>&, const std::vector<Edge>&);

void arrange(Mesh& mesh, const std::string& order, std::uint64_t seed) {
  const bool along = order == "hilbert";
  reorder(mesh.elements, along ? hilbert_order(mesh.nodes, mesh.elements)
                               : shuffled(mesh.elements.size(), seed_of_part(seed, 0)));
  const std::vector<std::int32_t> nodes =
      along ? node_order(mesh) : shuffled(mesh.nodes.size(), seed_of_part(seed, 1));
  std::vector<std::int32_t> number(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    number[static_cast<std::size_t>(nodes[i])] = static_cast<std::int32_t>(i);
  reorder(mesh.nodes, nodes);
  for (Corners& corners : mesh.elements)
    for (std::int32_t& node : corners) node = number[static_cast<std::size_t>(node)];
}

Incidence::Incidence(const Mesh& mesh)
    : offsets(mesh.nodes.size() + 1, 0), corners(4 * mesh.elements.size()) {
  for (const Corners& element : mesh.elements)
    for (const std::int32_t node : element) ++offsets[static_cast<std::size_t>(node) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int32_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t entry = 0; entry < corners.size(); ++entry) {
    const auto node = static_cast<std::size_t>(mesh.elements[entry / 4][entry % 4]);
    corners[static_cast<std::size_t>(next[node]++)] = static_cast<std::int32_t>(entry);
  }
}

}  // namespace dwarfsweep::fem
