// What all variants of bfs share on a device: the levels, their check, and the work of a search.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dwarfs/bfs/cases.hpp"
#include "dwarfs/bfs/input.hpp"
#include "harness/run/setup.hpp"

namespace dwarfsweep::bfs {

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
    workspace_.session().queue().enqueueFillBuffer(buffer.buffer, value,
                                                   static_cast<std::size_t>(index) * sizeof(T), sizeof(T));
  }

  Workspace& workspace_;
  std::shared_ptr<const GraphInput> input_;
  std::int64_t offset_bits_;
  Buffer<cl_int> levels_;

 private:
  std::vector<std::int32_t> result_;
};

}  // namespace dwarfsweep::bfs
