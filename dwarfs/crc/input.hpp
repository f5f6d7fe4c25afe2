// crc's input: a stream of bytes, random or from a file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dwarfs/crc/verification.hpp"
#include "harness/run/dwarf.hpp"

namespace dwarfsweep::crc {

class CrcInput final : public Input {
 public:
  explicit CrcInput(std::vector<std::uint8_t> stream, Code code = Code::crc32)
      : stream_(std::move(stream)), code_(code), reference_(stream_, code) {}
  [[nodiscard]] Code code() const { return code_; }
  [[nodiscard]] std::span<const std::uint8_t> stream() const { return stream_; }
  [[nodiscard]] const Reference& reference() const { return reference_; }

 private:
  std::vector<std::uint8_t> stream_;
  Code code_;
  Reference reference_;
};

/// `bytes` random bytes. Throws PointFailure(out_of_memory) where the host has not that much memory.
std::shared_ptr<const CrcInput> generate(const Problem& problem, std::uint64_t seed);

/// The bytes of one file; the problem's `bytes` is its length. Throws UsageError, InputError.
Loaded load(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files);

}  // namespace dwarfsweep::crc
