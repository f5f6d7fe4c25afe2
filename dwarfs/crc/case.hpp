// What the cases of crc's variants on a device have in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dwarfs/crc/input.hpp"
#include "harness/dwarf.hpp"

namespace dwarfsweep::crc {

/// What a case is made from.
struct Setup {
  Workspace& workspace;
  const Space& space;
  const Config& config;
  std::shared_ptr<const CrcInput> input;
};

/// Extra macros of the kernels.
struct ExtraMacros {
  std::size_t lanes = 1;
  unsigned chunk_power = 6;
};

constexpr std::size_t block_bytes = CrcInput::block_bytes;
constexpr std::size_t run = 16;  ///< partial results that a work-item of `combine` adds up

class CrcCase : public Case {
 public:
  CrcCase(const Setup& setup, const ExtraMacros& macros);

  void reset() override;
  void download() override { workspace_.download(result_, got_); }
  [[nodiscard]] Check check() const override { return input_->reference().compare(got_.at(0)); }
  [[nodiscard]] std::vector<Work> work() const override;
  void dump(DumpSink& sink) const override;

 protected:
  /// Number of words that `compute` leaves to `combine`.
  [[nodiscard]] virtual std::size_t partials() const = 0;

  /// `launched_bytes` is what all launched work-items would read if no load were guarded.
  void allocate_stream(std::size_t launched_bytes);
  void upload_stream();
  Buffer<cl_uint> allocate_words(const std::string& name, std::size_t count, Role role) {
    return workspace_.allocate<cl_uint>(name, count, role);
  }
  Kernel kernel(const std::string& function, const std::string& name) {
    return workspace_.kernel("crc/crc", options_, function, name);
  }

  Workspace& workspace_;  // NOLINT(*-non-private-member-variables-in-classes)
  std::shared_ptr<const CrcInput> input_;
  bool padded_;
  std::size_t group_;
  std::size_t granularity_;
  std::size_t combine_group_;
  std::string options_;
  Buffer<cl_uint> result_;
  Buffer<cl_uchar> stream_;
  std::vector<std::uint32_t> got_;
};

std::unique_ptr<Case> make_per_byte_case(const Setup& setup);
std::unique_ptr<Case> make_slicing_case(const Setup& setup);
std::unique_ptr<Case> make_interleaved_case(const Setup& setup);

/// The case of the configuration's variant.
std::unique_ptr<Case> make_case(const Setup& setup);

}  // namespace dwarfsweep::crc
