#include "dwarfs/bfs/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "harness/run/setup.hpp"
#include "harness/space/error.hpp"
#include "harness/space/rounding.hpp"

namespace dwarfsweep::bfs {

PaddedLists padded_lists(const Adjacency& graph, const Config& config) {
  const std::int64_t multiple = config.integer("padding");
  PaddedLists lists;
  lists.offsets.reserve(static_cast<std::size_t>(graph.nodes()) + 1);
  std::uint64_t total = 0;
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    const std::int64_t degree = graph.degree(node);
    lists.offsets.push_back(total);
    total += static_cast<std::uint64_t>(multiple == 0 ? degree : round_up(degree, multiple));
  }
  lists.offsets.push_back(total);
  constexpr std::uint64_t most = std::numeric_limits<cl_uint>::max();
  if (config.integer("offset_bits") == 32 && total > most) {
    throw PointFailure(Status::rejected,
                       fmt::format("{} stored edges are more than offset_bits=32 can count ({}); "
                                   "offset_bits=64 can",
                                   total, most));
  }
  lists.neighbours.resize(total);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::int64_t node = 0; node < graph.nodes(); ++node) {
    const auto first = graph.neighbours.begin() + graph.offsets[node];
    const auto padding =
        std::copy(first, first + graph.degree(node),
                  lists.neighbours.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node]));
    std::fill(padding, lists.neighbours.begin() + static_cast<std::ptrdiff_t>(lists.offsets[node + 1]),
              static_cast<cl_int>(node));
  }
  return lists;
}

OffsetBuffer allocate_offsets(Workspace& workspace, const std::string& name, std::size_t count,
                              std::int64_t offset_bits, Role role) {
  return workspace.allocate<cl_uint>(name, count * static_cast<std::size_t>(offset_bits / 32), role);
}

void upload_offsets(Workspace& workspace, std::span<const std::uint64_t> offsets, std::int64_t offset_bits,
                    const OffsetBuffer& to) {
  std::vector<cl_uint> words(to.count);
  if (offset_bits == 32) {
    std::transform(offsets.begin(), offsets.end(), words.begin(),
                   [](std::uint64_t offset) { return static_cast<cl_uint>(offset); });
  } else {
    std::memcpy(words.data(), offsets.data(), offsets.size_bytes());
  }
  workspace.upload(words, to);
}

}  // namespace dwarfsweep::bfs
