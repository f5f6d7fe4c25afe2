// What the cases of bfs share on a device: the lists of the graph, the levels and their check.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/bfs/bfs.hpp"
#include "dwarfs/bfs/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

// A graph's lists as the kernels read them.

/// Each list is padded to a multiple with its own node, which changes no level.
struct PaddedLists {
  std::vector<std::uint64_t> offsets;  ///< nodes + 1, as in Adjacency
  Staging<cl_int> neighbours;

  [[nodiscard]] std::uint64_t length(std::int64_t node) const { return offsets[node + 1] - offsets[node]; }
};

/// By the axes padding and offset_bits. Throws PointFailure where offsets of that width cannot count the
/// neighbours.
PaddedLists padded_lists(const Adjacency& graph, const Config& config);

/// Offsets in device memory, of 32 or 64 bits by the axis offset_bits; held as 32-bit words, so that one type
/// serves both widths.
using OffsetBuffer = Buffer<cl_uint>;

OffsetBuffer allocate_offsets(Workspace& workspace, const std::string& name, std::size_t count,
                              std::int64_t offset_bits, Role role);
void upload_offsets(Workspace& workspace, std::span<const std::uint64_t> offsets, std::int64_t offset_bits,
                    const OffsetBuffer& to);

// What all variants of bfs share on a device: the levels, their check, and the work of a search.

class LevelsCase : public Case {
 public:
  void download() override { workspace_.download(levels_, result_); }
  [[nodiscard]] Check check() const override;
  [[nodiscard]] std::vector<Work> work() const override;
  void dump(DumpSink& sink) const override;

 protected:
  explicit LevelsCase(const Setup& setup);

  [[nodiscard]] std::int64_t nodes() const { return input_->outgoing().nodes(); }
  /// No node but the source is reached.
  void reset_levels();
  /// Enqueues one element's change; for reset.
  template <typename T>
  void set_element(const Buffer<T>& buffer, std::int64_t index, T value) {
    workspace_.session().fill(buffer.buffer, value, static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  }

  Workspace& workspace_;
  std::shared_ptr<const GraphInput> input_;
  std::int64_t offset_bits_;
  Buffer<cl_int> levels_;

 private:
  std::vector<std::int32_t> result_;
};

}  // namespace dwarfsweep::bfs
