// What the cases of crc's variants on a device have in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dwarfs/crc/input.hpp"
#include "harness/run/array_case.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::crc {

constexpr std::size_t block_bytes = 64;  ///< the widest vector that kernels load
constexpr std::size_t run = 16;          ///< partial results that a work-item of `combine` adds up

class CrcCase : public ArrayCase {
 public:
  explicit CrcCase(const Setup& setup);

  void reset() override;
  [[nodiscard]] std::vector<Work> work() const override;

 protected:
  /// Number of words that `compute` leaves to `combine`.
  [[nodiscard]] virtual std::size_t partials() const = 0;

  /// Declares stream and result. `launched_bytes` is what all launched work-items would read if no load were
  /// guarded.
  void declare_arrays(std::size_t launched_bytes);
  Buffer<cl_uint> allocate_words(const std::string& name, std::size_t count, Role role) {
    return workspace().allocate<cl_uint>(name, count, role);
  }
  /// Every axis, and what only some variants have: work-items per segment, log2 of the bytes of a chunk.
  [[nodiscard]] Macros macros(const Setup& setup, std::size_t lanes = 1, int chunk_power = 6) const;

  /// CRC-8 instead of CRC-32.
  [[nodiscard]] bool is_crc8() const { return input_->code() == Code::crc8; }
  [[nodiscard]] std::size_t bytes() const { return input_->stream().size(); }
  /// The stream with zeros up to a multiple of block_bytes, at least one block.
  [[nodiscard]] std::size_t padded_bytes() const;

  std::size_t group_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::size_t granularity_;
  std::size_t combine_group_;
  Buffer<cl_uchar> stream_;
  Buffer<cl_uint> result_;

 private:
  std::shared_ptr<const CrcInput> input_;
  bool padded_;
};

std::unique_ptr<Case> make_per_byte_case(const Setup& setup);
std::unique_ptr<Case> make_slicing_case(const Setup& setup);
std::unique_ptr<Case> make_interleaved_case(const Setup& setup);

}  // namespace dwarfsweep::crc
