#include "dwarfs/crc/input.hpp"

#include <fmt/format.h>

#include <array>

#include "harness/device/host.hpp"
#include "harness/formats/file_bytes.hpp"
#include "harness/statistics/random.hpp"

namespace dwarfsweep::crc {

std::uint32_t reference_crc(std::span<const std::uint8_t> bytes) {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1U) != 0 ? (rest >> 1U) ^ 0xEDB88320U : rest >> 1U;
    table[byte] = rest;
  }
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) crc = table[(crc ^ byte) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

std::uint8_t reference_crc8(std::span<const std::uint8_t> bytes) {
  unsigned crc = 0;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x80U) != 0 ? (crc << 1U ^ 0x107U) : crc << 1U;
  }
  return static_cast<std::uint8_t>(crc);
}

std::uint32_t Reference::crc() const {
  std::call_once(once_,
                 [this] { crc_ = code_ == Code::crc8 ? reference_crc8(stream_) : reference_crc(stream_); });
  return crc_;
}

Check Reference::compare(std::uint32_t got) const {
  if (got == crc()) return {true, 0, 0, ""};
  return {false, 1, 0,
          fmt::format("the CRC-{} of {} bytes is {:#010x}, wanted {:#010x}", code_ == Code::crc8 ? 8 : 32,
                      stream_.size(), got, crc())};
}

namespace {

Code code_of(const Problem& problem) {
  return problem.string("code") == "crc8" ? Code::crc8 : Code::crc32;
}

}  // namespace

std::shared_ptr<const CrcInput> generate(const Problem& problem, std::uint64_t seed) {
  const auto bytes = static_cast<std::size_t>(problem.integer("bytes"));
  require_host_memory(fmt::format("crc: a stream of {} bytes", bytes), bytes);
  std::vector<std::uint8_t> stream(bytes);
  Random(seed).fill_bytes(stream);
  return std::make_shared<CrcInput>(std::move(stream), code_of(problem));
}

Loaded load(const DwarfInfo& info, const ValueMap& request, const std::vector<std::string>& files) {
  require_files("crc", info.input_formats, files, 1);
  auto stream = read_bytes(files.front());
  const auto bytes = static_cast<std::int64_t>(stream.size());
  Problem problem =
      make_problem("crc", info.keys, {"file", with_found("crc", request, "bytes", bytes, files.front())});
  auto input = std::make_shared<CrcInput>(std::move(stream), code_of(problem));
  return {std::move(problem), std::move(input)};
}

}  // namespace dwarfsweep::crc
